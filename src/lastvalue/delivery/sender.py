"""Who publishes: what its messages are marked with, and that they name nobody else as their sender."""

from typing import Final, final

from lastvalue.broker.authorization import Authorization
from lastvalue.broker.rights.owner import Owner
from lastvalue.codec.amqp10.message_shape import MessageShape
from lastvalue.model.message import Message, MessageExtras

_USER_ID: Final = "properties.user-id"


@final
class Sender:
    """The user of a producer, and the container that its messages are of.

    Attributes:
        signature: the extras of messages that have no others: whose they are.
    """

    __slots__ = ("_authorization", "_owner", "signature")

    def __init__(self, authorization: Authorization, owner: Owner) -> None:
        self._authorization = authorization
        self._owner = owner
        self.signature = MessageExtras(origin=owner.container) if owner.container else None

    def check(self, message: Message, shape: MessageShape | None) -> None:
        """Refuse a message that another user has sent, by its user-id; note of a shape that it is not.

        Raises:
            ImpersonationError: the producer may not publish it.
            DecodeError: its properties are malformed.
        """
        user_id = message.field(_USER_ID)
        if isinstance(user_id, bytes):
            user_id = user_id.decode(errors="replace")
        if not user_id or user_id == self._owner.principal:
            if shape is not None:
                shape.is_own = True
            return
        self._authorization.check_sender(self._owner, str(user_id))
