"""Which queues a query reads, and of which moments."""

import pytest

from lastvalue.sql.query_text import QueryError, QueueReference, read_query


@pytest.mark.parametrize(
    ("text", "references"),
    [
        ("select 1", []),
        ("select * from prices p join positions using (symbol)", ["prices", "positions"]),
        ('select * from "prices.eu" where x in (select y from holdings)', ["prices.eu", "holdings"]),
        ("with best as (select * from prices) select * from best", ["prices"]),
        ("select * from 'trades.csv'", ["trades.csv"]),
        ("select 'from nowhere' -- from nothing", []),
    ],
)
def test_tables_are_queues(text: str, references: list[str]) -> None:
    query = read_query(text)
    assert query.text == text
    assert [(each.table, each.queue, each.time) for each in query.references] == [
        (name, name, None) for name in references
    ]


def test_a_moment_makes_a_table_of_its_own() -> None:
    query = read_query("""select * from prices now, prices AS OF '10:02:11' old, "a b" as of '-5m'""")
    assert query.text == 'select * from prices now, "prices as of 10:02:11" old, "a b as of -5m"'
    assert query.references == (
        QueueReference("prices", "prices"),
        QueueReference("prices as of 10:02:11", "prices", "10:02:11"),
        QueueReference("a b as of -5m", "a b", "-5m"),
    )


def test_the_name_of_a_queue_may_have_a_quote() -> None:
    query = read_query("""select * from "a""b" as of '-5m', "c""d\"""")
    assert query.references == (
        QueueReference('a"b as of -5m', 'a"b', "-5m"),
        QueueReference('c"d', 'c"d'),
    )


def test_a_text_and_a_comment_that_look_like_a_moment_are_none() -> None:
    text = "select 'p as of ''x''' from prices /* q as of '1' */ -- r as of '2'"
    assert read_query(text).text == text


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("selct 1", "syntax error"),
        ("delete from prices", "one SELECT"),
        ("select * from prices as of yesterday", "syntax error"),
        ("", "one SELECT"),
        ("select 1; select 2", "one SELECT"),
    ],
)
def test_what_is_no_query_is_refused(text: str, fault: str) -> None:
    with pytest.raises(QueryError, match=fault):
        read_query(text)
