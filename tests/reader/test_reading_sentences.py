"""Invented sentences and what they say: entity, status (+ or -), `?` when hedged, then attributes."""

import pytest

from overread.reader import Finding, read
from overread.report import from_sections, parse

NEGATION = {
    "No pleural effusion.": ["pleural effusion -"],
    "No effusion, pneumothorax or consolidation.": ["effusion -", "pneumothorax -", "consolidation -"],
    "Negative for fracture or dislocation.": ["fracture -", "dislocation -"],
    "Lungs are free of airspace disease.": ["airspace disease - location=Lungs"],
    "A pneumothorax is not seen.": ["pneumothorax -"],
    "Pneumonia has been ruled out.": ["Pneumonia -"],
    "No effusion but mild cardiomegaly.": ["effusion -", "cardiomegaly + severity=mild"],
    "No pneumothorax, stable cardiomegaly.": ["pneumothorax -", "cardiomegaly + no_change=stable"],
    "No pneumothorax; small left effusion.": ["pneumothorax -", "effusion + location=left severity=small"],
    "Without evidence of edema.": ["edema -"],
    "No pneumothorax after chest tube removal.": ["pneumothorax -", "chest tube + placement=removal"],
    "Lungs are clear, and without focal infiltrate.": [
        "Lungs - morphology=clear",
        "infiltrate - distribution=focal",
    ],
    "There is no opacity to suggest pneumonia.": ["opacity -", "pneumonia -"],
    "No significant interval change in the right effusion.": [
        "effusion + location=right no_change=No significant interval change"
    ],
    "No definite pneumothorax.": ["pneumothorax -?"],
    "Pneumonia is unlikely.": ["Pneumonia -?"],
    "The patient denies chest pain.": ["chest pain -"],
}
NORMAL = {
    "The lungs are clear.": ["lungs - morphology=clear"],
    "Heart size normal.": ["Heart size - measurement=normal"],
    "The heart is top normal in size.": ["heart - measurement=top normal in size"],
    "Heart size is borderline enlarged.": ["Heart size + measurement=borderline enlarged"],
    "The trachea is midline.": ["trachea - morphology=midline"],
    "Bony structures are intact.": ["Bony structures - morphology=intact"],
    "The heart is enlarged.": ["heart + measurement=enlarged"],
    "Low lung volumes.": ["lung volumes + measurement=Low"],
    "Cardiac and mediastinal contours are unremarkable.": [
        "Cardiac and mediastinal contours - measurement=unremarkable",
    ],
    "Hyperexpanded but clear lungs.": ["lungs + morphology=Hyperexpanded,clear"],
    "The spleen is unremarkable.": ["spleen - measurement=unremarkable"],
}
CERTAINTY = {
    "Possible right lower lobe pneumonia.": ["pneumonia +? location=right lower lobe"],
    "Opacity at the left base, possibly atelectasis.": [
        "Opacity + location=left base",
        "atelectasis +? location=left base",
    ],
    "Atelectasis versus scarring.": ["Atelectasis +?", "scarring +?"],
    "A small effusion cannot be excluded.": ["effusion +? severity=small"],
    "Findings are concerning for pneumonia.": ["pneumonia +?"],
    "Opacities consistent with edema.": ["Opacities +", "edema +"],
    "Probable mild edema.": ["edema +? severity=mild"],
}
PLACES = {
    "Patchy opacity in the right upper lobe.": ["opacity + location=right upper lobe morphology=Patchy"],
    "Small right and moderate left pleural effusions.": [
        "pleural effusions + location=right severity=Small",
        "pleural effusions + location=left severity=moderate",
    ],
    "Effusions are present, large on the left and trace on the right.": [
        "Effusions + location=left severity=large",
        "Effusions + location=right severity=trace",
    ],
    "Blunting of the lateral and posterior costophrenic angles.": [
        "Blunting + location=lateral and posterior costophrenic angles"
    ],
    "Surgical clips project below the left hemidiaphragm.": [
        "Surgical clips + location=below the left hemidiaphragm"
    ],
    "In the left lower lobe there is a 12 mm nodule.": [
        "nodule + location=left lower lobe measurement=12 mm"
    ],
    "Right shoulder: No fracture.": ["fracture - location=Right shoulder"],
    "Left basilar atelectasis or scar.": [
        "atelectasis +? location=Left basilar",
        "scar +? location=Left basilar",
    ],
    "Bilateral effusions, right greater than left.": [
        "effusions + comparison=right greater than left location=Bilateral"
    ],
}
CHANGE = {
    "The left effusion has decreased.": ["effusion + improved=decreased location=left"],
    "Interval increase in the left effusion.": ["effusion + location=left worsened=Interval increase"],
    "Unchanged cardiomegaly.": ["cardiomegaly + no_change=Unchanged"],
    "Previously seen left effusion has resolved.": ["effusion + improved=resolved location=left"],
    "Increased lung markings.": ["lung markings + measurement=Increased"],
    "Large hernia, increased from the prior exam.": ["hernia + severity=Large worsened=increased"],
    "Chronic granulomatous disease.": ["granulomatous disease + onset=Chronic"],
    "New right basilar consolidation.": ["consolidation + location=right basilar onset=New"],
}
DEVICES = {
    "Endotracheal tube terminates 4 cm above the carina.": [
        "Endotracheal tube + placement=terminates 4 cm above the carina"
    ],
    "The right PICC has been removed.": ["PICC + location=right placement=removed"],
    "Interval removal of the chest tube and the feeding tube.": [
        "chest tube + placement=removal",
        "feeding tube + placement=removal",
    ],
    "Status post median sternotomy.": ["median sternotomy + past_hx=Status post"],
}
OTHER = {
    "Recommend chest CT for further evaluation.": [],
    "Findings were discussed with the referring physician.": [],
    "PA and lateral views of the chest were obtained.": [],
    "If there is concern for pneumonia, consider follow-up radiographs.": [],
    "The liver demonstrates a sporkoma.": ["sporkoma + location=liver"],
    "No grummet or sporkoma in the left kidney.": [
        "grummet - location=left kidney",
        "sporkoma - location=left kidney",
    ],
    "There is a pnuemothorax.": ["pnuemothorax +"],
    "Mild pulmonary oedema.": ["pulmonary oedema + severity=Mild"],
    "Small PTX on the right.": ["PTX + location=right severity=Small"],
    "NO FOCAL CONSOLIDATION.": ["CONSOLIDATION - distribution=FOCAL"],
}
CLAUSES = {
    "Heart size normal and lungs are clear.": ["Heart size - measurement=normal", "lungs - morphology=clear"],
    "Normal heart size mediastinal contours.": [
        "heart size - measurement=Normal",
        "mediastinal contours - measurement=Normal",
    ],
    "Low lung volumes mild basilar atelectasis.": [
        "lung volumes + measurement=Low",
        "atelectasis + location=basilar severity=mild",
    ],
    "Views of the chest reveal normal caliber of the pulmonary vasculature.": [
        "pulmonary vasculature - measurement=normal caliber"
    ],
    "No left effusion and no pneumothorax.": ["effusion - location=left", "pneumothorax -"],
    "No mass, effusion or definite consolidation.": ["mass -", "effusion -", "consolidation -?"],
    "Right base opacity, not seen on the lateral view.": [
        "opacity + assessment_limitations=not seen on the lateral view location=Right base"
    ],
    "The left lung shows a tiny amount of fluid.": ["fluid + location=left lung severity=tiny"],
    "Streaky left apical and right basal opacity.": [
        "opacity + location=left apical,right basal morphology=Streaky"
    ],
    "Tiny right and large left effusions.": [
        "effusions + location=right severity=Tiny",
        "effusions + location=left severity=large",
    ],
    "Tiny right effusion and XXXX scarring.": ["effusion + location=right severity=Tiny", "scarring +"],
    "Increased lordosis of the lumbar spine, similar to the prior exam.": [
        "lordosis + location=lumbar spine measurement=Increased no_change=similar to the prior exam"
    ],
    "No typical findings of pneumonia.": ["pneumonia -?"],
    "Soft tissue density at the left apex.": ["Soft tissue density + location=left apex"],
    "A nodule was not present on the prior study.": ["nodule + onset=not present on the prior study"],
    "Stable cardiomegaly and mild scoliosis.": [
        "cardiomegaly + no_change=Stable",
        "scoliosis + no_change=Stable severity=mild",
    ],
    "Opacity with atelectasis, unchanged.": [
        "Opacity + no_change=unchanged",
        "atelectasis + no_change=unchanged",
    ],
    "Consolidation concerning for pneumonia, given the history of asthma.": [
        "Consolidation +",
        "pneumonia +?",
        "asthma + past_hx=history of",
    ],
    "No acute bony or soft tissue abnormality.": [
        "abnormality - location=bony,soft tissue onset=acute",
    ],
    "Emphysematous and fibrotic changes.": ["Emphysematous changes +", "fibrotic changes +"],
    "Fractures of the left fourth, fifth and sixth ribs.": [
        "Fractures + location=left fourth, fifth and sixth ribs"
    ],
    "The nasogastric tube is coiled in the esophagus.": [
        "nasogastric tube + placement=coiled in the esophagus"
    ],
    "A new right subclavian line with its tip in the mid SVC.": [
        "subclavian line + location=right onset=new placement=tip in the mid SVC"
    ],
    "Pulmonary vascular engorgement is within normal limits.": [
        "Pulmonary vascular engorgement - measurement=within normal limits"
    ],
    "Chest and back pain.": ["Chest pain +", "back pain +"],
    "No known ____, history of asthma.": ["asthma + past_hx=history of"],
    "Mild enlargement of the cardiac silhouette.": [
        "enlargement + location=cardiac silhouette severity=Mild"
    ],
}
ALL = CLAUSES | NEGATION | NORMAL | CERTAINTY | PLACES | CHANGE | DEVICES | OTHER


