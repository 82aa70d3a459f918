"""Who has left leaves nothing behind in memory."""

from __future__ import annotations

import gc

from parlour.host.attendance import Attendance
from parlour.host.visitor import Visitor
from parlour.net.line import Line
from parlour.net.session import Session
from tests.garbage import no_garbage
from tests.host.conftest import Enter
from tests.play.conftest import until


def lines() -> int:
    return sum(type(each) is Line for each in gc.get_objects())


async def test_who_left_a_table_leaves_no_garbage(enter: Enter) -> None:
    before = lines()
    with no_garbage(Line, Session, Visitor, Attendance):
        ann = await enter()
        await ann.asks("play_bot", game="connect4", bot="easy", seat=0)
        await ann.hang_up()
        del ann
        await until(lambda: lines() <= before)
