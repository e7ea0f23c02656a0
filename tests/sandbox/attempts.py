"""Attempts to get out, as code: each leaves in `got` what it got hold of, or does something outside.

`layers` are those of which each alone has to stop it. `given` are names that the test puts at its disposal:
`secret` (a file outside), `target` (a path outside that must not come to be), `prey` (a file outside that must
stay), `victim` (a process), `port` (somebody listening), `unix` (a listening socket file), `work`, `folder`.
"""

from __future__ import annotations

from typing import NamedTuple


class Attempt(NamedTuple):
    """One attempt, and the layers that each stop it alone."""

    code: str
    layers: frozenset[str]


FILES = ("namespaces", "landlock", "audit")
KERNEL_FILES = ("namespaces", "landlock")
SOCKETS = ("seccomp", "audit")

_ALL: dict[str, tuple[tuple[str, ...], str]] = {
    # ------------------------------------------------------------ reading
    "read /etc/passwd": (FILES, "got = open('/etc/passwd').read()"),
    "read a secret": (FILES, "got = open(secret).read()"),
    "read by descriptor": (FILES, "import os\ngot = os.read(os.open(secret, os.O_RDONLY), 99)"),
    "read by pathlib": (FILES, "import pathlib\ngot = pathlib.Path(secret).read_text()"),
    "read by bytes path": (FILES, "got = open(secret.encode()).read()"),
    "read through a path that changes its mind": (
        FILES,
        "import os, io\n"
        "class Path(str):\n    def __fspath__(self): return work + '/x'\n    def startswith(self, *a): return True\n"
        "got = io.FileIO(Path(secret)).read()",
    ),
    "read by a detour": (FILES, "got = open(work + '/' + '../' * 30 + secret).read()"),
    "read through a symbolic link": (
        FILES, "import os\nos.symlink(secret, work + '/link')\ngot = open(work + '/link').read()",
    ),
    "read through a hard link": (
        FILES, "import os\nos.link(secret, work + '/hard')\ngot = open(work + '/hard').read()",
    ),
    "list a folder": (FILES, "import os\ngot = os.listdir(os.path.dirname(secret))"),
    "walk from a folder's descriptor": (
        FILES,
        "import os\nplace = os.open(os.path.dirname(secret), os.O_RDONLY)\n"
        "got = os.read(os.open('secret.txt', os.O_RDONLY, dir_fd=place), 99)",
    ),
    "read by linecache": (FILES, "import linecache\ngot = linecache.getlines(secret) or None"),
    "read by sqlite": (
        KERNEL_FILES,
        "import sqlite3\nbase = sqlite3.connect(':memory:')\nbase.execute('ATTACH ? AS x', (database,))\n"
        "got = base.execute('SELECT * FROM x.t').fetchall()",
    ),
    "read the caller's memory map": (FILES, "import os\ngot = open(f'/proc/{warden}/maps').read()"),
    "read the caller's variables": (FILES, "got = open(f'/proc/{warden}/environ').read()"),
    "read the caller's memory": (FILES, "got = open(f'/proc/{warden}/mem', 'rb').read(0) or 'opened'"),
    # ------------------------------------------------------------ writing
    "write a file": (FILES, "open(target, 'w').write('x')"),
    "write by descriptor": (FILES, "import os\nos.write(os.open(target, os.O_WRONLY | os.O_CREAT), b'x')"),
    "make a folder": (FILES, "import os\nos.mkdir(target)"),
    "remove a file": (FILES, "import os\nos.remove(prey)"),
    "cut a file": (FILES, "import os\nos.truncate(prey, 0)"),
    "move a file out": (FILES, "import os\nopen(work + '/y', 'w').close()\nos.rename(work + '/y', target)"),
    "copy a file out": (FILES, "import shutil\nopen(work + '/z', 'w').close()\nshutil.copy(work + '/z', target)"),
    "change the package": (FILES, "open(folder + '/server.py', 'a').write('x')\ngot = 'written'"),
    "plant a sitecustomize": (FILES, "open(library + '/usercustomize.py', 'w').close()\ngot = 'planted'"),
    "write by sqlite": (
        KERNEL_FILES,
        "import sqlite3\nbase = sqlite3.connect(':memory:')\nbase.execute('ATTACH ? AS x', (target,))\n"
        "base.execute('CREATE TABLE x.t (a)')\nbase.commit()",
    ),
    "write by VACUUM INTO": (
        KERNEL_FILES, "import sqlite3\nsqlite3.connect(':memory:').execute('VACUUM INTO ?', (target,))",
    ),
    # ------------------------------------------------------------ network
    "connect": (
        ("namespaces", *SOCKETS),
        "import socket\nsocket.create_connection(('127.0.0.1', port), 2).send(b'x')\ngot = 'sent'",
    ),
    "connect by landlock's rule": (
        ("landlock",), "import socket\ns = socket.socket()\ns.settimeout(2)\ns.connect(('127.0.0.1', port))\ngot = 1",
    ),
    "connect by the raw module": (
        ("namespaces", *SOCKETS), "import _socket\ns = _socket.socket()\ns.connect(('127.0.0.1', port))\ngot = 'in'",
    ),
    "send a datagram": (
        SOCKETS, "import socket\ngot = socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', port))",
    ),
    "connect to a socket file": (
        ("namespaces", *SOCKETS), "import socket\ns = socket.socket(socket.AF_UNIX)\ns.connect(unix)\ngot = 'in'",
    ),
    "listen": (SOCKETS, "import socket\ns = socket.socket()\ns.bind(('127.0.0.1', 0))\ns.listen()\ngot = 'listening'"),
    "open a page": (
        ("namespaces", *SOCKETS),
        "import http.client\nhttp.client.HTTPConnection('127.0.0.1', port, timeout=2).connect()\ngot = 'connected'",
    ),
    # ------------------------------------------------------------ processes
    "run a shell": (("namespaces", "seccomp", "landlock", "audit"), "import os\ngot = os.system('true') == 0 or None"),
    "run a program": (
        ("seccomp", "landlock", "audit"),
        "import subprocess, sys\nprint(subprocess.run([sys.executable, '-c', '']).returncode)\ngot = 'ran'",
    ),
    "run a program unheard": (
        ("seccomp",),
        "import subprocess, sys\nhonest, sys.audit = sys.audit, lambda *a: None\n"
        "try:\n    subprocess.Popen([sys.executable, '-c', '']).wait()\nfinally:\n    sys.audit = honest\ngot = 'ran'",
    ),
    "spawn": (
        ("seccomp", "landlock", "audit"),
        "import os, sys\npid = os.posix_spawn(sys.executable, [sys.executable, '-c', ''], {})\n"
        "got = os.waitpid(pid, 0)[1] == 0 or None",
    ),
    "fork": (
        ("seccomp", "audit"),
        "import os\npid = os.fork()\nif pid == 0:\n    os._exit(0)\nos.waitpid(pid, 0)\ngot = 'forked'",
    ),
    "kill a stranger": (("namespaces", "landlock6", "seccomp", "audit"), "import os\nos.kill(victim, 9)\ngot = 'killed'"),
    "kill everyone": (("seccomp", "audit"), "import os\nos.kill(victim, 0)\nos.killpg(os.getpgid(victim), 0)\ngot = 1"),
    # ------------------------------------------------------------ foreign code and the kernel
    "call the C library": (("audit",), "import ctypes\ngot = ctypes.CDLL(None).getpid()"),
    "look at memory": (("audit",), "import ctypes\ngot = ctypes.string_at(id(got_nothing), 8)"),
    "trace a process": (
        ("seccomp", "audit"),
        "import ctypes\nif ctypes.CDLL(None, use_errno=True).ptrace(16, victim, 0, 0) == 0:\n    got = 'attached'\n"
        "else:\n    raise OSError(ctypes.get_errno())",
    ),
    "read another's memory": (
        ("seccomp", "audit"),
        "import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\n"
        "if libc.process_vm_readv(victim, None, 0, None, 0, 0) == 0:\n    got = 'allowed'\n"
        "else:\n    raise OSError(ctypes.get_errno())",
    ),
    "enter namespaces of its own": (
        ("seccomp", "audit"),
        "import ctypes\nif ctypes.CDLL(None, use_errno=True).unshare(0x10000000) == 0:\n    got = 'root'\n"
        "else:\n    raise OSError(ctypes.get_errno())",
    ),
    "raise the limits": (
        ("seccomp", "limits", "audit"),
        "import resource\nfor most in (1 << 20, 1 << 21):\n    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))\n"
        "got = 'raised'",
    ),
    "load an extension of SQLite": (
        ("audit",), "import sqlite3\nsqlite3.connect(':memory:').enable_load_extension(True)\ngot = 'enabled'",
    ),
    # ------------------------------------------------------------ tricks of the language
    "evaluate text": (("audit",), "got = eval('1 + 1')"),
    "compile text": (("audit",), "got = compile('1', 'x', 'eval')"),
    "find a way by subclasses": (
        FILES,
        "found = [k for k in ().__class__.__base__.__subclasses__() if k.__name__ == 'FileIO']\n"
        "for k in list(found):\n    found += k.__subclasses__()\n"
        "names = [k for k in ().__class__.__base__.__subclasses__() if k.__name__ == '_wrap_close']\n"
        "got = names[0].__init__.__globals__['open'](secret, 0)",
    ),
    "walk the frames": (("audit",), "import sys\ngot = sys._getframe(1).f_locals"),
    "walk the garbage": (("audit",), "import gc\ngot = len(gc.get_objects())"),
    "unpickle a call": (
        ("namespaces", "landlock", "seccomp", "audit"),
        "import pickle\ngot = pickle.loads(b\"cposix\\nsystem\\n(S'true'\\ntR.\") == 0 or None",
    ),
    "make code of bytes": (("audit",), "got = (lambda: 1).__code__.replace(co_consts=(2,))"),
    "listen to all events": (("audit",), "import sys\nseen = []\nsys.addaudithook(lambda *a: seen.append(a))\nsys.audit('x')\ngot = seen or None"),
    "trace the library": (("audit",), "import sys\nsys.settrace(lambda *a: None)\ngot = 'tracing'"),
    "act when an object dies": (
        FILES,
        "class Late:\n    def __del__(self, path=target, write=open):\n        write(path, 'w').close()\nLate()",
    ),
    "act when a class is made": (
        FILES,
        "class Meta(type):\n    def __new__(m, name, bases, space):\n        open(target, 'w').close()\n"
        "        return type.__new__(m, name, bases, space)\nclass X(metaclass=Meta): pass",
    ),
}  # fmt: skip

ATTEMPTS = {name: Attempt(code, frozenset(layers)) for name, (layers, code) in _ALL.items()}
"""Every attempt, by name."""
