"""Report text is data: wrap it so that nothing inside can pass for an instruction."""

import hashlib


def fenced(label: str, text: str) -> str:
    """`text` between two markers it cannot contain.

    The marker is a hash of the text, so it is the same on every run (answers can be cached), and a text that
    wants to close its own fence would have to contain its own hash.

    >>> print(fenced("report", "Clear lungs."))
    <<<report-9340540feb7e
    Clear lungs.
    report-9340540feb7e>>>
    """
    marker = f"{label}-{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"
    return f"<<<{marker}\n{text}\n{marker}>>>"
