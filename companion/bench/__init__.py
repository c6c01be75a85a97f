"""Measurements: what is compared runs side by side in one go."""
