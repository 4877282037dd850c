"""Running the pipeline that a configuration declares: its feeds, histories and replays."""
