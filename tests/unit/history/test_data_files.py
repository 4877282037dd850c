"""What a table consists of."""

from lastvalue.history.data_files import EFFECTS, DataFile


def test_the_stream_of_a_file_is_its_history_and_epoch() -> None:
    file = DataFile("p", EFFECTS, "h", 3, "q", "1970-01-01", 1, 100, 1, 1, 1000, 1000)
    assert file.stream == ("h", 3)
