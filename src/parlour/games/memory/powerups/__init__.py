"""The power-ups there are. The first is granted by pair 0, the next by pair 1, and so on."""

from parlour.games.memory.powerups.api import PowerUp
from parlour.games.memory.powerups.chaos import Chaos
from parlour.games.memory.powerups.clairvoyance import Clairvoyance
from parlour.games.memory.powerups.necromancy import Necromancy
from parlour.games.memory.powerups.unveiling import Unveiling

POWER_UPS: tuple[PowerUp, ...] = (Chaos(), Clairvoyance(), Necromancy(), Unveiling())
