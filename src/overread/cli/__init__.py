"""The command line."""


def start() -> None:
    """The command as it is installed. It is imported only here: worker processes import what started them once more."""
    from overread.cli.main import main

    main()
