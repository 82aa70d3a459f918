"""Memory: where cards lay is chance's secret, so only turns, absences and the end are judged."""

from __future__ import annotations

from tests.simulation.audit.books import Broken, Row, decoded
from tests.simulation.audit.matches import Played


def judge(played: Played) -> None:
    """Nobody acts after the end, and who won is who should have."""
    match, state, name = played.match, played.state, played.match["id"]
    _turns(name, played.journal)
    if match["status"] != "finished":
        return
    reason, winner = match["reason"], match["winner"]
    if [seat["score"] for seat in played.seats] != state["scores"]:
        raise Broken(f"the scores of {name} are not those of its cards")
    if reason == "completed":
        if any(card["state"] != "matched" for card in state["cards"]):
            raise Broken(f"{name} was completed with cards left over")
        first, second = state["scores"]
        if winner != (None if first == second else int(second > first)):
            raise Broken(f"{name} was not won by who found more pairs")
    elif not _left(played, 1 - winner):
        _away(played, 1 - winner)


def _left(played: Played, loser: int) -> bool:
    """Whether the last deed was the loser's farewell."""
    acts = [entry for entry in played.journal if entry["kind"] == "act"]
    if not acts or acts[-1]["seat"] != loser:
        return False
    return bool(decoded(acts[-1]["action"]) == {"type": "leave"})


def _turns(name: str, journal: list[Row]) -> None:
    """Nobody acts after giving up, and no card is flipped twice in a turn."""
    flipped: tuple[int, int] | None = None
    for entry in journal:
        if entry["kind"] == "expire":
            flipped = None
        elif entry["kind"] == "act":
            act = decoded(entry["action"])
            flip = (entry["seat"], act["index"]) if act["type"] == "flip" else None
            if flip is not None and flip == flipped:
                raise Broken(f"a card of {name} was flipped twice in a row")
            flipped = flip


def _away(played: Played, loser: int) -> None:
    """Who lost by absence was gone for as long as that takes."""
    went_at: int | None = None
    for entry in played.journal:
        if entry["seat"] == loser and entry["kind"] == "gone":
            went_at = entry["at"] if went_at is None else went_at
        elif entry["seat"] == loser and entry["kind"] == "back":
            went_at = None
    ended_at, window = played.match["ended_at"], played.options["reconnect_ms"]
    if went_at is None or ended_at < went_at + window:
        raise Broken(f"{loser} lost {played.match['id']} by absence and was there")
