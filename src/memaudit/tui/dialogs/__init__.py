"""Screens that open over the review and give back one answer."""
