"""The cause of a failure on one line, out of traces as Spark, Java and Python write them."""

import pytest

from lastvalue.pipeline.failure_cause import FailureCause, failure_cause, failure_trace

MALFORMED = """\
[FOREACH_BATCH_USER_FUNCTION_ERROR] An error occurred in the user provided function in foreach batch sink. Reason: An exception was raised by the Python Proxy. Return Message: Traceback (most recent call last):
  File "/lib/python3.11/site-packages/py4j/clientserver.py", line 644, in _call_proxy
    return_value = getattr(self.pool[obj_id], method)(*params)
                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
py4j.protocol.Py4JJavaError: An error occurred while calling o273.collectToPython.
: org.apache.spark.SparkException: [FAILED_READ_FILE.NO_HINT] Encountered error while reading file file:///data/ticks/bad.csv.  SQLSTATE: KD001
\tat org.apache.spark.sql.errors.QueryExecutionErrors$.cannotReadFilesError(QueryExecutionErrors.scala:920)
Caused by: org.apache.spark.SparkException: [MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION] Malformed records are detected in record parsing: [AAPL,null].
Parse Mode: FAILFAST. To process malformed records as null result, try setting the option 'mode' as 'PERMISSIVE'.  SQLSTATE: 22023
\tat org.apache.spark.sql.catalyst.util.FailureSafeParser.parse(FailureSafeParser.scala:83)
\t... 39 more
Caused by: java.lang.NumberFormatException: For input string: "xx"
\tat java.base/java.lang.Long.parseLong(Long.java:711)
\t... 45 more

"""  # noqa: E501 - as Spark writes it

WORKER = """\
org.apache.spark.SparkException: Job aborted due to stage failure: Task 0 in stage 4.0 failed 1 times
\tat org.apache.spark.scheduler.DAGScheduler.failJobAndIndependentStages(DAGScheduler.scala:3052)
Caused by: org.apache.spark.api.python.PythonException: Traceback (most recent call last):
  File "/site-packages/lastvalue/pipeline/sink/row_batches.py", line 136, in _reject
lastvalue.pipeline.sink.row_batches.RejectedRowError: priority is 999; expected 0 to 255; the row is {"a": 1}
\tat org.apache.spark.api.python.BasePythonRunner$ReaderIterator.handlePythonException(PythonRunner.scala:645)
"""

CAST = """\
org.apache.spark.SparkNumberFormatException: [CAST_INVALID_INPUT] The value 'xx' of the type "STRING" cannot
be cast to "BIGINT" because it is malformed. SQLSTATE: 22018
== SQL (line 1, position 1) ==
CAST(sequence AS BIGINT)
\tat org.apache.spark.sql.errors.QueryExecutionErrors$.invalidInputInCastToNumberError(X.scala:147)
"""


@pytest.mark.parametrize(
    ("trace", "cause"),
    [
        (
            MALFORMED,
            FailureCause(
                '/data/ticks/bad.csv: NumberFormatException: For input string: "xx"',
                "/data/ticks/bad.csv",
                malformed=True,
            ),
        ),
        (WORKER, FailureCause('priority is 999; expected 0 to 255; the row is {"a": 1}')),
        (
            CAST,
            FailureCause(
                '[CAST_INVALID_INPUT] The value \'xx\' of the type "STRING" cannot be cast to "BIGINT" '
                "because it is malformed. == SQL (line 1, position 1) == CAST(sequence AS BIGINT)"
            ),
        ),
        (
            "[UNRESOLVED_COLUMN] no such column. SQLSTATE: 42703; line 1 pos 0\n== SQL ==",
            FailureCause("[UNRESOLVED_COLUMN] no such column."),
        ),
        ("", FailureCause("Spark gave no reason")),
    ],
)
def test_the_cause_is_what_an_operator_can_act_on(trace: str, cause: FailureCause) -> None:
    assert failure_cause(trace) == cause


def test_a_cause_is_cut_to_a_length_that_a_line_can_have() -> None:
    assert len(failure_cause("x" * 10_000).text) < 600


def test_a_trace_has_what_java_says_about_each_cause() -> None:
    inner, outer = ValueError("inner"), ValueError("outer")
    inner.__dict__["_stackTrace"] = "java.lang.Inner: at Inner.java:1"
    outer.__dict__["_cause"] = inner
    assert "ValueError: outer" in failure_trace(outer)
    assert "Inner.java:1" in failure_trace(outer)
