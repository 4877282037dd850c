"""The blocking form of a queue that several brokers have."""

from contextlib import closing

from divided_brokers import DividedBrokers

from lastvalue.client import Message, blocking

KEYS = [f"k{number}" for number in range(10)]


def test_it_does_what_the_asyncio_form_does() -> None:
    with DividedBrokers() as brokers:
        name = brokers.declare("divided.blocking", lvq_key="k")
        with blocking.connect(brokers.urls[0]) as connection:
            queue = connection.partitioned(name)
            assert (queue.name, queue.key_property, len(queue.partitions)) == (name, "k", 2)
            messages = [Message(f"one {key}", {"k": key}) for key in KEYS]
            assert queue.send_many(messages[:-1]) == len(KEYS) - 1
            queue.send(messages[-1])
            assert brokers.held(name) == brokers.expected({key: f"one {key}" for key in KEYS})
            assert {message.properties["k"] for message in queue.browse()} == set(KEYS)
            with closing(queue.browse(follow=True)) as browser:
                assert next(browser).properties["k"] in KEYS
            put = queue.put("k1", "two")
            value = queue.get("k1")
            assert value is not None
            assert (value.body, queue.partition_of("k1").get("k1")) == ("two", value)
            assert queue.taker_of(value).name == name
            assert queue.delete("k1", if_sequence=put.sequence).deleted
            assert set(queue.get_many(KEYS)) == {*KEYS} - {"k1"}
            assert sum(info.depth for info in queue.info()) == len(KEYS) - 1
