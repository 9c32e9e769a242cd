from itertools import islice

from sopforge.harness.layers.documents.composing.papers import iterate_papers

PAPERS = list(islice(iterate_papers("Parcels", 3), 300))


def test_no_two_papers_have_one_title() -> None:
    assert len({paper.title for paper in PAPERS}) == 300


def test_no_paper_says_a_thing_twice_or_speaks_of_the_text_around_it() -> None:
    assert all(len(set(paper.lines)) == len(paper.lines) == 3 for paper in PAPERS)
    assert not [line for paper in PAPERS for line in paper.lines if "this document" in line]
