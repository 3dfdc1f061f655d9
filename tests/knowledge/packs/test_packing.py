"""Traverse, context and single nodes through the real store."""

from pathlib import Path

import pytest

from loreweave.application import Application
from loreweave.contracts.skill_graph import ContextRequest, NodeRequest, TraverseRequest
from loreweave.errors import NotFound
from loreweave.language.tokens import count_tokens


def traverse(vault, **options):
    return vault.service.traverse(TraverseRequest(graphId=vault.graph, **options))


def context(vault, query: str, **options):
    return vault.service.context(ContextRequest(graphId=vault.graph, query=query, **options))


def short(nodes) -> list[str]:
    return [node.id.removeprefix("skill:") for node in nodes]


@pytest.mark.holds("graph.walk.answer-shape", "graph.budget.loaded-fields", "graph.entry.best-moc")
def test_a_walk_answers_entry_path_unloaded_and_telemetry(therapy) -> None:
    answer = traverse(therapy, startNode="index", query="worst").model_dump()
    assert set(answer) == {"graphId", "revision", "entryPoint", "path", "unloaded", "telemetry", "matched"}
    assert answer["entryPoint"] == {
        "id": "skill:index",
        "name": "Index",
        "type": "moc",
        "description": "Where to begin.",
    }
    [loaded] = answer["path"]
    assert {key: loaded[key] for key in ("id", "name", "level", "depth")} == {
        "id": "skill:distortions",
        "name": "Cognitive Distortions",
        "level": 4,
        "depth": 1,
    }
    assert set(loaded) == {"id", "name", "level", "content", "tokens", "depth", "score", "reason"}
    assert all(set(other) == {"id", "name", "score", "reason"} for other in answer["unloaded"])
    assert answer["telemetry"] == {
        "nodesVisited": 6,
        "nodesLoaded": 1,
        "nodesSkipped": 5,
        "tokensUsed": loaded["tokens"],
        "tokenBudget": 6000,
        "coveragePercent": 14.3,
        "maxDepthReached": 3,
        "nodesAtLevel": {"1": 5, "3": 0, "4": 1},
    }


@pytest.mark.holds("graph.entry.start-node")
@pytest.mark.parametrize("start", ["skill:grounding", "grounding", "grounding.md", "Grounding"])
def test_a_start_is_named_by_id_slug_path_or_name(therapy, start: str) -> None:
    answer = traverse(therapy, startNode=start)
    assert answer.entryPoint.id == "skill:grounding"
    assert set(short(answer.path)) == {"grounding", "breathing"}


def test_an_unknown_start_is_not_found(therapy) -> None:
    with pytest.raises(NotFound):
        traverse(therapy, startNode="nowhere")


@pytest.mark.holds("graph.walk.start-is-candidate", "graph.walk.qualifies")
def test_a_blank_query_loads_whatever_is_reached_start_included(therapy) -> None:
    answer = traverse(therapy, startNode="index", maxDepth=1)
    assert set(short(answer.path)) == {"index", "distortions", "grounding", "breathing"}


@pytest.mark.holds("graph.walk.start-is-candidate", "graph.score.parts")
def test_a_walk_without_a_question_loads_its_start_and_what_is_near(make_vault) -> None:
    far = {f"a{number}.md": "words " * 300 for number in range(8)}
    links = " ".join(f"[[{path}]]" for path in far)
    chain = {"zb.md": "[[za]] " + "words " * 300, "za.md": "[[zy]] " + "words " * 300, "zy.md": links}
    answer = traverse(make_vault({**chain, **far}), startNode="zb", maxDepth=3, maxNodes=3, tokenBudget=3000)
    assert short(answer.path)[0] == "zb"
    assert set(short(answer.path)) == {"zb", "za", "zy"}


@pytest.mark.holds("graph.walk.start-alone")
def test_where_nothing_qualifies_the_start_alone_is_loaded(therapy) -> None:
    answer = traverse(therapy, startNode="grounding", query="xylophone")
    assert short(answer.path) == ["grounding"]
    assert short(answer.unloaded) == ["breathing"]


@pytest.mark.holds("retrieval.packs.nothing-matched")
def test_where_nothing_known_matches_no_node_is_opened(therapy) -> None:
    walk = traverse(therapy, startNode="grounding", query="zebra")
    assert (walk.matched, walk.path) == (False, [])
    assert all(node.reason.endswith("nothing known matches the question") for node in walk.unloaded)
    pack = context(therapy, "zebra")
    assert (pack.matched, pack.contextPack.totalTokens, pack.contextPack.entryPoint) == (False, 0, "skill:index")
    assert {node.level for node in pack.contextPack.nodes} == {1}
    assert (context(therapy, "worst").matched, traverse(therapy).matched) == (True, True)


@pytest.mark.holds("graph.walk.qualifies")
def test_a_link_sentence_with_a_third_of_the_query_qualifies_its_target(therapy) -> None:
    answer = traverse(therapy, startNode="distortions", query="feared catastrophe kindly")
    assert "reframing" in short(answer.path)