def line(finding: Finding) -> str:
    by: dict[str, list[str]] = {}
    for a in finding.attributes:
        by.setdefault(a.relation, []).append(a.text)
    status = "+" if finding.status == "positive" else "-"
    hedge = "" if finding.certainty == "definitive" else "?"
    parts = [f"{relation}={','.join(sorted(by[relation]))}" for relation in sorted(by)]
    return " ".join([finding.entity, status + hedge, *parts])


@pytest.mark.parametrize("sentence", ALL)
def test_sentence_is_read_as_a_radiologist_would(sentence):
    reading = read(from_sections({"findings": sentence}))
    assert sorted(map(line, reading.findings)) == sorted(ALL[sentence])


def test_indication_is_history_and_questions_stay_open():
    reading = read(
        parse("INDICATION: Chest pain, history of diabetes. Rule out pneumonia.\nFINDINGS: Clear lungs.")
    )
    told = {f.entity: (f.category, f.certainty) for f in reading.findings if f.section == "indication"}
    assert told == {
        "Chest pain": ("PATIENT INFO", "definitive"),
        "diabetes": ("PATIENT INFO", "definitive"),
        "pneumonia": ("PATIENT INFO", "tentative"),
    }


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("No acute cardiopulmonary abnormality.", "CF"),
        ("No acute findings.", "CF"),
        ("No acute intrathoracic abnormality.", "CF"),
        ("No acute bony abnormality.", "PF"),
        ("Abnormality of the left rib.", "PF"),
    ],
)
def test_a_judgement_on_the_whole_chest_is_inferred(text, category):
    (found,) = read(from_sections({"findings": text})).findings
    assert found.category == category


