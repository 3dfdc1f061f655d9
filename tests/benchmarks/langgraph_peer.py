"""The same thousand-skill graph in LangGraph. Runs by itself, with the Python the peers live in.

Reads {"skills", "edges": [[from, to], …], "hops"} from stdin; prints seconds of processor time.
"""

import json
import sys
import time
from collections.abc import Callable
from typing import TypedDict


class State(TypedDict):
    at: int


def main() -> None:
    given = json.load(sys.stdin)
    taken = {"build": [], "draw": [], "hop": []}
    for _ in range(given["rounds"]):
        started = time.process_time()
        graph = build(given["skills"], given["edges"], given["hops"])
        taken["build"].append(time.process_time() - started)
        started = time.process_time()
        graph.get_graph().draw_mermaid()
        taken["draw"].append(time.process_time() - started)
        started = time.process_time()
        graph.invoke({"at": 0}, {"recursion_limit": given["hops"] + 10})
        taken["hop"].append((time.process_time() - started) / given["hops"])
    print(json.dumps({what: min(seconds) for what, seconds in taken.items()}))


def build(skills: int, edges: list[list[int]], hops: int):
    """Each skill routes by a condition over its targets, and to the end once it has hopped enough."""
    from langgraph.graph import END, START, StateGraph

    targets: dict[int, list[int]] = {}
    for one, other in edges:
        targets.setdefault(one, []).append(other)
    graph = StateGraph(State)
    for number in range(skills):
        graph.add_node(f"s{number}", lambda state: {"at": state["at"] + 1})
    graph.add_edge(START, "s0")
    for number in range(skills):
        ways = {f"s{other}": f"s{other}" for other in targets.get(number, [])}
        graph.add_conditional_edges(f"s{number}", router(number, skills, hops), {**ways, END: END})
    return graph.compile()


def router(number: int, skills: int, hops: int) -> Callable[[State], str]:
    def route(state: State) -> str:
        return f"s{(number + 1) % skills}" if state["at"] < hops else "__end__"

    return route


if __name__ == "__main__":
    main()
