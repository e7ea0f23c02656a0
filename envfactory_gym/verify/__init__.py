"""Proofs: checks of an environment, certificates of tasks, reports. Executes; never asks an opinion."""

from .certificate import Certificate, certify
from .finding import Finding
from .report import Report, pin_tasks, verify, write_report
from .sandboxed import SandboxedReport, verify_sandboxed

__all__ = [
    "Certificate",
    "Finding",
    "Report",
    "SandboxedReport",
    "certify",
    "pin_tasks",
    "verify",
    "verify_sandboxed",
    "write_report",
]
