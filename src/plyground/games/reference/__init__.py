"""Slow, plain rules in Python. Tests hold the native core to them; nothing else uses them."""
