"""What the page promises: the shell round its places."""

from tests.requirements.requirement import Requirement

SENTENCES: dict[str, Requirement] = {}
