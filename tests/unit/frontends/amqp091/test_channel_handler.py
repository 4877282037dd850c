"""Transactions of a channel of AMQP 0-9-1."""

from amqp091_peer import Peer, closed, declared
from pamqp import commands

from lastvalue.broker.broker import Broker

Basic, Queue, Exchange, Tx = commands.Basic, commands.Queue, commands.Exchange, commands.Tx


def test_a_commit_publishes_and_acknowledges_together(broker: Broker, peer: Peer) -> None:
    declared(peer)
    declared(peer, "out")
    peer.publish(b"in", "q").say(Tx.Select(), Basic.Get(queue="q"))
    peer.expect(Tx.SelectOk)
    peer.content(Basic.GetOk)
    peer.publish(b"out", "out").say(Basic.Ack(1))
    assert [broker.lookup(name).queue.depth for name in ("q", "out")] == [1, 0]
    peer.say(Tx.Commit()).expect(Tx.CommitOk)
    assert [broker.lookup(name).queue.depth for name in ("q", "out")] == [0, 1]


def test_a_rollback_forgets_what_was_published_and_what_was_acknowledged(broker: Broker, peer: Peer) -> None:
    declared(peer)
    peer.publish(b"in", "q").say(Tx.Select(), Basic.Get(queue="q"), Basic.Ack(1)).publish(b"x", "q")
    peer.frames.clear()
    peer.say(Tx.Rollback()).expect(Tx.RollbackOk)
    assert broker.lookup("q").queue.depth == 1
    peer.say(Basic.Ack(1), Tx.Commit()).expect(Tx.CommitOk)
    assert broker.lookup("q").queue.depth == 0


def test_a_commit_is_answered_when_the_journal_has_it(peer: Peer) -> None:
    declared(peer, flags="durable")
    peer.say(Tx.Select()).expect(Tx.SelectOk)
    peer.hold_flushes()
    peer.publish(b"x", "q", delivery_mode=2).say(Tx.Commit(), Basic.Get(queue="q"))
    assert peer.silent()
    peer.flush().expect(Tx.CommitOk)
    assert peer.content(Basic.GetOk)[2] == b"x"


def test_a_commit_that_a_queue_has_no_room_for_does_nothing(broker: Broker, peer: Peer) -> None:
    declared(peer, max_messages=1)
    peer.say(Tx.Select()).expect(Tx.SelectOk)
    peer.publish(b"1", "q").publish(b"2", "q").say(Tx.Commit())
    assert closed(peer)[0] == 506
    assert broker.lookup("q").queue.depth == 0


def test_a_mandatory_message_of_a_transaction_is_returned_at_its_commit(peer: Peer) -> None:
    peer.say(Tx.Select()).expect(Tx.SelectOk)
    assert peer.publish(b"x", "nowhere", mandatory=True).silent()
    peer.say(Tx.Commit())
    assert peer.content(Basic.Return)[2] == b"x"
    peer.expect(Tx.CommitOk)


def test_what_was_published_before_a_close_counts(broker: Broker, peer: Peer) -> None:
    declared(peer)
    parts = commands.Channel.Close(200, "", 0, 0), commands.Connection.Close(200, "", 0, 0)
    peer.publish(b"x", "q", also=parts)
    assert broker.lookup("q").queue.depth == 1
    assert peer.conversation.finished


def test_commands_that_wait_for_the_journal_are_answered_one_after_the_other(peer: Peer) -> None:
    peer.hold_flushes()
    peer.say(*[Queue.Declare(queue=f"q{number}", durable=True) for number in range(5)])
    assert peer.silent()
    peer.flush()
    assert [peer.expect(Queue.DeclareOk).queue for _ in range(5)] == [f"q{number}" for number in range(5)]
