"""Words and concepts of this system by what they do; why stands above each."""

from overread.systems.tables import sets

# fmt: off
WORDS = sets({
    # ---- joining
    # Words between two findings that place one by the other, or derive it from it.
    "attaching": """
        over overlying along adjacent near secondary due related causing involving obscuring projecting
        projected draped beneath behind around surrounding resulting producing
    """,

    # ---- marking
    # Relations that speak of another study.
    "change": "improved worsened no_change other_source",
    # Words that carry the sentence, not the finding.
    "filler": """
        is are was were been being has have had there there's seen noted identified demonstrated visualized
        observed appreciated evident again also however additionally specifically present appears appear
        appearing remains remain this these which evidence addition
    """,
    "seen": "seen noted identified visualized demonstrated observed again",
    "copulas": "is are was were appears appear remains remain has have",
    # Words that only graded a change: `or significant interval change`.
    "grades": "significant substantial definite appreciable obvious large gross any",
    "leads": "on in from at of the a an containing",
    # Words that, after a change, begin what it is compared with.
    "than": "from since than compared as with to",
    # Words for how a device was put in that also tell what kind it is.
    "lasting": "implanted tunneled",
    # Words that join a finding to one named before it.
    "linking": """
        with without and or but a an the containing including plus apart aside except excepting for from
        save
    """,

    # ---- mending
    "prepositions": "of with from to in at on by for within over along near",
    "articles": "the a an",
    "datings": "remote old prior previous chronic acute healed",
    # `Left costophrenic XXXX`: an angle.
    "angled": "costophrenic cardiophrenic",
    # `Accentuated at XXXX partially by`: the blank belongs to `at`.
    "partly": "partially partly mostly",
    "sides": "left right both bilateral",
    # `Superior segment XXXX the left lower lobe` lost a preposition, not a noun.
    "parts": "segment portion aspect part",
    "placing": "in at on within over along",
    "leading": "on in the this a an current today's single",
    "films": "study exam examination radiograph film image",
    "beams": "frontal lateral pa ap oblique lordotic",
    "views": "view views projection projections film films radiograph radiographs image images",
    "had": "a an its",
    "may": "may might could can would should",

    # ---- statements
    # Kinds of findings that are not seen on the image.
    "silent": "symptom history",
    # A sentence that begins so goes on about what was said before.
    "pointing": "this these it they which",
    # What throws a shadow over the lung: the shadow is still told with the lung.
    "overlap": "nipple-shadow",

    # ---- trimming
    "joints": "and or and/or nor , ;",
    # Kinds that no text without a digit holds.
    "numbered": "date time number",

    # ---- wording
    # Where the adjectives of a structure end, and something else is told.
    "ending": "with , consistent compatible suggesting suggestive",
    # Words that begin a noun phrase, so that no adjective stands before them.
    "counting": "both each all most some remainder rest remaining",
    "shows": "show shows reveal reveals demonstrate demonstrates have has",
    # Predicates that read better behind their subject.
    "staying": "clear limits within normally throughout bilaterally not",

    # ---- tables
    # Parts of the body in which nothing of the chest is seen.
    "regions": "head neck abdomen pelvis limb",
    # Names that parts of the chest have too: `sulci` are those of the brain, or the costophrenic ones.
    "shared": "sulcus",
    # Where lines and tubes pass through: only words that lead there tell that one ends there.
    "passed": ["jugular", "subclavian", "axillary", "gastroesophageal junction", "ge junction"],
    # Words, not concepts, that a row may ask for: `chest XXXX with its tip in the SVC`, `pleural-parenchymal`.
    "asked_for": """
        tip drain drains chest pleural kerley pulmonary surgical pacing pacemaker pacer icd defibrillator
        shock abdominal ventricular biliary umbilical inguinal ventral incisional mainstem bronchus carina
        esophagus oesophagus
    """,

    # ---- joined with others
    "stops": "and or but nor is are was were appear appears remain remains has have which that bilaterally",
    "taken": """
        technique technical factors supine portable semi-erect upright inspiration positioning position rotation
        appearance
    """,
    "modal": "may might could can would should to not",
    "edges": """
        the a an but with without of in at on by to from as for which that than since is are its secondary due related
        compatible consistent any be reveals reveal demonstrates demonstrate shows show represent represents
        reflects reflect representing reflecting suggesting definitely : . -
    """,
    "openings": "the a an but which that this these it they is are its : . -",
    # A link that lost what it led to goes whole.
    "lost_links": [
        "keeping with", "suspicious for", "concerning for", "worrisome for", "suggestive of", "typical of",
    ],
})
