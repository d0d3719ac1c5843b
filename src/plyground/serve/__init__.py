"""Servers that offer agents to other programs over a pipe, the course's XML-RPC, or HTTP."""
