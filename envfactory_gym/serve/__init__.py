"""Serving environments over MCP: one session on standard input and output.

Three layers, each ignorant of the one above: sessions (`session`, `free`, `graded`, `state`) know
no MCP, the protocol face (`catalogue`, `protocol`) knows no transport, and the transport (`pipes`,
`stdio`) knows no environment. Nothing here decides a reward; that is the episode's business.
Importing this room loads no `mcp`; serving does, and says how to install it where it is missing.
"""

from .arguments import serve_environment
from .session import ServeError, Session, open_session
from .stdio import serve_stdio

__all__ = ["ServeError", "Session", "open_session", "serve_environment", "serve_stdio"]
