"""What the surfaces share: sessions and limits of sockets, guards, error answers, metrics."""
