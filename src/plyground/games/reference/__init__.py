"""Slow, plain rules in Python. Tests hold the native core to them, and benchmarks compare."""
