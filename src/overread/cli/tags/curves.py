"""`overread tags curves`: what one more finding does to the score, drawn."""

from pathlib import Path
from typing import Annotated

from overread.cli.terminal.options import option


def curves(
    output: Annotated[Path, option("SVG to write.", "-o", "--output")],
) -> None:
    """Draw the paper's Figure 2: the abnormal F1 when one more finding is matched fully, partially or not at
    all.

    overread tags curves -o figure-2.svg
    """
    from overread.cli.terminal.output import save
    from overread.validation.radsem_curves import picture

    save(output, picture())
