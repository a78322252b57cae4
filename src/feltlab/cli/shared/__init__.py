"""What several commands share: arguments and output."""
