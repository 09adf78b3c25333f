"""Invoices, subscriptions and settlement for a small shop."""

__version__ = "0.4.0"
