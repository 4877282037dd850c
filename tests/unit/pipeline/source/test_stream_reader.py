"""lastvalue.pipeline.source.stream_reader; `test_readers.py` has it with a broker."""

import pickle

from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadMaxRows

from lastvalue.pipeline.source.options import parse_source_options
from lastvalue.pipeline.source.stream_reader import StreamReader


def test_a_batch_is_all_that_there_is_unless_the_options_say_how_much() -> None:
    assert StreamReader(parse_source_options({"queue": "q"})).getDefaultReadLimit() == ReadAllAvailable()
    options = parse_source_options({"queue": "q", "maxRecordsPerBatch": "5"})
    assert StreamReader(options).getDefaultReadLimit() == ReadMaxRows(5)


def test_nothing_of_the_driver_goes_to_the_workers() -> None:
    reader = StreamReader(parse_source_options({"queue": "q"}))
    reader._driver_planner()
    assert pickle.loads(pickle.dumps(reader))._planner is None
    reader.stop()