@pytest.mark.holds("graph.walk.direction")
def test_a_walk_may_go_against_the_links(therapy) -> None:
    answer = traverse(therapy, startNode="breathing", direction="in")
    assert {node.id.removeprefix("skill:"): node.depth for node in answer.path} == {
        "breathing": 0,
        "index": 1,
        "grounding": 1,
    }


@pytest.mark.holds("graph.levels.three-has-no-full-text", "graph.budget.second-pass")
def test_a_tight_budget_loads_sections_and_not_the_full_text(therapy) -> None:
    full = traverse(therapy, query="catastrophizing").path[0]
    tight = traverse(therapy, query="catastrophizing", tokenBudget=full.tokens - 1).path[0]
    assert (full.level, tight.level) == (4, 3)
    assert "Name the distortion" in full.content
    assert "Name the distortion" not in tight.content
    assert tight.content.startswith("# Kinds\n\nCatastrophizing expects the worst.")
    assert tight.content.endswith("\n\n[…]")


@pytest.mark.holds("graph.budget.reasons")
def test_reasons_name_words_fields_linking_notes_and_what_did_not_fit(therapy) -> None:
    answer = traverse(therapy, startNode="index", query="catastrophizing worst client thought")
    reasons = {node.id: node.reason for node in [*answer.path, *answer.unloaded]}
    assert reasons["skill:distortions"] == (
        'Matches "catastrophizing" in tag and body, "thought" in tag and description, "worst" in body; '
        "linked from Index in a sentence with 1 of 4 query words"
    )
    assert reasons["skill:breathing"] == "Linked from Index; too little of the query in it"
    scarce = traverse(therapy, query="catastrophizing", tokenBudget=3)
    assert scarce.path == []
    assert "does not fit, its best passage needs" in scarce.unloaded[0].reason
    none = traverse(therapy, query="catastrophizing", maxNodes=0)
    assert none.unloaded[0].reason.endswith("no notes were asked for")


@pytest.mark.holds("graph.budget.reasons", "graph.terms.unknown-term")
def test_reasons_name_the_words_a_note_holds_for_one_that_none_holds(make_vault) -> None:
    vault = make_vault(
        {
            "a.md": "The quokka rests.\n",
            "b.md": "Two quokkas rest.\n",
            "c.md": "Anchorage, anchoret, anchorite, anchovy.\n",
        }
    )
    reasons = {node.id: node.reason for node in context(vault, "qoukka ancho").contextPack.nodes}
    assert 'atches "quokka" (for "qoukka") in body' in reasons["skill:a"]
    assert 'atches "quokkas" (for "qoukka") in body' in reasons["skill:b"]
    assert 'atches "anchorage", "anchoret" and "anchorite" (for "ancho") in body' in reasons["skill:c"]


@pytest.mark.holds("graph.budget.reasons")
def test_of_two_notes_that_link_each_other_a_reason_names_the_link_that_was_counted(make_vault) -> None:
    vault = make_vault({"sleep.md": "Long nights need water, see [[hydration]].\n", "hydration.md": "See [[sleep]].\n"})
    packs = [
        context(vault, "long nights").contextPack.nodes,
        traverse(vault, startNode="hydration", direction="in").path,
    ]
    told, walked = ({node.id: node.reason for node in nodes} for nodes in packs)
    assert "inks to Hydration in a sentence with 2 of 2 query words" in told["skill:sleep"]
    assert "inked from Sleep in a sentence with 2 of 2 query words" in told["skill:hydration"]
    assert "Links to Hydration" in walked["skill:sleep"]


@pytest.mark.holds("graph.score.parts", "graph.walk.qualifies")
@pytest.mark.parametrize("links", ["[[a]]", "[[a]] [[b]]"])
def test_one_more_link_takes_nothing_from_a_note(make_vault, links: str) -> None:
    said = "The wombat digs to [[b]] with a wombat platypus echidna.\n"
    vault = make_vault({"root.md": f"---\ntype: moc\n---\n{links}\n", "a.md": said, "b.md": "plain text\n"})
    query = "wombat platypus echidna"
    packs = [traverse(vault, startNode="root", query=query).path, context(vault, query).contextPack.nodes]
    for nodes in packs:
        found = {node.id: node for node in nodes}["skill:b"]
        assert (found.level, found.score >= 20) == (4, True)
        assert found.reason.startswith("Linked from A in a sentence with 3 of 3 query words")


@pytest.mark.holds("graph.walk.context-shape", "graph.budget.context-tail", "graph.levels.one-has-no-content")
def test_a_pack_holds_loaded_nodes_and_the_next_at_level_one(therapy) -> None:
    answer = context(therapy, "worst").model_dump()
    assert set(answer) == {"graphId", "revision", "contextPack", "telemetry", "matched"}
    pack = answer["contextPack"]
    assert set(pack) == {"entryPoint", "nodes", "totalTokens", "tokenBudget"}
    assert pack["entryPoint"] == "skill:distortions"
    first, *others = pack["nodes"]
    assert (first["id"], first["level"]) == ("skill:distortions", 4)
    assert all((other["level"], other["content"], other["tokens"]) == (1, None, 0) for other in others)
    assert all(other["description"] for other in others)
    assert pack["totalTokens"] == first["tokens"] == answer["telemetry"]["tokensUsed"]


