"""The released annotation table as gold, as views and as timelines; every row is invented."""

import pytest

from overread.errors import BadInput
from overread.systems.lunguage.annotations import is_table, load_annotations
from overread.validation.annotated import load_gold
from overread.validation.lunguage.structuring import agreement

TABLE = """\
subject_id,study_id,sequence,section,sent_idx,sent,ent_idx,ent,cat,dx_status,dx_certainty,location,severity,Past Hx,\
no change,associate,evidence,entity_group,temporal_group
p1,s1,1,hist,0,Prior lobectomy.,0,lobectomy,PATIENT INFO,positive,definitive,,,Prior,,,,lobectomy,1
p1,s1,1,find,1,"Small left effusion and opacity, likely pneumonia.",1,effusion,PF,Positive,Definitive,left,Small,,,,,\
effusion left,1
p1,s1,1,find,1,"Small left effusion and opacity, likely pneumonia.",2,opacity,PF,Positive,Definitive,left,,,,3,,\
opacity,1
p1,s1,1,find,1,"Small left effusion and opacity, likely pneumonia.",3,pneumonia,CF,Positive,Tentative,,,,,,2,pneumonia,1
p1,s2,2,find,0,Left effusion unchanged.,1,effusion,PF,Positive,Definitive,Left,,,unchanged,,,effusion left,1
"""


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "annotations.csv"
    file.write_text(TABLE)
    return file


def test_rows_become_findings_with_their_places(path):
    assert is_table(path)
    found = load_annotations(path)
    first = found.views["s1"]
    assert [f.entity for f in first.findings] == ["lobectomy", "effusion", "opacity", "pneumonia"]
    effusion, opacity, pneumonia = first.findings[1:]
    text = found.reports["s1"].text
    assert [span.of(text) for span in effusion.spans["location"]] == ["left"]
    assert effusion.attributes == {"location": ["left"], "severity": ["Small"]}
    assert first.findings[0].attributes == {"past_hx": ["Prior"]}
    assert pneumonia.certainty == "tentative"
    assert pneumonia.evidence == [opacity.id]
    assert opacity.associate == [pneumonia.id]
    assert pneumonia.associate == [opacity.id]


def test_groups_become_a_timeline(path):
    timeline = load_annotations(path).timelines["p1"]
    assert [s.study for s in timeline.studies] == ["1", "2"]
    group = next(g for g in timeline.groups if g.name == "effusion left")
    assert group.observations == 2


def test_it_is_gold_for_structuring(path):
    gold = load_gold(path)
    again = agreement(
        {id: (one, one) for id, one in gold.reports.items()},
        {id: (one, one) for id, one in gold.patients.items()},
    )
    assert again.triplets.f1 == 1
    assert again.exact_triplets.f1 == 1
    assert again.entity_groups.f1 == 1
    assert gold.reports["s1"].text.startswith("INDICATION: Prior lobectomy.")


def test_a_strange_category_is_an_error_with_its_line(path):
    path.write_text(TABLE.replace(",CF,", ",XX,"))
    with pytest.raises(BadInput, match=r"line 5: a category is one of PF"):
        load_annotations(path)
