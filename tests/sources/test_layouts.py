"""The layouts people have on disk, each with an invented sample."""

import json

import pytest

from overread.errors import BadInput
from overread.sources import Columns, load_source


def texts(source):
    return [(report.id, report.text) for report in source]


# ---- text files


def test_one_text_file(tmp_path):
    (tmp_path / "case7.txt").write_bytes(b"FINDINGS: Clear.\r\nIMPRESSION: Normal.\r\n")
    source = load_source(tmp_path / "case7.txt")
    assert texts(source) == [("case7", "FINDINGS: Clear.\r\nIMPRESSION: Normal.\r\n")]
    assert source.table.describe() == f"{tmp_path}/case7.txt (text file)"


def test_a_folder_of_text_files(tmp_path):
    (tmp_path / "inner").mkdir()
    for name, text in [("b.txt", "Two."), ("a.txt", "One."), ("inner/c.txt", "Three."), ("empty.txt", "")]:
        (tmp_path / name).write_text(text)
    (tmp_path / "notes.md").write_text("Not a report.")
    source = load_source(tmp_path)
    assert texts(source) == [("a", "One."), ("b", "Two."), ("empty", ""), ("inner/c", "Three.")]
    assert (source.table.layout, source.empty) == ("folder of text files", ("empty",))


# ---- MIMIC-CXR


@pytest.fixture
def tree(tmp_path):
    for patient, study, text in [
        ("p10000032", "s50000002", "FINDINGS: Later."),
        ("p10000032", "s50000001", "FINDINGS: First."),
        ("p11000099", "s50000003", "FINDINGS: Other."),
    ]:
        folder = tmp_path / "files" / patient[:3] / patient
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{study}.txt").write_text(text)
        (folder / "index.html").write_text("not a report")
    return tmp_path


@pytest.mark.parametrize("inner", ["", "files"])
def test_mimic_cxr_tree(tree, inner):
    source = load_source(tree / inner)
    assert source.table.layout == "MIMIC-CXR folder tree"
    assert [(r.patient, r.study, r.id, r.text) for r in source] == [
        ("10000032", "50000001", "50000001", "FINDINGS: First."),
        ("10000032", "50000002", "50000002", "FINDINGS: Later."),
        ("11000099", "50000003", "50000003", "FINDINGS: Other."),
    ]
    assert {r.day for r in source} == {None}


@pytest.mark.parametrize("inner", ["files/p10", "files/p10/p10000032"])
def test_a_branch_of_the_tree(tree, inner):
    assert [r.id for r in load_source(tree / inner)] == ["50000001", "50000002"]


def test_mimic_cxr_days_from_the_metadata_beside_the_tree(tree):
    (tree / "mimic-cxr-2.0.0-metadata.csv").write_text(
        "dicom_id,subject_id,study_id,StudyDate,StudyTime\n"
        "a,10000032,50000001,21800506,120000.5\n"
        "b,10000032,50000002,21800508,000000\n"
        "c,11000099,50000003,21900101,\n"
    )
    assert [(r.id, r.day) for r in load_source(tree)] == [
        ("50000001", 0.0),
        ("50000002", 1.5),
        ("50000003", 0.0),
    ]


def test_mimic_cxr_table_of_sections(tmp_path):
    path = tmp_path / "mimic_cxr_sectioned.csv"
    path.write_text("study,impression,findings,last_paragraph,comparison\ns50000001,Normal.,Clear.,,None.\n")
    source = load_source(path)
    assert source.table.layout == "MIMIC-CXR table of sections, CSV table"
    assert texts(source) == [("50000001", "COMPARISON: None.\n\nFINDINGS: Clear.\n\nIMPRESSION: Normal.")]


# ---- Open-i

CITATION = """<?xml version="1.0" encoding="utf-8"?>
<eCitation><uId id="CXR{n}"/><MedlineCitation><Article><Abstract>
<AbstractText Label="COMPARISON">None.</AbstractText>
<AbstractText Label="INDICATION">Cough &amp; fever</AbstractText>
<AbstractText Label="FINDINGS">{text}</AbstractText>
<AbstractText Label="IMPRESSION"/>
</Abstract></Article></MedlineCitation></eCitation>"""


