"""The universe that crafted environments share."""
