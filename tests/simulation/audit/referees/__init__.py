"""Referees: what each game's rules allow, worked out again from the document, and by no other code.

They need not be quick, so they are plain: boards are dictionaries, lines are walked cell by cell.
"""
