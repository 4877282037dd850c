"""Runs the pipeline that a configuration declares: feeds, histories and replays."""
