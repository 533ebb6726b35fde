"""LimitedTest by its old name: pytest holds each test to its time (conftest.py)."""
from unittest import TestCase as LimitedTest  # noqa: F401
