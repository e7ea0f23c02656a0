"""Tasks in which contact data changes, for somebody who can prove who they are."""

from __future__ import annotations

from .author import ASK_NUMBER, Author, Say, patched
from .plan import asked_customer, customer, got, identity, said, slot, wish


def write(author: Author) -> None:
    """Add the tasks."""
    author.task(
        "freja-has-a-new-address", "E919689",
        Say(
            "Hi! My old mail account is closed at the end of the week. Can you put my new e-mail address on file? "
            "I'm Freja Friis, customer number E919689.",
            (
                customer(said("E919689")),
                *identity(),
                wish(
                    "email", "update_contact",
                    customer_id=got("customer", "customer_id"), email=slot("new_email"),
                ),
            ),
            "Your new address is on file.",
            asks=("new_email", "Of course, Freja. What is the new e-mail address?"),
            instruct="Thank you. To be sure that it is you, I have texted a code to your phone. Please read me the six "
            "digits.",
        ),
        kinds=("action", "user tool"),
        slots=(("new_email", "freja.friis.paints@example.com"),),
    )  # fmt: skip
    author.task(
        "moved-to-spain", "E930159",
        Say(
            "Carmen Torres, E930159. I have moved and everything is new: my phone is +34 600 555 014, and write to me "
            "at carmen@torres.example.net from now on.",
            (
                customer(said("E930159")),
                *identity(),
                wish(
                    "both", "update_contact",
                    customer_id=got("customer", "customer_id"),
                    email=said("carmen@torres.example.net"), phone=said("+34 600 555 014"),
                ),
            ),
            "Welcome to your new home! Phone and e-mail address are both changed.",
            instruct=(
                "Before I change anything I need to be sure it is you. A text message went to your old number; could "
                "you give me the code?"
            ),
        ),
        kinds=("action", "user tool"),
    )  # fmt: skip
    words = (
        "My phone was stolen on the bus this morning, so please don't text me anything. The new number is +45 3200 "
        "0188, could you change it? Mads Nielsen, E888641."
    )
    change = wish(
        "phone", "update_contact", customer_id=got("customer", "customer_id"), phone=said("+45 3200 0188")
    )  # fmt: skip
    verified = {"code": 480213, "sent_at": "2026-05-14T08:41:00Z", "verified_at": "2026-05-14T08:43:00Z"}
    author.pair(
        (
            "phone-stolen", None,
            Say(
                words, (customer(said("E888641")),),
                "I am sorry about your phone. Without a code that was texted to the number on file I cannot change "
                "your contact data.",
                decline="identity-check",
            ),
        ),
        (
            "phone-stolen-but-verified", patched(("identity_checks", {"customer_id": "E888641"}, verified)),
            Say(
                words, (customer(said("E888641")), change),
                "You were verified a few minutes ago, so I could change it: the new number is on file.",
            ),
        ),
        "E888641",
    )  # fmt: skip
    author.task(
        "number-with-a-typo", "E695579",
        Say(
            "Hey, Ethan Carter. I moved back to the States, my number is +1 917 555 0142 now. Please update it.",
            (
                asked_customer(),
                *identity(),
                wish(
                    "phone", "update_contact",
                    customer_id=got("customer", "customer_id"), phone=said("+1 917 555 0142"),
                ),
            ),
            "Thanks, Ethan. The number ending in 0142 is on file.",
            asks=ASK_NUMBER,
            instruct="One more thing for your safety: I have texted a code to the old phone. Could you read out the "
            "code, please?",
        ),
        Say(
            "Oh no, sorry, typo. It ends in 0124, so +1 917 555 0124. Can you fix that?",
            (
                wish(
                    "again", "update_contact",
                    customer_id=got("customer", "customer_id"), phone=said("+1 917 555 0124", 1),
                ),
            ),
            "Fixed: it is the number ending in 0124 now.",
        ),
        kinds=("action", "user tool", "change of mind"),
    )  # fmt: skip
