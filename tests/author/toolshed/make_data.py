"""The base world of the tool library: members, tools, loans past and open, and who waits."""

from __future__ import annotations

from datetime import date, timedelta

TODAY = date(2026, 5, 14)
GIVEN = "Ada Bo Carla Dev Elif Farid Grace Hana Ivo Jun Karin Liam Mona Nils Olga Petra Quinn Rosa Sven Tara".split()
FAMILY = "Lund Okafor Meyer Santos Haddad Novak Kim Rossi Walsh Berg".split()
TITLES = {
    "garden": ["Hedge trimmer", "Wheelbarrow", "Leaf rake", "Spade", "Lawn roller"],
    "hand": ["Ladder", "Socket set", "Pipe wrench", "Mitre box", "Spirit level"],
    "paint": ["Paint sprayer", "Roller set", "Wallpaper steamer", "Trestle", "Dust sheet"],
    "power": ["Circular saw", "Hammer drill", "Belt sander", "Tile cutter", "Angle grinder"],
}
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"


def code(random, taken):
    while True:
        made = "".join(random.choice(LETTERS) for _ in range(6))
        if made not in taken:
            taken.add(made)
            return made


def day(offset):
    return (TODAY + timedelta(days=offset)).isoformat()


def rows(random, base):
    members = []
    for number in range(40):
        given, family = GIVEN[number % 20], FAMILY[(number * 7 + number // 20) % 10]
        member_id = f"M-{101 + number}"
        members.append(
            {
                "member_id": member_id,
                "name": f"{given} {family}",
                "email": f"{given}.{family}{101 + number}@example.org".lower(),
                "briefed": int(number % 3 != 0),
                "fees_cents": [0, 0, 150, 0, 950, 1000, 0, 2100][number % 8],
            }
        )
    tools = []
    for kind in sorted(TITLES):
        for title in TITLES[kind]:
            for _ in range(3):
                number = len(tools) + 1
                tools.append(
                    {"tool_id": number, "title": title, "kind": kind, "worth_cents": random.randrange(9, 400) * 100}
                )
    briefed = {member["member_id"]: member["briefed"] for member in members}
    loans, codes, out, held = [], set(), set(), {}
    for number in range(60):
        member_id = members[number % 40]["member_id"]
        tool = random.choice(tools)
        if (
            tool["tool_id"] in out
            or held.get(member_id, 0) >= 3
            or (tool["kind"] == "power" and not briefed[member_id])
        ):
            continue
        out.add(tool["tool_id"])
        held[member_id] = held.get(member_id, 0) + 1
        due, renewed = random.randrange(-6, 8), int(random.random() < 0.25)
        loans.append(
            {
                "loan_id": code(random, codes), "member_id": member_id, "tool_id": tool["tool_id"],
                "lent_on": day(due - 7 - 7 * renewed), "due_on": day(due), "renewed": renewed, "returned_on": None,
            }
        )  # fmt: skip
    for member_id in ("M-102", "M-105"):  # as many as anybody may have
        for tool in tools:
            if held.get(member_id, 0) < 3 and tool["tool_id"] not in out and tool["kind"] != "power":
                out.add(tool["tool_id"])
                held[member_id] = held.get(member_id, 0) + 1
                loans.append(
                    {
                        "loan_id": code(random, codes), "member_id": member_id, "tool_id": tool["tool_id"],
                        "lent_on": day(-3), "due_on": day(4), "renewed": 0, "returned_on": None,
                    }
                )  # fmt: skip
    for _ in range(110):
        member_id = random.choice(members)["member_id"]
        tool = random.choice([one for one in tools if one["kind"] != "power" or briefed[member_id]])
        lent, kept = -random.randrange(40, 200), random.randrange(1, 12)
        loans.append(
            {
                "loan_id": code(random, codes), "member_id": member_id, "tool_id": tool["tool_id"], "lent_on": day(lent),
                "due_on": day(lent + 7), "renewed": 0, "returned_on": day(lent + kept),
            }
        )  # fmt: skip
    reservations, waits = [], {}
    holders = {loan["tool_id"]: loan["member_id"] for loan in loans if loan["returned_on"] is None}
    for number, tool_id in enumerate(sorted(holders)):
        member_id = members[number // 4 * 3 % 40]["member_id"]
        if number % 2 or holders[tool_id] == member_id or waits.get(member_id, 0) >= 2:
            continue
        waits[member_id] = waits.get(member_id, 0) + 1
        reservations.append(
            {
                "reservation_id": code(random, codes), "member_id": member_id, "tool_id": tool_id,
                "placed_on": day(-random.randrange(0, 6)), "status": "waiting",
            }
        )  # fmt: skip
    for number in range(14):
        reservations.append(
            {
                "reservation_id": code(random, codes), "member_id": members[number * 2 % 40]["member_id"],
                "tool_id": tools[number * 4 % 60]["tool_id"], "placed_on": day(-random.randrange(30, 90)),
                "status": ["cancelled", "done"][number % 2],
            }
        )  # fmt: skip
    order = random.sample(range(len(loans)), len(loans))
    return {"members": members, "tools": tools, "loans": [loans[at] for at in order], "reservations": reservations}