def test_a_diagnosis_points_at_what_supports_it():
    reading = read(
        parse("FINDINGS: Hyperinflated lungs with flattening of the diaphragms, compatible with emphysema.")
    )
    by = {f.entity: f for f in reading.findings}
    assert by["emphysema"].evidence == (by["lungs"].id, by["flattening"].id)
    assert set(by["emphysema"].evidence) <= set(by["emphysema"].associate)
    assert by["emphysema"].id in by["lungs"].associate


@pytest.mark.parametrize(
    "text",
    [
        "Left basilar opacity, possible pneumonia.",
        "Left basilar opacity, pneumonia versus scarring.",
        "Left basilar opacity is stable, likely pneumonia.",
        "Left basilar opacity. The appearance is concerning for pneumonia.",
        "Left basilar opacity. May represent pneumonia.",
    ],
)
def test_an_explanation_is_supported_by_what_it_explains(text):
    by = {f.entity: f for f in read(from_sections({"findings": text})).findings}
    assert by["pneumonia"].certainty == "tentative"
    assert by["opacity"].certainty == "definitive"
    assert by["opacity"].id in by["pneumonia"].evidence


def test_a_question_of_the_indication_has_no_evidence():
    for finding in read(from_sections({"indication": "Chest pain, rule out pneumonia."})).findings:
        assert finding.evidence == ()


def test_a_diagnosis_of_the_impression_points_back_at_its_signs():
    reading = read(parse("FINDINGS: Hyperinflated lungs. No effusion.\nIMPRESSION: Emphysema."))
    lungs, _, emphysema = reading.findings
    assert emphysema.evidence == (lungs.id,)


def test_the_next_sentence_can_explain_the_last():
    reading = read(parse("FINDINGS: Streaky opacities at the right base. This may represent atelectasis."))
    opacity, atelectasis = reading.findings
    assert atelectasis.evidence == (opacity.id,)
    assert atelectasis.certainty == "tentative"


def test_a_bare_change_is_of_the_whole_examination():
    reading = read(parse("IMPRESSION: Small right pleural effusion. No change."))
    assert not reading.findings[0].values("no_change")
    assert [a.text for a in reading.sentences[1].changes] == ["No change"]


def test_coordinated_places_are_kept_apart_with_their_sides():
    (finding,) = read(parse("FINDINGS: Opacities in the left upper and lower lobes.")).findings
    (where,) = finding.values("location")
    assert [(p.concept, p.side) for p in where.places] == [("upper-lobe", "left"), ("lower-lobe", "left")]


def test_head_and_modifier_make_a_finer_concept():
    concepts = {
        "Nodular opacity in the right lung.": "nodule",
        "Thickening of the pleura.": "pleural-thickening",
        "Calcification of the aorta.": "vascular-calcification",
        "Small effusion of the left knee.": "joint-effusion",
    }
    for text, concept in concepts.items():
        assert read(parse(f"FINDINGS: {text}")).findings[0].concept == concept


def test_every_decision_names_its_row_or_rule():
    reading = read(parse("FINDINGS: No new focal consolidation; small left effusion has decreased."))
    first, second = reading.findings
    assert [e.note for e in first.trace] == ["", "denied"]
    assert all(e.rule for f in reading.findings for e in f.trace)
    assert all(a.rule for f in reading.findings for a in f.attributes)
    assert second.status == "positive"
