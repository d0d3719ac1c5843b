"""Networks: what they see, what they compute, how they are exported and evaluated.

`load("builtin")` returns a network for any program: `policy, value = net(state)`.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plyground.nets.encoding import Encoding
    from plyground.nets.evaluator import NativeEvaluator, OnnxEvaluator, load_evaluator
    from plyground.nets.export import export_network
    from plyground.nets.network import NetOutputs, Network, PathNet
    from plyground.nets.policy_value import (
        Evaluation,
        NetFeatures,
        PolicyValueNet,
        load,
        load_torch,
    )
    from plyground.nets.quoridor_net import QuoridorNet

__all__ = [
    "Encoding",
    "Evaluation",
    "NativeEvaluator",
    "NetFeatures",
    "NetOutputs",
    "Network",
    "OnnxEvaluator",
    "PathNet",
    "PolicyValueNet",
    "QuoridorNet",
    "export_network",
    "load",
    "load_evaluator",
    "load_torch",
]

if not TYPE_CHECKING:  # type checkers use the imports above
    from plyground.lazy import lazy_names

    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "encoding": ["Encoding"],
            "evaluator": ["NativeEvaluator", "OnnxEvaluator", "load_evaluator"],
            "export": ["export_network"],
            "network": ["NetOutputs", "Network", "PathNet"],
            "policy_value": ["Evaluation", "NetFeatures", "PolicyValueNet", "load", "load_torch"],
            "quoridor_net": ["QuoridorNet"],
        },
    )
