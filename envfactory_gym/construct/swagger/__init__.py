"""Reading Swagger 2: the structures that OpenAPI 3 renamed, brought to its form. What may not: deciding what they mean."""
