"""A key that does not show itself."""


class Secret:
    """Holds a key; printing, logging or formatting it shows `<hidden>`, and no encoder accepts it.

    >>> key = Secret("sk-123")
    >>> print(key, [key])
    <hidden> [<hidden>]
    >>> key.reveal()
    'sk-123'
    """

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The key itself; only the code that builds the request header calls this."""
        return self._value

    def __repr__(self) -> str:
        return "<hidden>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._value == self._value

    def __hash__(self) -> int:
        return hash((Secret, self._value))
