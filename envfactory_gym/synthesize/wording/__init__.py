"""Wording: the words in which a turn's wishes are asked for, and those in which an agent answers.

Facts come in (`wish`), a person is drawn (`person`), and text comes out in which every span that a
solver has to read stands letter for letter. Nothing here looks into a world.
"""
