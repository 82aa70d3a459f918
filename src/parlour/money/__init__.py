"""Play money, treated as if it were not: wallets, escrow, ledger."""
