"""Measurements that `plyground bench` takes, in the package so that anyone can take them."""
