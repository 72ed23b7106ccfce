"""`overread validate`: is a metric right? One question each."""

import typer

from overread.cli.validate.clear import validate_clear
from overread.cli.validate.clear_attributes import validate_clear_attributes
from overread.cli.validate.encoders import validate_encoders
from overread.cli.validate.experts import validate_experts
from overread.cli.validate.gaming import validate_gaming
from overread.cli.validate.injected import validate_injected
from overread.cli.validate.laws import validate_laws
from overread.cli.validate.longitudinal import validate_longitudinal
from overread.cli.validate.organs import validate_organs
from overread.cli.validate.progression import validate_progression
from overread.cli.validate.ranks import validate_ranks
from overread.cli.validate.readers import validate_readers
from overread.cli.validate.rewrites import validate_rewrites
from overread.cli.validate.search import validate_search
from overread.cli.validate.sentences import validate_sentences
from overread.cli.validate.srr import validate_srr
from overread.cli.validate.ssree import validate_ssree
from overread.cli.validate.structuring import validate_structuring
from overread.cli.validate.template import validate_template
from overread.cli.validate.trend_flips import validate_trend_flips

app = typer.Typer(
    name="validate",
    help="Evaluate readings and metrics against people, papers and stress tests.\n\n"
    "overread validate injected references.jsonl --metric overread,rouge-l\n"
    "overread validate gaming references.jsonl --metric overread,rouge-l",
    no_args_is_help=True,
)
app.command("structuring")(validate_structuring)
app.command("clear")(validate_clear)
app.command("clear-attributes")(validate_clear_attributes)
app.command("sentences")(validate_sentences)
app.command("template")(validate_template)
app.command("longitudinal")(validate_longitudinal)
app.command("ssree")(validate_ssree)
app.command("rewrites")(validate_rewrites)
app.command("trend-flips")(validate_trend_flips)
app.command("experts")(validate_experts)
app.command("injected")(validate_injected)
app.command("gaming")(validate_gaming)
app.command("laws")(validate_laws)
app.command("progression")(validate_progression)
app.command("srr")(validate_srr)
app.command("organs")(validate_organs)
app.command("ranks")(validate_ranks)
app.command("encoders")(validate_encoders)
app.command("readers")(validate_readers)
app.command("search")(validate_search)
