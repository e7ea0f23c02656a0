"""The hotel desk: its data and its place in the universe."""
