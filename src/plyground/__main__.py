"""`python -m plyground` is the `plyground` command."""

from plyground.cli.main import main

raise SystemExit(main())
