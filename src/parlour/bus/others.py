"""Which other processes listen at a Redis, to say to each of them all at once what there is to say.

By the channels of topics everybody hears a message for each step, and whoever takes a step its own
echo. So each process has an inbox, a channel of its own, and a batch goes there as one message.

Laws:

* A batch goes to inboxes only if theirs and our own are all there are. The script that sends it
  counts who listens in the same instant, so nobody is left out who has just come, or who knows
  nothing of inboxes; else each message goes over its topic.
* Who begins to listen asks who is there, and everybody answers. What was known is found out anew
  every so often when the count was not as expected.
* Who hears all that is said passes over what nobody there listens to. That is cheap, and yet so
  many processes as would make it dear use topics.
"""

from __future__ import annotations

import msgspec

from parlour.bus.backlog import Message

FEW = 4
"""So many others may hear all that is said."""

WHO, HERE = b"?", b"!"
"""What is asked of all who have an inbox, and what they answer."""

PUBLISH_WHOLE = b"""
local all = redis.call("PUBSUB", "NUMSUB", unpack(ARGV, 2))
local known = 0
for place = 4, #all, 2 do
    if all[place] == 0 and place > 4 then return 0 end
    known = known + all[place]
end
if all[2] ~= known then return 0 end
for place = 4, #ARGV do redis.call("PUBLISH", ARGV[place], ARGV[1]) end
return 1
"""
"""A message to the inboxes from the fourth parameter on, if they and the third, which is one's own,
are all that listen to the second, which everybody does."""

_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(list[Message])


class Others:
    """Those that have an inbox, as far as this process has heard of them."""

    def __init__(self, prefix: bytes, origin: bytes) -> None:
        self._prefix = prefix + b"to:"
        self.inbox = self._prefix + origin
        """Our own."""
        self.greetings = prefix + b"hello"
        """The channel over which they find each other."""
        self._inboxes: dict[bytes, None] = {}
        self._tried = 0
        """How many they were when a batch was last made for them."""
        self._as_counted = True

    @property
    def known(self) -> int:
        """How many they are."""
        return len(self._inboxes)

    @property
    def reachable(self) -> bool:
        """Whether these few are, as far as is known, all that listen."""
        return self._as_counted and self.known <= FEW

    def command(self, everybody: bytes, batch: list[Message]) -> tuple[bytes, ...]:
        """By which a batch goes to all of them, if they are all that listen to `everybody`."""
        self._tried = self.known
        whole = _ENCODER.encode(batch)
        return (b"EVAL", PUBLISH_WHOLE, b"0", whole, everybody, self.inbox, *self._inboxes)

    def met(self, origin: bytes) -> None:
        """Another has said that it is here."""
        inbox = self._prefix + origin
        if inbox not in self._inboxes:
            self._inboxes[inbox] = None
            self._as_counted = True

    def miscounted(self) -> None:
        """There were others than those that the last batch was made for, or fewer."""
        self._as_counted = self.known != self._tried

    def sought(self) -> bool:
        """Whether to ask who is there. Nobody is known then, until they answer."""
        if self.reachable:
            return False
        self._inboxes.clear()
        self._as_counted = True
        return True


def unpacked(whole: bytes) -> list[Message] | None:
    """The messages of a batch; None if it makes no sense."""
    try:
        return _DECODER.decode(whole)
    except msgspec.DecodeError:
        return None
