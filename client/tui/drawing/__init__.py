"""How boards look in characters: colours, shapes, sizes and places. Pure."""
