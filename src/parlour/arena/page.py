"""`docs/opponents.md`: who plays in each game, and how strong they were measured to be.

What stands between its marks is written from the games themselves; by whoever measures one game for
that game alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from parlour.arena.plot import Measured, picture
from parlour.games.registry import AnyBot, Strength

PAGE: Final = "opponents.md"
IMAGES: Final = "images"


def title_of(key: str) -> str:
    """A game's name for people.

    >>> title_of("connect4"), title_of("connect_five")
    ('Connect 4', 'Connect Five')
    """
    return re.sub(r"(?<=[a-z])(?=\d)", " ", key).replace("_", " ").title()


def image_of(key: str) -> str:
    """The name of a game's picture."""
    return f"opponents-{key.replace('_', '-')}.svg"


def drawn(key: str, opponents: Sequence[AnyBot], strengths: Mapping[str, Strength]) -> str:
    """The picture of those that were measured."""
    measured = [
        Measured(bot.persona.title, strengths[bot.name])
        for bot in opponents
        if bot.name in strengths
    ]
    return picture(f"How strong the opponents in {title_of(key)} are", measured)


def written(
    page: str,
    key: str,
    opponents: Sequence[AnyBot],
    strengths: Mapping[str, Strength],
    command: str | None = None,
) -> str:
    """The page with a game's part as it is now; a game that has none gets one at the end.

    `command` is how they were measured; without it, what the page says of that stays.
    """
    begin, end = f"<!-- opponents of {key}: written by `make docs` -->", "<!-- end of opponents -->"
    before, found, rest = page.partition(begin)
    if not found:
        before, rest = f"{page.rstrip()}\n\n## {title_of(key)}\n\n", f"{end}\n"
    part, _, after = rest.partition(end)
    kept = re.search(r"^Measured by `([^`]+)`", part, re.MULTILINE)
    by = command or (kept[1] if kept else None)
    lines = ["| | name | how it plays | rating |", "|---|---|---|--:|"]
    for bot in opponents:
        measured = strengths.get(bot.name)
        rating = f"{measured.rating} ± {measured.error}" if measured else "not measured"
        persona = bot.persona
        lines.append(f"| **{persona.title}** | `{bot.name}` | {persona.character} | {rating} |")
    if strengths and by:
        games = sum(each.games for each in strengths.values()) // 2
        alt = f"Ratings of the opponents in {title_of(key)}"
        lines += ["", f"![{alt}]({IMAGES}/{image_of(key)})", ""]
        lines += [f"Measured by `{by}`: {games:,} games."]
    inside = "\n".join(lines)
    return f"{before}{begin}\n{inside}\n{end}{after}"
