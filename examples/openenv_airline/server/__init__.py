"""The server of this folder."""