def test_openi_xml_folder(tmp_path):
    for n, text in [(10, "Clear lungs."), (2, "Small effusion.")]:
        (tmp_path / f"{n}.xml").write_text(CITATION.format(n=n, text=text))
    source = load_source(tmp_path)
    assert source.table.layout == "Open-i XML folder"
    assert texts(source) == [
        ("CXR2", "INDICATION: Cough & fever\n\nCOMPARISON: None.\n\nFINDINGS: Small effusion."),
        ("CXR10", "INDICATION: Cough & fever\n\nCOMPARISON: None.\n\nFINDINGS: Clear lungs."),
    ]


def test_openi_xml_that_is_cut_off(tmp_path):
    (tmp_path / "1.xml").write_text("<eCitation>\n<uId id='CXR1'/>\n")
    with pytest.raises(BadInput, match=r"1\.xml, line 3: not well-formed XML"):
        list(load_source(tmp_path))


def test_openi_table(tmp_path):
    path = tmp_path / "indiana_reports.csv"
    path.write_text(
        "uid,MeSH,Problems,image,indication,comparison,findings,impression\n"
        "1,normal,normal,Chest two views,Cough,None.,Clear lungs.,Normal.\n"
        "2,normal,normal,Chest two views,Cough,,,\n"
    )
    source = load_source(path)
    assert source.table.layout == "Open-i table, CSV table"
    assert source.table.unused == ("MeSH", "Problems")
    assert texts(source) == [
        (
            "1",
            "EXAM: Chest two views\n\nINDICATION: Cough\n\nCOMPARISON: None.\n\n"
            "FINDINGS: Clear lungs.\n\nIMPRESSION: Normal.",
        ),
        ("2", "EXAM: Chest two views\n\nINDICATION: Cough"),
    ]


# ---- CheXpert Plus


def chexpert_plus(tmp_path, image):
    path = tmp_path / "df_chexpert_plus.csv"
    path.write_text(
        "path_to_image,deid_patient_id,patient_report_date_order,report,section_findings,section_impression\n"
        "train/patient1/study1/view1_frontal.jpg,patient1,1,NARRATIVE: Clear lungs.,Clear lungs.,Normal.\n"
        f"{image},patient1,1,NARRATIVE: Clear lungs.,Clear lungs.,Normal.\n"
        "train/patient1/study2/view1_frontal.jpg,patient1,2,NARRATIVE: Effusion.,Effusion.,As above.\n"
    )
    return path


def test_chexpert_plus_has_one_report_per_study(tmp_path):
    source = load_source(chexpert_plus(tmp_path, "train/patient1/study1/view2_lateral.jpg"))
    assert source.table.layout == "CheXpert Plus table, CSV table"
    assert [(r.id, r.patient, r.study, r.text) for r in source] == [
        ("patient1/study1", "patient1", "1", "NARRATIVE: Clear lungs."),
        ("patient1/study2", "patient1", "2", "NARRATIVE: Effusion."),
    ]
    assert list(source) == list(source)


def test_chexpert_plus_sections_on_request(tmp_path):
    path = chexpert_plus(tmp_path, "train/patient1/study1/view2_lateral.jpg")
    source = load_source(path, Columns(impression="section_impression", findings="section_findings"))
    assert [r.text for r in source][1] == "FINDINGS: Effusion.\n\nIMPRESSION: As above."


def test_chexpert_plus_with_a_path_of_another_shape(tmp_path):
    with pytest.raises(BadInput, match="line 3: path_to_image must name patient and study"):
        list(load_source(chexpert_plus(tmp_path, "view2.jpg")))


# ---- benchmarks


def test_rexval_references_and_candidates(tmp_path):
    path = tmp_path / "50_samples_gt_and_candidates.csv"
    path.write_text(
        "study_number,study_id,gt_report,radgraph,bertscore,s_emb,bleu\n"
        "0,50000001,Clear lungs.,No effusion.,Normal.,Clear.,Lungs clear.\n"
    )
    assert load_source(path).table.layout == "ReXVal table, CSV table"
    assert texts(load_source(path)) == [("0", "Clear lungs.")]
    assert texts(load_source(path, {"text": "bleu"})) == [("0", "Lungs clear.")]


