"""One task being played: turns, user, transcript, outcome, reward, prompt. Knows no transport."""

from .actions import InvalidAction
from .episode import Episode, EpisodeJournal, EpisodeOver, RewardForm, Step
from .outcome import Outcome, TurnOutcome
from .prompt import AnswerForm, UserForm, system_prompt
from .record import RunRecord, read_run, record
from .render import render
from .solo import solo_form

__all__ = [
    "AnswerForm",
    "Episode",
    "EpisodeJournal",
    "EpisodeOver",
    "InvalidAction",
    "Outcome",
    "RewardForm",
    "RunRecord",
    "Step",
    "TurnOutcome",
    "UserForm",
    "read_run",
    "record",
    "render",
    "solo_form",
    "system_prompt",
]
