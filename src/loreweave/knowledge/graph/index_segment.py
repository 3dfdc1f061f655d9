"""The searchable words of some notes as bytes, written by one half and read in place by the other."""

from loreweave.knowledge.graph.segment_builder import build_segment, merge_segments
from loreweave.knowledge.graph.segment_reader import IndexSegment, SegmentDamaged

__all__ = ["IndexSegment", "SegmentDamaged", "build_segment", "merge_segments"]
