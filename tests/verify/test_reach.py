"""What the static check says of code that reaches for more than a tool may have, and of code that does not."""

import ast

import pytest

from envfactory_gym.verify.reach import problems

HEAD = (
    "from __future__ import annotations\nfrom envfactory_gym import Environment, World\nenv = Environment(__file__)\n"
)


def said(code):
    return [problem for _, problem in problems(ast.parse(HEAD + code))]


@pytest.mark.parametrize(
    "code",
    [
        "import os", "from os import path", "from . import sibling", "from enum import sys", "import re\nre.enum.sys.modules",
        "from enum import *", "from json import _default_decoder", "import dataclasses as d\nd.sys",
        "from envfactory_gym.world.template import os", "import envfactory_gym\nenvfactory_gym.world", "from envfactory_gym import load_package", "import envfactory_gym.cli.__main__ as x", "from envfactory_gym.cli import app",
        "getattr(env, '_x')", "getattr(env, 'x' + 'y')", "getattr(env, 'f_back', 0)", "map(getattr, [env], ['_x'])", "setattr(env, 'x', 1)", "__builtins__['open']('x')", "__loader__", "__import__('os')", "f = open", "exit()",
        "f'{env._tools}'", "def f(world, x=open('x')): pass", "@eval\ndef f(world): pass", "class C:\n    x = exec", "lambda world: world._core",
        "match env:\n    case World(_core=c): pass", "from operator import attrgetter", "import operator\noperator.methodcaller('x')",
        "from pydantic import ImportString", "import types\ntypes.CodeType", "(x for x in ()).gi_frame", "env.f_globals",
        "def f(x: 'open(1)'): pass", "def f() -> 'int': pass", "def f(x: list['int']): pass", "x: 'int | None' = 1", "def f(x: int | 'y'): pass",
        "import datetime\nf = datetime.datetime.now", "from datetime import date\ndate.today()", "def f(clock): return clock.now()",
        "def f(): return hash('a')", "def f(row): return id(row)",
"import json\njson.dumps = 1", "def f():\n    global x\n    x = 1",
    ],
)  # fmt: skip
def test_what_reaches_too_far_is_named(code):
    assert said(code)


@pytest.mark.parametrize(
    "code",
    [
        "from collections.abc import Mapping", "import datetime\nx = datetime.date(2026, 1, 1)", "import re\nre.IGNORECASE", "from json import dumps",
        "from datetime import UTC, datetime, timedelta\ndatetime.fromisoformat('2026-01-01')", "from typing import Annotated, Literal",
        "def f(world, open: bool, id: str, hash: str): return open, id, hash", "class Shop(dict):\n    open: bool\n    id: int\n    print: str",
        "def f(world): return world.now, world.today", "TABLE = {'a': 1}\ndef f(x): return TABLE[x] + TABLE.get('b', 0)",
        "def f(x):\n    rows = []\n    rows.append(x)\n    rows[0] = 1\n    return rows", "KEPT = []\ndef f(KEPT): KEPT.append(1)",
        "KEPT = {}\nKEPT['a'] = 1", "@env.tool()\ndef f(world, tags: list[str] = []): pass", "from typing import Literal\ndef f(x: Literal['open', 'a b']): pass",
        "from typing import Annotated\ndef f(x: Annotated[str, 'exec']): pass", "import itertools\nitertools.count()", "x = '__import__'", "getattr(env, 'x', 0)",
        "if __name__ == '__main__':\n    env.serve()",
    ],
)  # fmt: skip
def test_plain_code_is_left_alone(code):
    assert said(code) == []
