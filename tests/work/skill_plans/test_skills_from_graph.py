"""Notes as skills: what is made of them, and that it runs."""

import json
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from tests.waits import eventually
from tests.work.skill_plans.plan_desk import Desk, invoke, plan

from loreweave.application import Application, open_application
from loreweave.contracts.skill_plan import GraphSkills
from loreweave.errors import InvalidInput, NotFound
from loreweave.settings import Settings
from loreweave.work.skill_plans.read_workspace import read_workspace

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


@pytest.mark.holds("one.graph.runs")
def test_a_run_takes_all_skills_that_a_graph_makes_and_keeps_them_as_they_were(
    settings: Settings, tmp_path: Path
) -> None:
    """More than may be sent along; the graph is deleted while the map asks."""
    names = [f"Note {number:03}" for number in range(120)]
    notes = {name: note(f"Text of {name}.") for name in names}
    notes["Map"] = note(" ".join(f"[[{name}]]" for name in names), type="moc")
    folder = tmp_path / "vault"
    folder.mkdir()
    with closing(open_application(replace(settings, model="demo"))) as application:
        run_from_graph(application, made(application, folder, notes, "Map"))


def run_from_graph(application: Application, found: GraphSkills) -> None:
    steps = [invoke("go", found.root), {"type": "output", "id": "o", "template": "{{result}}"}]
    sent = {**plan(*steps), "fromGraph": {"graphId": "vault", "nodeId": "Map"}}
    skills = [skill.model_dump() for skill in found.skills]
    with pytest.raises(InvalidInput, match="allSkills"):
        application.skills.run({**sent, "allSkills": skills})
    session_id = application.skills.run(sent).session_id
    given = json.loads(application.sessions.row(session_id).given)
    assert given["allSkills"] == skills
    assert given["fromGraph"] == sent["fromGraph"]
    application.graphs.delete("vault")
    group = next(skill for skill in found.skills if skill.id.endswith("#3"))
    for step, chosen in ((f"{found.root}:ask", group.name), (f"{group.id}:ask", "Note 119")):
        eventually(partial(is_asked, application, session_id, step), step)
        application.skills.answer(session_id, {"step_id": step, "answers": {"any": chosen}})
    eventually(lambda: application.sessions.get(session_id).outcome, "the end")
    assert application.sessions.get(session_id).outcome == "success"
    with pytest.raises(NotFound, match="graph"):
        application.skills.run(sent)


def is_asked(application: Application, session_id: str, step: str) -> bool:
    return step in [question.step_id for question in application.sessions.get(session_id).questions]


@pytest.mark.holds("one.graph.runs")
def test_a_graph_makes_no_more_skills_than_a_run_takes(sqlite_application: Application, tmp_path: Path) -> None:
    links = " ".join(f"[[Note {number}]]" for number in range(700))
    notes = {f"Note {number}": note("Text.") for number in range(1_400)}
    notes["Map"] = note(f"[[Early]] {links}", type="moc")
    notes["Early"] = note(" ".join(f"[[Note {number}]]" for number in range(700, 1_400)), type="moc")
    found = made(sqlite_application, tmp_path, notes, "Map")
    assert 950 <= len(found.skills) <= 1_000
    kept = {skill.name for skill in found.skills}
    missing = {f"vault/skill:note-{number}" for number in range(1_400) if f"Note {number}" not in kept}
    assert missing
    assert {cut.target for cut in found.cut} == missing
    flows = [skill for skill in found.skills if skill.workspace is not None]
    assert all(len(read_workspace(flow)) <= 500 for flow in flows)


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
