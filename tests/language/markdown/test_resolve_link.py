"""Which note a link means."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.knowledge.documents.read_notes import read_note

from loreweave.entities.note import ParsedNote
from loreweave.language.markdown import resolve_link
from loreweave.language.markdown.note_names import names_of
from loreweave.language.markdown.resolve_link import Names, Resolution, group_names, resolve


def _note(path: str, text: str = "") -> ParsedNote:
    return read_note(path, text.encode())


def _names(*notes: ParsedNote) -> Names:
    return group_names((name, key, of, note.path) for key, note in enumerate(notes) for name, of in names_of(note))


def _found(target: str, source: str, *notes: str) -> str | None:
    found = resolve(target, source, _names(*(_note(path) for path in notes)))
    return found.path if found else None


@pytest.mark.holds("graph.links.exact-path-near-first")
def test_an_exact_path_is_looked_for_from_the_notes_folder_and_then_from_the_root() -> None:
    notes = ("a/x.md", "x.md", "a/b/x.md")
    assert _found("x", "a/source.md", *notes) == "a/x.md"
    assert _found("a/x", "a/source.md", *notes) == "a/x.md"
    assert _found("/x", "a/source.md", *notes) == "x.md"
    assert _found("../x.md", "a/source.md", *notes) == "x.md"
    assert _found("./b/x", "a/source.md", *notes) == "a/b/x.md"


@pytest.mark.holds("graph.links.resolve-order")
def test_a_path_suffix_goes_before_a_base_name_and_a_base_name_before_an_alias() -> None:
    aliased = _note("z.md", "---\naliases: [target]\nname: other\n---\n")
    named = _note("y.md", "---\nname: Target\n---\n")
    plain = _note("deep/target.md")
    assert resolve("target", "s.md", _names(named, aliased, plain)).path == "deep/target.md"
    assert resolve("target", "s.md", _names(named, aliased)).path == "z.md"
    assert resolve("target", "s.md", _names(named)).path == "y.md"
    assert _found("deep/target", "s.md", "other/deep/target.md", "target.md") == "other/deep/target.md"


@pytest.mark.holds("graph.links.extension-optional")
@pytest.mark.parametrize("target", ["Big Idea", "big-idea", "BIG IDEA.md", "big_idea"])
def test_the_ending_and_the_spelling_do_not_matter(target: str) -> None:
    assert _found(target, "s.md", "notes/Big Idea.md") == "notes/Big Idea.md"


@pytest.mark.holds("graph.links.folder-target")
def test_a_folder_means_its_skill_then_its_index_then_its_readme() -> None:
    assert _found("tools", "s.md", "tools/README.md", "tools/index.md", "tools/SKILL.md") == "tools/SKILL.md"
    assert _found("tools/", "s.md", "tools/README.md", "tools/index.md") == "tools/index.md"
    assert _found("tools", "s.md", "x/tools/README.md") == "x/tools/README.md"


@pytest.mark.holds("graph.links.ambiguous")
def test_among_several_the_nearest_folder_wins_then_the_fewest_parts_then_code_points() -> None:
    names = _names(_note("a/n.md"), _note("b/n.md"), _note("b/c/n.md"))
    assert resolve("n", "b/c/d/s.md", names) == Resolution(2, "b/c/n.md", 2)
    assert resolve("n", "z/s.md", names) == Resolution(0, "a/n.md", 2)


@pytest.mark.holds("graph.slug.old-rule-alias")
def test_the_old_way_of_making_slugs_still_finds_the_note() -> None:
    assert _found("cant-stop-wont-stop", "s.md", "Can't stop, won't stop.md") == "Can't stop, won't stop.md"


@pytest.mark.holds("graph.links.resolve-order")
@pytest.mark.parametrize("target", ["ghost", "ghost/target", "../../target", "", "/", "...", "[["])
def test_what_names_no_note_is_nothing(target: str) -> None:
    assert _found(target, "s.md", "target.md", "a.md") is None


@pytest.mark.holds("graph.links.ambiguous")
def test_a_near_note_goes_before_a_far_one_spelled_alike_and_spelling_decides_between_equals() -> None:
    names = _names(_note("k/a/note.md"), _note("b/Note.md"))
    assert resolve("Note", "k/m.md", names) == Resolution(0, "k/a/note.md", 1)
    names = _names(_note("a/note.md"), _note("b/Note.md"))
    assert resolve("Note", "m.md", names) == Resolution(1, "b/Note.md", 1)


@pytest.mark.holds("graph.links.resolve-order", "graph.slug.empty")
def test_a_name_without_letters_is_found_as_it_is_written() -> None:
    assert _found("!!!", "s.md", "!!!.md") == "!!!.md"
    assert _found("!!!.md", "s.md", "deep/!!!.md") == "deep/!!!.md"
    assert _found("???", "s.md", "!!!.md") is None


@pytest.mark.holds("graph.slug.old-rule-alias")
def test_the_old_slug_of_a_skills_folder_is_known_too() -> None:
    assert _found("dont", "s.md", "Don't/SKILL.md") == "Don't/SKILL.md"


@pytest.mark.holds("graph.id.base-name")
def test_only_the_last_ending_is_no_part_of_a_name() -> None:
    assert _found("notes-md", "s.md", "notes.md.md", "notes.md") == "notes.md.md"
    assert _found("notes", "s.md", "notes.md.md", "notes.md") == "notes.md"


PARTS = st.sampled_from(["a", "b", "A", "01-a"])
FOLDERS = st.lists(PARTS, max_size=4).map(lambda parts: "".join(f"{part}/" for part in parts))
FILES = st.sampled_from(["README.md", "index.md", "a.md", "01-a.mdx"])
TARGETS = st.builds("{}{}".format, st.sampled_from(["", "/", "../", "./"]), st.lists(PARTS, min_size=1).map("/".join))


@pytest.mark.holds("graph.links.resolve-order", "graph.links.ambiguous")
@given(st.sets(st.builds(str.__add__, FOLDERS, FILES), min_size=9, max_size=60), FOLDERS, st.lists(TARGETS, max_size=8))
def test_of_many_of_one_name_the_same_one_is_meant_as_if_each_was_looked_at(
    paths: set[str], folder: str, targets: list[str]
) -> None:
    names = _names(*map(_note, sorted(paths)))
    for target in [*targets, "README", "index.md", "a", "b/a"]:
        meant = []
        for many in (2, 2 * len(paths) + 2):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(resolve_link, "MANY", many)
                meant.append(resolve(target, f"{folder}from.md", names))
        assert meant[0] == meant[1], target
