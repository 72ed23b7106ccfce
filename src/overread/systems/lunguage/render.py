"""The findings of one report, and of a patient through time, for the terminal."""

from rich.table import Table

from overread.systems.lunguage.schema import StructuredReport, Timeline


def render(view: StructuredReport) -> Table:
    """One row per finding."""
    found = Table(
        title=f"{view.id or 'report'}: {len(view.findings)} findings", title_justify="left", expand=False
    )
    for name in ("id", "section", "entity", "category", "status", "certainty", "attributes", "links"):
        found.add_column(name, overflow="fold")
    for f in view.findings:
        attributes = "; ".join(f"{k}: {', '.join(v)}" for k, v in f.attributes.items())
        links = " ".join(
            [*(f"≈{i}" for i in f.associate if i not in f.evidence), *(f"←{i}" for i in f.evidence)]
        )
        colour = "red" if f.status == "positive" else "green"
        found.add_row(
            f.id, f.section, f.entity, f.category, f"[{colour}]{f.status}[/]", f.certainty, attributes, links
        )
    return found


STATUS_SIGNS = {"definitive": "+", "tentative": "?", "negative": "−"}


def patient_table(timeline: Timeline) -> Table:
    """A patient as groups in rows and studies in columns: + present, − absent, ? tentative, episode behind."""
    shown = Table(title=f"{timeline.patient}: {len(timeline.groups)} groups", title_justify="left")
    shown.add_column("group", overflow="fold")
    for study in timeline.studies:
        shown.add_column(f"{study.study}\nday {study.day:g}")
    for group in timeline.groups:
        cells = []
        for study in timeline.studies:
            said = [
                o for o in timeline.observations if (o.entity_group, o.study) == (group.name, study.study)
            ]
            marks = (
                f"{STATUS_SIGNS[o.certainty if o.status == 'positive' else o.status]}{o.temporal_group}"
                for o in said
            )
            cells.append(" ".join(dict.fromkeys(marks)))
        shown.add_row(group.name, *cells)
    return shown
