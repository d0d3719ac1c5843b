"""Write a trained network to a file for the agent `zero`.

FILE.npz has the weights for the core, which plays fastest with them. FILE.onnx is for onnxruntime
and other programs. An ONNX file is quantised to 8 bits by default, with scales from positions of
games that the network first plays against itself; --float16 keeps the weights as they were saved,
--float32 widens them.

Example: plyground export runs/tiny --out tiny.npz
"""

from __future__ import annotations

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

from plyground.cli.options import whole_number
from plyground.errors import ConfigError
from plyground.extras import needs_extra


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    parser.add_argument("checkpoint", type=Path, help="checkpoint, snapshot or folder of a run")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="file to write")
    floats = parser.add_mutually_exclusive_group()
    floats.add_argument("--float16", action="store_true", help="float16 weights, not quantised")
    floats.add_argument("--float32", action="store_true", help="float32 weights, not quantised")
    parser.add_argument(
        "--positions",
        type=whole_number(32, 100_000),
        default=1024,
        metavar="N",
        help="number of positions that set the scales (default: 1024)",
    )


def run(args: argparse.Namespace) -> int:
    """Export the network and print the size of the file."""
    with needs_extra("exporting needs torch and onnx"):
        from plyground.nets.export import NATIVE_SUFFIX, check_suffix, export_onnx, export_weights
        from plyground.train.checkpoint import playing_weights

    check_suffix(args.out)
    weights, config = playing_weights(args.checkpoint)
    if args.out.suffix == NATIVE_SUFFIX:
        if args.float16 or args.float32:
            raise ConfigError(f"--float16 and --float32 are for ONNX files, got {args.out}")
        export_weights(weights, args.out, config.encoding)
    elif args.float16 or args.float32:
        export_onnx(weights, args.out, config.encoding, half=args.float16)
    else:
        from plyground.nets.quantize import quantize_onnx
        from plyground.train.selfplay import play_positions

        with TemporaryDirectory() as folder:
            exact = Path(folder, "float32.onnx")
            export_onnx(weights, exact, config.encoding, half=False)
            positions = play_positions(config, weights, args.positions)
            quantize_onnx(exact, args.out, positions, config.encoding)
    print(f"{args.out}: {args.out.stat().st_size / 1e6:.1f} MB")
    return 0
