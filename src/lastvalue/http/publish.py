"""Publishing one message and hearing whether a queue got it."""

from http import HTTPStatus

from lastvalue.client import Connection, Message, SendRejectedError


async def publish(broker: Connection, address: str, message: Message) -> bool:
    """Publish to a queue or an exchange and wait for the confirmation; whether a queue got the message.

    Raises:
        SendRejectedError: a queue refused it.
        QueueNotFoundError: the address does not exist.
    """
    async with broker.queue(address).sender(reject_unroutable=True) as sender:
        try:
            await sender.send(message)
        except SendRejectedError as error:
            if error.condition.http != HTTPStatus.NOT_FOUND:
                raise
            return False
    return True
