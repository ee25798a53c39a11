"""Widgets that screens are made of: boards, players, moves, talk, forms, keys that can be clicked."""
