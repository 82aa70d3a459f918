"""Names: what a username or a display name may look like, and how who brings none gets one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import count
from unicodedata import category

LONGEST = 20
_USERNAME = re.compile(r"[A-Za-z0-9_]{3,20}", re.ASCII)

ADJECTIVES = (
    "Swift Clever Bold Quick Bright Keen Lucky Happy Brave Calm "
    "Agile Amber Ample Breezy Brisk Bronze Cheery Comfy Cosmic Cosy "
    "Crafty Coral Daring Dapper Eager Early Fabled Fancy Fair Fleet "
    "Frosty Glad Gentle Golden Grand Hardy Honest Humble Indigo Jolly "
    "Kind Lively Loyal Lunar Mellow Merry Mighty Misty Modest Nimble "
    "Noble Peppy Plucky Polite Proud Quiet Rosy Rapid Royal Ruby "
    "Rustic Serene Sharp Silver Smooth Snowy Solar Spry Steady Starry "
    "Sunny Tidy Trusty Upbeat Velvet Vivid Warm Wise Witty Zesty"
).split()
NOUNS = (
    "Panda Falcon Tiger Wolf Eagle Fox Bear Hawk Lion Lynx "
    "Badger Beaver Bison Bobcat Camel Chough Condor Cougar Coyote Crane "
    "Dingo Dragon Egret Elk Ferret Finch Gibbon Gecko Gopher Goose "
    "Heron Ibex Ibis Jackal Jaguar Kitten Kiwi Koala Lemur Lark "
    "Llama Loris Magpie Marmot Marten Moose Mole Newt Ocelot Okapi "
    "Orca Oriole Osprey Otter Owl Parrot Plover Poodle Pony Puffin "
    "Puma Quail Rabbit Rook Raven Robin Salmon Seal Shrew Squid "
    "Stork Swan Tapir Toucan Turtle Viper Walrus Weasel Wombat Zebra"
).split()


def clean(username: str) -> str | None:
    """The name as it is kept, or None if it cannot be one.

    >>> clean(" Ada_1 "), clean("Ada Lovelace"), clean("ab")
    ('Ada_1', None, None)
    """
    trimmed = username.strip()
    return trimmed if _USERNAME.fullmatch(trimmed) else None


JOINERS = "\u200c\u200d"
"""Unseen, but part of how some scripts and emoji are written."""


def displayed(name: str, longest: int) -> str | None:
    """A display name as others get to see it, or None if it cannot be one.

    It has 1 to `longest` characters, spaces around it aside, none of which controls anything.

    >>> displayed(" Zoë K. ", 24), displayed("", 24), displayed("two\\nlines", 24)
    ('Zoë K.', None, None)
    """
    trimmed = name.strip()
    if not 1 <= len(trimmed) <= longest:
        return None
    kinds = [category(each) for each in trimmed if each not in JOINERS]
    if not kinds or any(kind[0] == "C" or kind in ("Zl", "Zp") for kind in kinds):
        return None
    return trimmed


def may_begin(prefix: str) -> bool:
    """Whether any username could begin like this.

    >>> may_begin("ad"), may_begin("a%"), may_begin("")
    (True, False, False)
    """
    return bool(re.fullmatch(r"[A-Za-z0-9_]{1,20}", prefix, re.ASCII))


def for_guest(below: Callable[[int], int]) -> str:
    """An adjective, a noun and a number up to 999; `below` draws the lots.

    Each word has six letters at most, so that the name fits wherever players are named.

    >>> for_guest(lambda limit: 7)
    'HappyHawk7'
    """
    return f"{ADJECTIVES[below(len(ADJECTIVES))]}{NOUNS[below(len(NOUNS))]}{below(1000)}"


def proposals(display_name: str | None, below: Callable[[int], int]) -> Iterator[str]:
    """Names to try in turn for someone new, ever less likely to be taken.

    >>> from itertools import islice
    >>> list(islice(proposals("Ada Lovelace", lambda limit: 7), 3))
    ['AdaLovelace', 'AdaLovelace7', 'AdaLovelace7']
    """
    wish = "".join(re.findall(r"[A-Za-z0-9_]", display_name or "", re.ASCII))[:LONGEST]
    if len(wish) < 3:
        while True:
            yield for_guest(below)
    yield wish
    for digits in count(1):
        number = str(below(10 ** min(digits, 9)))
        yield wish[: LONGEST - len(number)] + number
