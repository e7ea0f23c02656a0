"""Acceptance by other people's tools: the official conformance suite and the inspector, run by `make conformance`."""
