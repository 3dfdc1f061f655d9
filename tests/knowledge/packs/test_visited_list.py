"""The whole of what a walk or a pack visited, for whoever draws it."""

import pytest

from loreweave.contracts.skill_graph import DrawnContextRequest, DrawnTraverseRequest


@pytest.mark.holds("graph.telemetry.visited-list")
def test_a_walk_lists_what_it_visited_when_asked(therapy) -> None:
    request = DrawnTraverseRequest(graphId=therapy.graph, query="worst", maxNodes=1)
    plain = therapy.service.traverse(request)
    assert "visited" not in plain.model_dump()
    answer = therapy.service.traverse(request.model_copy(update={"visited": True}))
    assert answer.visited is not None
    assert len(answer.visited) == len(set(answer.visited)) == answer.telemetry.nodesVisited
    named = {node.id for node in (*answer.path, *answer.unloaded)}
    assert named <= set(answer.visited)
    assert answer.entryPoint.id in answer.visited
    assert answer.model_dump(exclude={"visited"}) == plain.model_dump()


@pytest.mark.holds("graph.telemetry.visited-list")
def test_a_pack_lists_what_it_visited_best_first(therapy) -> None:
    request = DrawnContextRequest(graphId=therapy.graph, query="worst thoughts", visited=True)
    answer = therapy.service.context(request)
    assert answer.visited is not None
    assert len(answer.visited) == len(set(answer.visited)) == answer.telemetry.nodesVisited
    scores = {node.id: node.score for node in answer.contextPack.nodes}
    shown = [scores[node] for node in answer.visited if node in scores]
    assert len(shown) == len(scores)
    assert shown == sorted(shown, reverse=True)
