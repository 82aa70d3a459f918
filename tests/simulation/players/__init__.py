"""How games are played: `anything` through the kernel, those with a surface through that."""
