"""Contract 000: the words for kinds of graphs and of edges."""

from typing import Literal

GraphKind = Literal["skill", "fused"]
EdgeType = Literal["REFERENCES", "CLUSTERS", "EXTENDS", "CONTRADICTS", "CROSS_DOMAIN"]