@pytest.mark.holds("graph.walk.context-candidates")
def test_a_pack_finds_by_text_what_no_link_leads_to(therapy) -> None:
    answer = context(therapy, "xylophone")
    assert answer.contextPack.nodes[0].id == "skill:lonely"
    assert answer.telemetry.nodesVisited == 1  # the walk begins where it was found, and no link leads on


def test_equal_questions_have_equal_answers(therapy) -> None:
    assert context(therapy, "thoughts and breath") == context(therapy, "thoughts and breath")


FIELDS = {
    0: {"id", "name", "type", "domain"},
    1: {"description", "tags", "inDegree", "outDegree", "path"},
    2: {"links", "backlinks"},
    3: {"content", "sections", "tokens"},
}
ALWAYS = {"graphId", "revision", "level"}


@pytest.mark.holds(
    "graph.levels.zero",
    "graph.levels.one",
    "graph.levels.two",
    "graph.levels.three",
    "graph.levels.four",
    "graph.levels.forbidden-fields-cannot-exist",
)
def test_each_level_adds_its_fields_and_no_other(therapy) -> None:
    expected = set(ALWAYS)
    for level in range(5):
        expected |= FIELDS.get(level, set())
        if level == 4:
            expected -= {"sections"}
        answer = therapy.service.read_node(NodeRequest(graphId=therapy.graph, id="distortions", level=level))
        assert (set(answer.model_dump()), answer.level) == (expected, level)


@pytest.mark.holds("graph.levels.two", "graph.levels.three", "graph.levels.four", "graph.levels.body")
def test_a_node_shows_links_sections_and_text(therapy) -> None:
    read = therapy.service.read_node
    three = read(NodeRequest(graphId=therapy.graph, id="distortions", level=3))
    four = read(NodeRequest(graphId=therapy.graph, id="distortions", level=4))
    assert [link.model_dump() for link in three.links] == [
        {
            "id": "skill:reframing",
            "name": "Reframing",
            "type": "technique",
            "context": "It calls for [[reframing]] of the feared catastrophe.",
            "description": "A second look at a thought.",
        }
    ]
    assert [link.context for link in three.backlinks] == ["For thoughts see [[distortions]]."]
    assert [section.heading for section in three.sections] == ["Kinds", "Use"]
    assert "only the full text holds" not in three.content
    assert four.content.startswith("# Kinds")
    assert four.content.endswith("kindly.")
    assert 0 < three.tokens < four.tokens


def test_an_unknown_node_is_not_found(therapy) -> None:
    with pytest.raises(NotFound):
        therapy.service.read_node(NodeRequest(graphId=therapy.graph, id="nowhere"))


@pytest.mark.parametrize("text", ["", "\n\n", "---\nname: Only\n---\n"])
def test_a_graph_of_one_note_without_text_is_walked(make_vault, text: str) -> None:
    vault = make_vault({"only.md": text})
    answer = traverse(vault, query="anything")
    assert (answer.path, short(answer.unloaded)) == ([], ["only"])
    assert answer.telemetry.nodesVisited == 1
    assert answer.unloaded[0].reason == "Entry point; has no text"
    assert context(vault, "anything").contextPack.totalTokens == 0


@pytest.mark.holds("retrieval.packs.comments")
def test_nobody_pays_for_comments(sqlite_application: Application, tmp_path: Path) -> None:
    comment = "<!-- YAML\nadded: v0.1\n" + "changes: a line that nobody reads\n" * 20 + "-->"
    text = (
        f"# Spawn\n\n{comment}\n\nThe timeout of spawn.\n\n<!-- short -->\n\nIt is 30 seconds.\n\n{comment}\n\nThe end."
    )
    code = "\n\n```html\n<!-- an example -->\n```\n"
    (tmp_path / "Spawn.md").write_text(text + code)
    sqlite_application.graphs.ingest_folder(tmp_path, name="api")
    request = ContextRequest(graphId="api", query="timeout of spawn")
    [spawn] = sqlite_application.retrieval.context(request).contextPack.nodes
    assert spawn.content == (
        "# Spawn\n\nThe timeout of spawn.\n\n<!-- short -->\n\nIt is 30 seconds.\n\nThe end." + code.rstrip()
    )
    assert spawn.level == 3
    assert spawn.tokens == count_tokens(spawn.content)
    assert spawn.reason.endswith("all of it but its comments")
    [whole] = [sqlite_application.retrieval.read_node(NodeRequest(graphId="api", id="spawn", level=4))]
    assert comment in whole.content  # read by itself, a note is as it was written
