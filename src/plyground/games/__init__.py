"""The games' rules, and nothing else: no search, no network, no screen."""
