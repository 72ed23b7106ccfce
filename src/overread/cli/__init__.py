"""The command line."""

import sys


def start() -> None:
    """The command as it is installed. It is imported only here: worker processes import what started them once more."""
    from overread.cli.terminal.ahead import begin_ahead

    begin_ahead(sys.argv[1:])
    from overread.cli.main import main

    main()
