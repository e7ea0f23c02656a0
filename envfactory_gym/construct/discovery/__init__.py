"""Reading Google discovery documents into OpenAPI 3's form. What may not: deciding what operations mean."""
