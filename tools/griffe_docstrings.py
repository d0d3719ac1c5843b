"""Griffe extension: what the site's API reference needs beyond the source as it is written."""

from __future__ import annotations

import re

from griffe import Alias, Attribute, Extension, Module, Object

_EXAMPLE = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)
_CORE = re.compile(r"_core\.\w+")


class PlygroundDocstrings(Extension):
    """Fences the examples, and shows the core's classes where they have their public names."""

    def on_object(self, *, obj: Object, **_: object) -> None:
        """Make code of each block that begins with `>>>`; in Markdown it would be a quotation."""
        if obj.docstring:
            obj.docstring.value = _EXAMPLE.sub(r"```pycon\n\g<0>\n```", obj.docstring.value)

    def on_module_members(self, *, mod: Module, **_: object) -> None:
        """Let `State = _core.QuoridorState` show the class, not an assignment."""
        for name, member in list(mod.members.items()):
            if isinstance(member, Attribute) and _CORE.fullmatch(str(member.value)):
                mod.set_member(name, Alias(name, f"plyground.{member.value}", parent=mod))
