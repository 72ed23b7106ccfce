"""`python -m overread`: the command, where no script of that name is on the path."""

from overread.cli import start

if __name__ == "__main__":
    start()
