"""One task being played: turns, user, transcript, outcome, reward, prompt. Knows no transport."""

from .actions import InvalidAction
from .asynchronous import AsyncEpisode
from .episode import Episode, EpisodeCheckpoint, EpisodeOver, Step
from .journal import EpisodeJournal, RewardForm
from .outcome import Outcome, TurnOutcome
from .prompt import AnswerForm, EpisodeUser, UserForm, system_prompt
from .record import ModelUse, RunRecord, read_run, record
from .render import render
from .solo import solo_form
from .user import Reply

__all__ = [
    "AnswerForm",
    "AsyncEpisode",
    "Episode",
    "EpisodeCheckpoint",
    "EpisodeJournal",
    "EpisodeOver",
    "EpisodeUser",
    "InvalidAction",
    "ModelUse",
    "Outcome",
    "Reply",
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
