"""However long a report is, the judge is asked so often and no more."""

from overread.encoders.embedded import MOST, nearest


def test_the_judge_as_encoder_is_asked_about_the_nearest_phrases():
    few = [f"effusion {n}" for n in range(20)]
    many = [f"effusion {n}" if n % 2 else f"fracture of rib {n}" for n in range(150)]
    every = [(i, j) for i in range(150) for j in range(i)]
    assert len(nearest(few, every[:190])) == 190
    kept = nearest(many, every)
    assert len(kept) == MOST
    assert kept == sorted(kept)
