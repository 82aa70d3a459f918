"""Imported by the process that those of the seeds are forked from: everything is loaded."""

from tests.simulation.world import simulate

simulate(0)
