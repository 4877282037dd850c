"""lastvalue.broker.administration.broker_process."""

from lastvalue.broker.administration.broker_process import PROCESS
from lastvalue.broker.requests.broker_requests import BROKER


def test_no_name_of_the_process_hides_one_of_the_broker() -> None:
    assert not {statistic.name for statistic in BROKER} & set(PROCESS)
