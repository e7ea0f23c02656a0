"""Reading Swagger 2 into OpenAPI 3's form. What may not live here: deciding what operations mean."""
