"""What happened, for those who count: the outbox and its way to Kafka."""
