"""The bank: its data and its place in the universe."""
