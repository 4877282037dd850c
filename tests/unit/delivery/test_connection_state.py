from broker_desk import made

from lastvalue.broker.broker import Broker
from lastvalue.broker.publisher import Publisher
from lastvalue.codec.output_buffer import OutputBuffer
from lastvalue.delivery.connection_state import ConnectionState
from lastvalue.delivery.protocol_connection import ConnectionContext
from lastvalue.protocols.sasl import Authenticator


def state_of(broker: Broker) -> ConnectionState:
    context = ConnectionContext(broker, Authenticator(), lambda: None, lambda user: None)
    return ConnectionState(context, OutputBuffer())


def test_a_connection_is_not_read_while_any_of_its_producers_stops_it() -> None:
    state = state_of(made())
    one, other = Publisher(), Publisher()
    assert [state.is_stopped(one, True), state.is_stopped(other, True)] == [True, True]
    assert [state.is_stopped(one, False), state.is_stopped(other, False)] == [True, False]
    assert not state.is_stopped(other, False)


def test_each_connection_has_a_number_and_an_output_of_its_own() -> None:
    broker = made()
    one, other = state_of(broker), state_of(broker)
    assert one.number != other.number
    assert one.output is not other.output
