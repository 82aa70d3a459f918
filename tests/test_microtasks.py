"""What is put off is done in the same callback of the event loop, or else in its next turn."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

import pytest

from parlour.microtasks import Microtasks


async def next_turn() -> None:
    await asyncio.sleep(0)


async def test_what_is_put_off_follows_in_order_before_the_loop_goes_on() -> None:
    loop, microtasks, done = asyncio.get_running_loop(), Microtasks(), list[str]()

    def first() -> None:
        loop.call_soon(done.append, "another callback")
        microtasks.put_off(loop, partial(done.append, "second"))
        microtasks.put_off(loop, third)
        done.append("first")

    def third() -> None:
        microtasks.put_off(loop, partial(done.append, "fourth"))
        done.append("third")

    microtasks.run(first)
    assert done == ["first", "second", "third", "fourth"]
    await next_turn()
    assert done[4:] == ["another callback"]


async def test_what_is_run_within_is_not_the_end_of_what_it_is_in() -> None:
    loop, microtasks, done = asyncio.get_running_loop(), Microtasks(), list[str]()

    def inner() -> None:
        microtasks.put_off(loop, partial(done.append, "put off"))

    def outer() -> None:
        microtasks.run(inner)
        done.append("outer")

    microtasks.run(outer)
    assert done == ["outer", "put off"]


async def test_elsewhere_it_is_done_in_the_next_turn() -> None:
    loop, microtasks, done = asyncio.get_running_loop(), Microtasks(), list[int]()
    microtasks.put_off(loop, partial(done.append, 1))
    assert not done
    await next_turn()
    assert done == [1]


def _at_once(microtasks: Microtasks, loop: asyncio.AbstractEventLoop) -> None:
    del microtasks, loop
    raise LookupError


def _put_off(microtasks: Microtasks, loop: asyncio.AbstractEventLoop) -> None:
    microtasks.put_off(loop, partial(_at_once, microtasks, loop))


@pytest.mark.parametrize("fail", [_at_once, _put_off])
async def test_what_fails_keeps_nothing_from_being_done(
    fail: Callable[[Microtasks, asyncio.AbstractEventLoop], None],
) -> None:
    loop, microtasks, done = asyncio.get_running_loop(), Microtasks(), list[int]()

    def failing() -> None:
        if fail is _put_off:
            fail(microtasks, loop)
        microtasks.put_off(loop, partial(done.append, 1))
        if fail is _at_once:
            fail(microtasks, loop)

    with pytest.raises(LookupError):
        microtasks.run(failing)
    await next_turn()
    assert done == [1]
    microtasks.run(partial(microtasks.put_off, loop, partial(done.append, 2)))
    assert done == [1, 2], "and all goes on as before"
