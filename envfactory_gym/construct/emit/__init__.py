"""Writing a package's files from the resource model: schema, server, policy, language, manifest.

What lives here: templates, layout, SQL and Python text. What may not: decisions about what a
document means; those are in the model already.
"""
