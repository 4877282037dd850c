"""The brokers that have a queue, as one of them tells."""

from lastvalue.client import blocking
from lastvalue.client.errors import RefusedError
from lastvalue.model.conditions import Condition
from lastvalue.pipeline.broker_access import each_url, url_at


def leader_urls(connection: blocking.Connection, url: str, queue: str) -> tuple[str, ...]:
    """The URL of each broker that has the queue or some of its keys; none if it is not partitioned.

    A URL names a leader and, after commas, those that follow it, with the credentials of `url`.
    """
    try:
        leaders = connection.leaders(queue)
    except RefusedError as refused:
        if refused.symbol == Condition.INVALID_FIELD.amqp10:
            # A broker of a version without partitions does not know the type of the request.
            return ()
        raise
    return tuple(
        ",".join(url_at(each_url(url)[0], address) for address in addresses)
        for addresses in leaders.addresses
    )
