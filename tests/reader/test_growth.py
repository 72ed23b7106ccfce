"""Two sizes of one thing: which of them is of an earlier time, in many wordings."""

import pytest

from overread.reader.growth import growth

GROWN = {
    "The rim is 1.5 cm wide against 2.8 cm yesterday.": "improved",
    "The pouch, 2 cm then, is a mere 6 mm.": "improved",
    "Aneurysm of 45 mm on the first scan and 52 mm on the second.": "worsened",
    "Bladder stone of 8 mm; three years ago it measured 4 mm.": "worsened",
    "The cyst measured 5 mm a year ago and measures 9 mm.": "worsened",
    "The hematoma had a width of 11 mm on Monday; on Thursday it is 6 mm.": "improved",
    "Node of 8 mm, unchanged from 8 mm.": "no_change",
    "The 12 mm stone reported in spring measures 12 mm.": "no_change",
    "Nodule 9 mm, having been 7 mm.": "worsened",
    "Fibroid 4 cm in 2019, 4 cm in 2021, 7 cm at present.": "worsened",
    "Lipoma of 30 mm in 2015 and 31 mm in 2020.": "no_change",
    "Meningioma, 14 mm both in 2020 and now.": "no_change",
    "Spleen 15 cm, down from 17 cm.": "improved",
    "At baseline 22 mm, at follow-up 15 mm.": "improved",
}
STILL = (
    "The lesion is 3 cm long and 2 cm wide.",
    "The largest node is 12 mm; the smallest is 4 mm.",
    "Left kidney 8.4 cm versus 11.2 cm on the right.",
    "Aorta 41 mm at the root and 36 mm at the arch.",
    "The tube is 4 cm above the carina, and the line 2 cm below it.",
)


@pytest.mark.parametrize("text", GROWN)
def test_the_earlier_size_is_found(text: str) -> None:
    assert growth(text)[-1].direction == GROWN[text]


@pytest.mark.parametrize("text", STILL)
def test_sizes_of_one_time_tell_no_growth(text: str) -> None:
    assert growth(text) == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A 9 mm nodule, previously 7 mm.", "previously 7 mm"),
        ("The mass has grown from 3 cm to 4 cm.", "from 3 cm"),
        ("The cyst, 8 mm on the prior scan, is 12 mm.", "8 mm on the prior"),
        ("The node was 15 mm and is now 9 mm.", "was 15 mm"),
    ],
)
def test_the_words_of_the_earlier_size(text, words):
    [grown] = growth(text)
    assert grown.then is not None
    assert text[slice(*grown.then)] == words
