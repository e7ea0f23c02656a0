"""Reading databases into the resource model: DDL of any dialect, dumps, SQLite files.

What lives here: tables as their definitions say, the rows that come with them, and CRUD operations
derived from tables and keys. What may not: running a dump's statements other than reading its rows.
"""
