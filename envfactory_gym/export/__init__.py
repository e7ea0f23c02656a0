"""Training data: finished episodes and tasks as the files that trainers read.

What lives here: samples (a finished episode without anything graded but its reward), RL rows (a
task's public face), one small module per format, a dataset card with plots, and the audit that
looks for leaks between splits. What may not: trainers themselves (`integrations`), and secrets:
no exporter ever sees a goal, a gold plan or the reasons of an outcome, since samples do not hold them.
"""

from .audit import Leak, audit
from .gold import gold_samples
from .masks import Mask
from .messages import Message
from .prompts import Prompt, prompts
from .sample import Sample, sample_of
from .write import FORMATS, Dataset, export

__all__ = [
    "FORMATS",
    "Dataset",
    "Leak",
    "Mask",
    "Message",
    "Prompt",
    "Sample",
    "audit",
    "export",
    "gold_samples",
    "prompts",
    "sample_of",
]
