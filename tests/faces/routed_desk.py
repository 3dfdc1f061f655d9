"""A support desk as a folder of skills, for the tests of routing over the wire."""

from pathlib import Path

DESK = {
    "triage/SKILL.md": (
        "---\nname: triage\ndescription: Find out what a customer needs\nmetadata:\n"
        '  skillgraph.entry: "default"\n  skillgraph.order: "30"\n---\n\nAsk, then read [[glossary]].\n'
    ),
    "refunds/SKILL.md": (
        "---\nname: refunds\ndescription: Give money back for an order\nmetadata:\n"
        '  skillgraph.entry: "keywords: refund, charge"\n  skillgraph.order: "10"\n'
        '  skillgraph.tools: "lookup_order issue_refund"\n  skillgraph.routes: |\n'
        "    escalation: on issue_refund status=denied !10 carry=order_id\n"
        "    escalation: when @angry\n---\n\nLook the order up. See [the policy](POLICY.md) and [[glossary]].\n"
    ),
    "refunds/POLICY.md": "Thirty days.\n",
    "refunds/notes/old.md": "Nobody links here.\n",
    "escalation/SKILL.md": (
        '---\nname: escalation\ndescription: Call a human\nmetadata:\n  skillgraph.end: "true"\n---\n\nCall.\n'
    ),
    "glossary/SKILL.md": "---\nname: glossary\ndescription: What the words mean\n---\n\nWords.\n",
}


def desk_folder(root: Path) -> Path:
    for path, text in DESK.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return root
