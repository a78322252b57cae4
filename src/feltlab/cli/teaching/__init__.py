"""Commands about the dealer school."""
