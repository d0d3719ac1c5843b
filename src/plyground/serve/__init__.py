"""Agents offered to other programs: through a pipe, the course's XML-RPC, or HTTP."""
