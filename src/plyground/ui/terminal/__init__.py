"""Playing at a terminal: boards as text, commands, and the game loop."""
