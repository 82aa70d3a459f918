"""Waiting for a place: in order, and never lost when somebody gives up."""

from __future__ import annotations

import asyncio

import pytest

from parlour.places import Places


async def waiting(places: Places, name: str, came: list[str]) -> None:
    async with places:
        came.append(name)
        await asyncio.sleep(0)


async def test_who_comes_first_goes_first() -> None:
    places, came = Places(), list[str]()
    await places.enter()
    tasks = [asyncio.create_task(waiting(places, name, came)) for name in "abc"]
    await asyncio.sleep(0)
    assert not places.free
    assert came == []
    places.leave()
    await asyncio.gather(*tasks)
    assert came == ["a", "b", "c"]
    assert places.free


async def test_so_many_are_in_at_once_and_no_more() -> None:
    places, inside, most = Places(3), 0, 0

    async def visit() -> None:
        nonlocal inside, most
        async with places:
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0)
            inside -= 1

    await asyncio.gather(*(visit() for _ in range(20)))
    assert most == 3


@pytest.mark.parametrize("moment", ["while waiting", "when it is its turn"])
async def test_a_place_is_not_lost_with_who_gives_up(moment: str) -> None:
    places, came = Places(), list[str]()
    await places.enter()
    first = asyncio.create_task(waiting(places, "first", came))
    second = asyncio.create_task(waiting(places, "second", came))
    await asyncio.sleep(0)
    if moment == "while waiting":
        first.cancel()
        places.leave()
    else:
        places.leave()
        first.cancel()
    await asyncio.gather(first, second, return_exceptions=True)
    assert came == ["second"]
    assert places.free


async def test_somebody_who_fails_inside_leaves_all_the_same() -> None:
    places = Places()
    with pytest.raises(KeyError):
        async with places:
            raise KeyError
    assert places.free
