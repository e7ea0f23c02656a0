"""Proofs: checks of an environment, certificates of tasks, reports. Executes; never asks an opinion."""

from .certificate import Certificate, certify
from .finding import Finding
from .report import Report, pin_tasks, verify, write_report

__all__ = ["Certificate", "Finding", "Report", "certify", "pin_tasks", "verify", "write_report"]
