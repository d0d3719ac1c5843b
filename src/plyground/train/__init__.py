"""Learning from self-play. Start with `loop.py`; every setting is in `config.py`."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plyground.train.callbacks import Callback, TensorBoard
    from plyground.train.config import TrainConfig
    from plyground.train.loop import Training, train
    from plyground.train.losses import Loss, Targets, standard_loss

__all__ = [
    "Callback",
    "Loss",
    "Targets",
    "TensorBoard",
    "TrainConfig",
    "Training",
    "standard_loss",
    "train",
]

if not TYPE_CHECKING:  # type checkers use the imports above
    from plyground.lazy import lazy_names

    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "callbacks": ["Callback", "TensorBoard"],
            "config": ["TrainConfig"],
            "loop": ["Training", "train"],
            "losses": ["Loss", "Targets", "standard_loss"],
        },
    )
