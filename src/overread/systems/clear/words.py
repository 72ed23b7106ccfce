"""Words and concepts of this system by what they do; why stands above each."""

from overread.systems.tables import sets

# fmt: off
WORDS = sets({
    # ---- described
    "alternatives": "opacity airspace-opacity infiltrate consolidation atelectasis pneumonia edema scar fibrosis",
    "joints": "or versus vs vs. and/or /",
    "more": ["increased", "mildly increased", "slightly increased", "minimally increased", "decreased"],
    # In a report that compares nothing, more of these is more than usual: `increased interstitial opacities`.
    "shadows": "opacity opacities marking markings density densities",
    # How much of these there is says nothing of the disease: `slight irregularity, possibly a fracture`.
    "shapes": "irregularity irregularities unevenness",
    # Words that put a finding where the one before it is: `left effusion with underlying atelectasis`.
    "near": "underlying overlying adjacent associated accompanying superimposed",
    "lobes": "upper-lobe middle-lobe lower-lobe lingula",
    # `Some opacities` counts them, `prominent markings` sees them; neither grades them.
    "ungraded": "some prominent",
    # `Again seen`, `persistent` say that it is still there; beside a real change word they say no more.
    "still_there": "persistent again",
    # Words that date a finding before this study.
    "old": "old remote healed-fracture residual-old",
    # Of a disease that is only suspected these name a stage (`may be an evolving infiltrate`), not a course.
    "stages": "evolving developing progressive resolving",
    # Before the noun these compare within the picture: `a more focal opacity at the left base`.
    "relative": ["more focal", "more dense", "more diffuse", "less dense", "denser"],

    # ---- explained
    "sides": "left right",
    # What makes a round or nodular opacity no lesion, once it is said to be, or probably to be, that.
    "no_lesion": "atelectasis pneumonia infiltrate consolidation edema scar fibrosis pleural-effusion fluid",
    "rounded": "nodular round",

    # ---- places
    # Conditions whose size is a descriptor of the place (CLEAR paper, Table 9).
    "sized": ["Pleural Effusion", "Pneumothorax", "Edema"],
    # A large heart is where the heart is: a phrase would only repeat the condition.
    "placeless": "Cardiomegaly",
    # Parts of the body a device is in, rather than ends in.
    "surface": "hemithorax thorax neck axilla pleura",
    "prepositions": """
        overlying over along under below above behind near adjacent beneath between projecting throughout in
        at within underlying involving
    """,
    # Inside a place these begin a second one, which only points.
    "pointing_places": "overlying underlying projecting partially adjacent",
    # Placements that say where a device ends; one that names a part of the body does so too.
    "tip": "position tip-position terminates overlies kinked",
    # Looks that tell no place from another; those that date a finding have a column of their own.
    "no_descriptor": "healed-fracture healed healing intact ill-defined",
    # Numbers that count nothing.
    "uncounted": "few several",
    # Devices that run from one place to another: a part of the body named behind them is where they end.
    "ending": "central-line catheter endotracheal-tube tracheostomy-tube enteric-tube chest-tube tube iabp lead",
    "articles": "the a an",

    # ---- presence
    # Conditions that pass: one that belongs to the history and is not said to go on is over.
    "transient": [
        "Edema", "Pneumonia", "Pneumothorax", "Pleural Effusion", "Consolidation", "Atelectasis",
        "Lung Opacity",
    ],
    "past_history": "history prior sequela",
    "long_ago": "old remote",
    "fragments": "displaced nondisplaced noncalcified",


    # ---- statements
    # Where the lung is seen: itself, its lining, and parts of the chest named from outside.
    "lung": "lung pleura hemithorax retrocardiac retrosternal-space thoracic-apex supradiaphragmatic",
    # What lies before or behind the lung on the film: `nodule over the seventh rib` is in the lung.
    "landmarks": "rib bony-thorax thoracic-spine vertebra heart diaphragm",
})
