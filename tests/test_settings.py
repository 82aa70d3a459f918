"""Settings: what is read, from where, and how a wrong one is answered."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from parlour.games.connect4.settings import Connect4Settings
from parlour.games.memory.settings import MemorySettings
from parlour.games.quarto.settings import QuartoSettings
from parlour.games.registry import all_settings
from parlour.settings import Settings, SettingsError, describe, field_of, parse_env
from parlour.variables import Declared


@pytest.fixture(autouse=True)
def quiet_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in field_of():
        monkeypatch.delenv(name, raising=False)


@pytest.mark.spec(
    "B60", "B61", "B62", "B64", "B65", "B66", "B69", "B70", "B71", "B72", "B73", "B75"
)
def test_defaults_are_the_documents_ones() -> None:
    settings = Settings()
    assert settings.port == 8080
    assert settings.max_latency_ms == 500
    assert settings.neon_auth_base_url is None
    memory = settings.of(MemorySettings)
    assert (memory.board_rows, memory.board_cols) == (4, 4)
    assert memory.reveal_duration_ms == 1000
    assert memory.max_name_length == 24
    assert memory.ai_pair_timeout_ms == 15_000
    assert memory.turn_limit_ms == 60_000
    assert memory.turn_countdown_show_sec == 30
    assert memory.reconnect_timeout_ms == 120_000
    assert memory.powerup_clairvoyance_reveal_ms == 2000
    assert memory.necromancy_revives_itself is True
    assert memory.powerup_shuffle_cost is None


@pytest.mark.spec("A54", "A111", "D44", "D46")
def test_thresholds_of_connect4_and_quarto_have_the_documents_defaults() -> None:
    connect4 = Settings().of(Connect4Settings)
    assert connect4.abandon_threshold_ms == 30_000
    assert connect4.queue_stale_ms == 30_000
    quarto = Settings().of(QuartoSettings)
    assert quarto.quarto_reconnect_ms == 120_000
    assert quarto.quarto_room_ttl_ms == 30 * 60_000


@pytest.mark.spec("B75", "B79")
def test_every_setting_can_be_given_and_has_a_meaning() -> None:
    shown = {setting.name: setting for setting in describe(Settings())}
    declared: list[type[Declared]] = [Settings, *all_settings().values()]
    names = {field.name.upper() for part in declared for field in structs.fields(part)}
    assert set(shown) == names - {"GAMES"}
    assert all(setting.meaning for setting in shown.values())


def test_what_a_game_wants_to_be_set_stands_in_its_own_folder() -> None:
    source = Path(inspect.getfile(Settings)).read_text("utf-8").lower()
    for key, declared in all_settings().items():
        assert declared.__module__ == f"parlour.games.{key}.settings"
        assert all(field.name not in source for field in structs.fields(declared))


def test_some_settings_are_changed_whoever_declares_them() -> None:
    settings = Settings.given(port=1, turn_limit_sec=2).changed(queue_stale_sec=3)
    assert settings.port == 1
    assert settings.of(MemorySettings).turn_limit_ms == 2_000
    assert settings.of(Connect4Settings).queue_stale_ms == 3_000
    assert settings.of(QuartoSettings) == Settings().of(QuartoSettings)
    with pytest.raises(TypeError, match="no_such_thing"):
        Settings.given(no_such_thing=1)
    with pytest.raises(SettingsError, match=r"^BOARD_ROWS"):
        Settings.given(board_rows=1, board_cols=3)


@pytest.mark.spec("B65")
def test_port_wins_over_ws_port() -> None:
    assert Settings.read({"WS_PORT": "1001"}).port == 1001
    assert Settings.read({"WS_PORT": "1001", "PORT": "1002"}).port == 1002


@pytest.mark.spec("B70", "B71", "B72")
def test_the_documents_spellings_and_fractions_are_understood() -> None:
    settings = Settings.read(
        {"TurnLimitSec": "0.25", "TurnCountdownShowSec": "0.1", "ReconnectTimeoutSec": "1.5"}
    )
    memory = settings.of(MemorySettings)
    assert memory.turn_limit_ms == 250
    assert memory.turn_countdown_show_sec == 0.1
    assert memory.reconnect_timeout_ms == 1500


def test_the_environment_wins_over_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".env").write_text("TURN_LIMIT_SEC=60\nHOST=0.0.0.0\n")
    monkeypatch.setenv("TurnLimitSec", "5")
    monkeypatch.setenv("HOME", "/somewhere")
    settings = Settings.load(tmp_path)
    assert (settings.of(MemorySettings).turn_limit_sec, settings.host) == (5, "0.0.0.0")


def test_without_a_file_the_defaults_stand(tmp_path: Path) -> None:
    assert Settings.load(tmp_path) == Settings()


@pytest.mark.spec("B68")
def test_an_empty_value_counts_as_none() -> None:
    assert Settings.read({"DATABASE_URL": "", "REDIS_URL": "  "}) == Settings()
    assert Settings().database_url == "sqlite:///parlour.db"
    assert Settings.read({"DATABASE_URL": "sqlite://"}).database_url == "sqlite://"


@pytest.mark.parametrize(
    ("variables", "complaint"),
    [
        ({"PORT": "many"}, "PORT: expected a whole number, got 'many'"),
        ({"PORT": "70000"}, "PORT: expected a whole number <= 65535, got '70000'"),
        ({"TURN_LIMIT_SEC": "-1"}, "TURN_LIMIT_SEC: expected a number >= 0.0, got '-1'"),
        ({"TURN_LIMIT_SEC": "nan"}, "TURN_LIMIT_SEC: expected a number >= 0.0, got 'nan'"),
        ({"LOCAL_AUTH": "perhaps"}, "LOCAL_AUTH: expected true or false, got 'perhaps'"),
        ({"NEON_AUTH_BASE_URL": "ftp://x"}, "NEON_AUTH_BASE_URL: expected http://… or https://…"),
        ({"ALLOWED_ORIGINS": "*"}, "ALLOWED_ORIGINS: expected http://… or https://…, got '*'"),
        ({"ALLOWED_ORIGINS": "https://a.b/c"}, "ALLOWED_ORIGINS: an origin has no path"),
        ({"REDIS_URL": "http://x"}, "REDIS_URL: expected redis://"),
        ({"REDIS_URL": "redis://x:port"}, "REDIS_URL: "),
        ({"REDIS_URL": "redis://x:99999"}, "REDIS_URL: "),
        ({"DATABASE_URL": "postgresql://x:port/y"}, "DATABASE_URL: "),
        ({"DATABASE_URL": "sqlite:///:memory:"}, "DATABASE_URL: a database that is not kept"),
        (
            {"DEFAULT_CURRENCY_TICKER": "tnb!"},
            "DEFAULT_CURRENCY_TICKER: expected 1 to 10 capital letters or digits, got 'tnb!'",
        ),
        ({"NO_SUCH_THING": "1"}, "NO_SUCH_THING: there is no setting of this name"),
    ],
)
def test_a_wrong_setting_is_named_on_one_line(variables: dict[str, str], complaint: str) -> None:
    with pytest.raises(SettingsError) as refusal:
        Settings.read(variables)
    assert str(refusal.value).startswith(complaint)
    assert "\n" not in str(refusal.value)


@pytest.mark.spec("B61")
@pytest.mark.parametrize(("rows", "cols"), [("3", "3"), ("1", "2"), ("0", "4"), ("21", "2")])
def test_a_board_must_have_an_even_number_of_cards(rows: str, cols: str) -> None:
    with pytest.raises(SettingsError, match=r"^BOARD_"):
        Settings.read({"BOARD_ROWS": rows, "BOARD_COLS": cols})


def test_a_name_nobody_knows_in_the_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("# mine\nPORT=1\nPROT=8080\n")
    with pytest.raises(SettingsError, match=r"^\.env line 3: there is no setting named PROT$"):
        Settings.load(tmp_path)


def test_a_file_that_is_no_text_is_an_error(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingsError, match="cannot be read"):
        Settings.load(tmp_path)


def test_the_file_knows_comments_quotes_and_export() -> None:
    text = "\n# comment\nexport PORT=1 # why\nHOST=\"a # b\"\nKAFKA_TOPIC='t'\n"
    assert parse_env(text) == {"PORT": "1", "HOST": "a # b", "KAFKA_TOPIC": "t"}


def test_passwords_are_not_shown() -> None:
    settings = Settings.read(
        {"DATABASE_URL": "postgresql://me:secret@db/parlour", "REDIS_URL": "redis://:secret@r:1"}
    )
    shown = {setting.name: setting.value for setting in describe(settings)}
    assert shown["DATABASE_URL"] == "postgresql://me:***@db/parlour"
    assert shown["REDIS_URL"] == "redis://:***@r:1"
    with pytest.raises(SettingsError) as refusal:
        Settings.read({"DATABASE_URL": "mysql://me:secret@db/parlour"})
    assert "secret" not in str(refusal.value)


@given(st.dictionaries(st.sampled_from(sorted(field_of())), st.text(max_size=40), max_size=6))
def test_whatever_is_given_is_either_taken_or_refused_on_one_line(
    variables: dict[str, str],
) -> None:
    complaint = "none"
    try:
        assert list(describe(Settings.read(variables)))
    except SettingsError as refusal:
        complaint = str(refusal)
    assert len(complaint.splitlines()) == 1


@given(st.text())
def test_whatever_the_file_holds_is_either_taken_or_refused_on_one_line(text: str) -> None:
    complaint = "none"
    try:
        parse_env(text)
    except SettingsError as refusal:
        complaint = str(refusal)
    assert len(complaint.splitlines()) == 1
