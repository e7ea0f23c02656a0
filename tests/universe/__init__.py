"""Episodes that span several environments."""
