"""Reading OpenAPI documents into the resource model.

What lives here: following references, folding unions, finding resource families in paths, and
deciding columns, keys, relations and tool plans. What may not: SQL, Python code, rows.
"""
