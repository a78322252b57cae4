"""feltlab proves, deals and certifies house-banked casino card games."""

__version__ = "0.1.0"
