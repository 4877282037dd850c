"""Data sets that the pipeline can replay: real aircraft positions and generated market ticks."""