def test_clear_bench(tmp_path):
    conditions = (
        "Enlarged Cardiomediastinum,Cardiomegaly,Lung Opacity,Lung Lesion,Edema,Consolidation,Pneumonia,"
        "Atelectasis,Pneumothorax,Pleural Effusion,Pleural Other,Fracture,Support Devices"
    )
    path = tmp_path / "clear.csv"
    path.write_text(f"study_id,report,{conditions}\n50000001,Clear lungs.,{','.join('0' * 13)}\n")
    assert load_source(path).table.layout == "CLEAR-Bench table, CSV table"
    assert texts(load_source(path)) == [("50000001", "Clear lungs.")]


def test_radsem_cases(tmp_path):
    path = tmp_path / "cases.jsonl"
    record = {
        "Name": "case_3",
        "Examined_Area": "KNEE",
        "Examined_Type": "MR",
        "rewritten_report": ["The left meniscus is torn.", "The right meniscus is intact."],
    }
    path.write_text(json.dumps(record) + "\n")
    assert load_source(path).table.layout == "RadSEM cases, JSONL table"
    assert texts(load_source(path)) == [
        ("case_3", "The left meniscus is torn.\nThe right meniscus is intact.")
    ]


def test_radsem_ladder(tmp_path):
    path = tmp_path / "ladder.jsonl"
    record = {"id": "s1", "type": "CT", "reference": "Mass.", **{f"L{n}": f"Level {n}." for n in range(1, 6)}}
    path.write_text(json.dumps(record) + "\n")
    assert load_source(path).table.layout == "RadSEM ladder, JSONL table"
    assert texts(load_source(path)) == [("s1", "Mass.")]
    assert texts(load_source(path, {"text": "L4"})) == [("s1", "Level 4.")]


LUNGUAGE = """subject_id,study_id,sequence,section,sent_idx,sent,ent_idx,ent,dx_status
p1,s1,1,hist,0,Cough.,0,cough,positive
p1,s1,1,find,1,Small effusion and edema.,0,effusion,positive
p1,s1,1,find,1,Small effusion and edema.,1,edema,positive
p1,s1,1,impr,2,Edema.,0,edema,positive
p1,s2,2,find,0,Clear lungs,0,lungs,negative
p1,s2,2,find,1,No effusion,0,effusion,negative
"""


def test_lunguage_rows_become_reports(tmp_path):
    path = tmp_path / "lunguage.csv"
    path.write_text(LUNGUAGE)
    source = load_source(path)
    assert source.table.layout == "LUNGUAGE table, CSV table"
    assert [(r.id, r.patient, r.study, r.text) for r in source] == [
        ("s1", "p1", "1", "INDICATION: Cough.\n\nFINDINGS: Small effusion and edema.\n\nIMPRESSION: Edema."),
        ("s2", "p1", "2", "FINDINGS: Clear lungs\nNo effusion"),
    ]
    second = list(source)[1]
    assert [s.span.of(second.text) for s in second.sections[0].sentences] == ["Clear lungs", "No effusion"]


def test_lunguage_rows_of_one_study_must_stand_together(tmp_path):
    path = tmp_path / "lunguage.csv"
    path.write_text(LUNGUAGE + "p1,s1,1,impr,3,No fracture.,0,fracture,negative\n")
    with pytest.raises(BadInput, match="rows of study 's1' are apart; sort by study_id"):
        list(load_source(path))


# ---- patients with their studies inside


def test_nested_studies(tmp_path):
    path = tmp_path / "patients.jsonl"
    studies = [{"study": 1, "day": 0, "text": "Clear."}, {"study": 2, "day": 9, "text": "Effusion."}]
    path.write_text(json.dumps({"patient": "p1", "studies": studies}) + "\n")
    source = load_source(path)
    assert source.table.layout == "patients with studies, JSONL table"
    assert [(r.id, r.patient, r.study, r.day, r.text) for r in source] == [
        ("p1-1", "p1", "1", 0.0, "Clear."),
        ("p1-2", "p1", "2", 9.0, "Effusion."),
    ]


def test_nested_studies_that_are_no_list(tmp_path):
    path = tmp_path / "patients.jsonl"
    path.write_text('{"patient": "p1", "studies": 3}\n')
    with pytest.raises(BadInput, match="line 1: studies must be a list of objects"):
        load_source(path)
