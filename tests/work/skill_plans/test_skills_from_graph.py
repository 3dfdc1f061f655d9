"""Notes as skills: what is made of them, and that it runs."""

from pathlib import Path

import pytest
from tests.work.skill_plans.plan_desk import Desk, invoke, plan

from loreweave.application import Application
from loreweave.contracts.skill_plan import GraphSkills
from loreweave.errors import NotFound

pytestmark = pytest.mark.holds("one.graph.skill")


def note(text: str, **header: str) -> str:
    return "---\n" + "".join(f"{name}: {value}\n" for name, value in header.items()) + f"---\n{text}\n"


def made(application: Application, folder: Path, notes: dict[str, str], node: str) -> GraphSkills:
    for name, text in notes.items():
        (folder / f"{name}.md").write_text(text)
    application.graphs.ingest_folder(folder, name="vault")
    return application.skills.from_graph("vault", node)


def run(found: GraphSkills, **answers: str) -> str:
    """What a plan that invokes the root comes to, when these are chosen of what each map asks."""
    desk = Desk(answers={step: {"any": chosen} for step, chosen in answers.items()})
    skills = [skill.model_dump() for skill in found.skills]
    desk.texts = lambda prompt: f"did {prompt}"
    log = desk.run(
        plan(invoke("go", found.root), {"type": "output", "id": "o", "template": "{{result}}"}, skills=skills)
    )
    assert log[-1]["type"] == "skill_completed", log[-1]
    return str(log[-1]["result"])


NOTES = {
    "Map": note("Begin with [[Zebra]], then [[Apple]] and [[Inner]].", type="moc", description="Where to go?"),
    "Zebra": note("Stripes {{chosen}}, always.", type="technique"),
    "Apple": note("Peel it.", type="framework"),
    "Inner": note("Back to [[Map]], or [[Pear]].", type="moc", description="Inside"),
    "Pear": note("Slice it.", type="technique", category="style"),
}


def test_a_note_is_its_text_under_its_own_id(sqlite_application: Application, tmp_path: Path) -> None:
    found = made(sqlite_application, tmp_path, NOTES, "Zebra")
    (skill,) = found.skills
    assert found.root == skill.id == "vault/skill:zebra"
    assert (skill.name, skill.category, skill.template) == ("Zebra", "feature", False)
    assert skill.prompt == "Stripes {{chosen}}, always."
    assert found.revision == 1


def test_a_map_asks_once_in_the_order_of_its_links_and_runs_what_is_chosen(
    sqlite_application: Application, tmp_path: Path
) -> None:
    found = made(sqlite_application, tmp_path, NOTES, "map")
    by_id = {skill.id: skill for skill in found.skills}
    assert by_id[found.root].category == "composite"
    ask = by_id[found.root].workspace["blocks"]["blocks"][0]["next"]["block"]  # type: ignore[index]
    assert ask["fields"]["OPTIONS"] == "Zebra,Apple,Inner"
    assert ask["fields"]["QUESTION"] == "Where to go?"
    assert {name: skill.category for name, skill in by_id.items()} == {
        "vault/skill:map": "composite",
        "vault/skill:zebra": "feature",
        "vault/skill:apple": "agent",
        "vault/skill:inner": "composite",
        "vault/skill:pear": "style",
    }
    assert run(found, **{"vault/skill:map:ask": "Zebra"}) == "did Stripes {{chosen}}, always."
    inner = {"vault/skill:map:ask": "Inner", "vault/skill:inner:ask": "Pear"}
    assert run(found, **inner) == "did Slice it."


def test_links_that_lead_back_are_cut_and_listed(sqlite_application: Application, tmp_path: Path) -> None:
    found = made(sqlite_application, tmp_path, NOTES, "map")
    assert [(cut.source, cut.target) for cut in found.cut] == [("vault/skill:inner", "vault/skill:map")]


@pytest.mark.parametrize("count", [49, 50, 51, 120])
def test_a_map_of_many_notes_is_asked_in_groups(sqlite_application: Application, tmp_path: Path, count: int) -> None:
    names = [f"Note {number:03}, same" for number in range(count)]
    notes = {name: note(f"Text of {name}.") for name in names}
    notes["Map"] = note(" ".join(f"[[{name}]]" for name in names), type="moc")
    found = made(sqlite_application, tmp_path, notes, "Map")
    groups = [skill for skill in found.skills if "#" in skill.id]
    assert len(groups) == {49: 0, 50: 0, 51: 2, 120: 3}[count]
    assert len(found.skills) == count + 1 + len(groups)
    wanted = [skill for skill in found.skills if skill.category == "composite" or skill.name == names[count - 1]]
    few = found.model_copy(update={"skills": wanted})
    last = names[count - 1].replace(",", "")
    if not groups:
        assert run(few, **{"vault/skill:map:ask": last}) == f"did Text of {names[count - 1]}."
        return
    option = groups[-1].name.replace(",", "")
    chosen = {"vault/skill:map:ask": option, f"{groups[-1].id}:ask": last}
    assert run(few, **chosen) == f"did Text of {names[count - 1]}."


def test_what_is_too_long_is_told_by_its_sections_or_by_what_it_is_about(
    sqlite_application: Application, tmp_path: Path
) -> None:
    long = "\n\n".join(f"## Part {number}\n\nFirst line of {number}.\n\n{'more ' * 200}" for number in range(10))
    longer = "\n\n".join(f"## Part {number} {'x' * 200}\n\nLine." for number in range(100))
    notes = {"Long": note(long, description="Ten parts"), "Longer": note(longer, description="A hundred parts")}
    (sections,) = made(sqlite_application, tmp_path, notes, "Long").skills
    assert "First line of 9." in sections.prompt
    assert len(sections.prompt) <= 5_000
    (about,) = made(sqlite_application, tmp_path, notes, "Longer").skills
    assert about.prompt == "A hundred parts"


def test_a_map_that_leads_nowhere_is_a_text(sqlite_application: Application, tmp_path: Path) -> None:
    (only,) = made(sqlite_application, tmp_path, {"Map": note("Nothing yet.", type="moc")}, "Map").skills
    assert (only.category, only.prompt) == ("feature", "Nothing yet.")


def test_neither_graph_nor_note_is_made_up(sqlite_application: Application, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="graph"):
        sqlite_application.skills.from_graph("nowhere", "x")
    with pytest.raises(NotFound, match="node"):
        made(sqlite_application, tmp_path, NOTES, "nothing")
