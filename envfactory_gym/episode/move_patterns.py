"""The English in which agents ask, seek confirmation, decline and take leave: patterns by idea.

Each group is a list of alternatives, one idea a line, general enough for any domain. `classify`
says what they mean together. Accuracy is measured on sentences written after this was frozen.
"""

from __future__ import annotations

import re


def _any(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(alternatives), re.IGNORECASE)


def _words(text: str) -> str:
    return "(?:" + "|".join(text.split()) + ")"


I_WE = r"(?:i|we)"
POLITE = r"(?:please |kindly |also |just |first |then |perhaps |possibly |maybe |quickly |now )*"
THIS = r"(?:this|that|it|these|those|everything|all|the (?:above|following|details?|information|summary|changes?|plan))"
FINE = r"(?:ok|okay|correct|right|fine|good|accurate|acceptable|all right|alright|in order|agreed|as you wish)"
ACTS = (
    r"(?:go ahead|move (?:forward|ahead)|do (?:this|that|it|so)|carry on|take care|have (?:me|it|that|this)|"
    + _words(
        "proceed continue cancel change book rebook add remove update make submit place send issue refund process "
        "apply confirm finali[sz]e complete create delete upgrade move switch transfer use charge pay schedule "
        "reschedule set register close open keep return exchange order reserve save start stop arrange put enroll? "
        "sign replace extend renew activate deactivate approve file hold log merge archive assign block"
    )
    + ")"
)
TELLS = (
    r"(?:look up|let (?:me|us) (?:know|have)|"
    + _words(
        "provide give tell share send supply specify state enter type name indicate clarify confirm verify describe "
        "list include choose pick select read repeat spell say check remind explain elaborate"
    )
    + ")"
)

LEAVE = _any(
    # offers that end a conversation rather than ask for anything
    r"\b(?:any|some|no|every|what)(?:thing)? else\b",
    r"\b(?:any|some) (?:other|more|further|additional) "
    + _words("questions? requests? help assistance concerns? changes ways? things? issues? matters? support"),
    r"\b(?:further|more|additional) (?:help|assistance|questions|support)\b",
    r"\bany questions\b",
    r"\bmore i can (?:do|help)",
    r"\b(?:how|what) (?:else )?(?:can|may|could) i (?:help|assist|do)\b",
    r"\bdo(?:es)? (?:this|that|it) (?:help|make sense|answer|solve|resolve|clarify|clear)",
    r"\bdid (?:this|that|i) (?:help|answer)",
    r"\b(?:feel free|don't hesitate|do not hesitate|(?:happy|here|glad) to help|reach out|get in touch)\b",
    r"\bif you (?:need|have|change your mind|run into|require)\b|\bwhenever you need\b",
    r"\b(?:one|a|just a) (?:moment|second|minute)\b|\b(?:bear|stay) with me\b|\bhold on\b",
    r"\b(?:please|could you|can you) (?:wait|hold)\b",
    r"\bhow are you\b",
)

CONFIRM = _any(
    # asking leave to act
    rf"\b(?:shall|should) {I_WE}\b(?! (?:know|look for|search for))",
    r"\b(?:would|do|did) you (?:like|want|wish|prefer|need) (?:me|us|for me) to\b",
    r"^(?:so,? |and |then )?(?:want|like) me to\b",
    rf"\b(?:may|can|could|might) {I_WE} {POLITE}{ACTS}\b",
    rf"\bwould you (?:like|care|want) to {ACTS}\b",
    rf"\bdo you (?:still |really )?(?:want|wish|intend) to {ACTS}\b",
    r"\bdo you (?:want|need) (?:this|that|it|them)\b",
    rf"\b(?:ok|okay|all right|alright|fine) (?:if {I_WE}|for me|to|with you|by you)\b",
    r"\bwould (?:this|that) be\b",
    # asking whether something is right
    r"\bare you (?:sure|certain|happy|comfortable|ready|good|" + FINE + r")\b",
    r"\bdo you " + _words("confirm agree accept approve authori[sz]e consent give") + r"\b",
    rf"\b(?:is|was|are) {THIS}\b.{{0,40}}\b(?:{FINE}|what you want(?:ed)?)\b",
    rf"\b(?:does|do|would) {THIS}\b.{{0,30}}\b(?:look|sound|work|suit|seem|match|be {FINE})",
    r"\bhow does (?:this|that|it) (?:sound|look)\b",
    rf"^(?:ready|deal|good to go|{FINE})(?: to (?:go|proceed|continue))?\?",
    r"\b(?:go ahead|proceed|continue)(?: with (?:this|that|it|(?:the|these) [a-z ]{1,60}?))?\?$",
    # asking for a yes
    r"\b" + _words("reply respond answer type say write enter send") + r"(?: with| back)?(?: a)?(?: simple)? ['\"]?"
    r"(?:yes|confirm|ok|okay|go|y)\b",
    r"\b(?:yes ?/ ?no|y ?/ ?n|yes or no)\b",
    r"\b(?:your|explicit|the) (?:explicit |final |written )?"
    r"(?:confirmation|go-ahead|go ahead|approval|consent|permission|authori[sz]ation|okay|ok|agreement)\b",
    r"\b(?:once|when|if|as soon as|unless|until|after) you(?:'ve| have)? (?:confirm|agree|approve|accept|say yes|give)",
    r"\bconfirm (?:that|this|these|those|if|whether|you|to|so|before|and|with|or|by|it|the above|the following)\b",
    r"\bconfirm the " + _words(
        "cancellation change booking details order refund payment purchase return transfer changes request action "
        "removal deletion upgrade exchange"
    ) + r"\b",
    r"\b(?:please|kindly|can you|could you|would you|you) confirm\s*(?:[.?!,]|$|:)",
    r"\b(?:let me know|tell me|just say|say so) (?:if|whether|when) "
    r"(?:you(?:'d| would|'re| are| want| wish| agree| approve| prefer| confirm)|this|that|it|i should|i can|i may|"
    r"everything|to|these|those|all)\b",
    r"\bif you(?:'d| would)? (?:like|want|wish|prefer)(?: me)? to (?:proceed|go ahead|continue|do)\b",
    rf"\bif (?:that's|it's|all's|{THIS} (?:is|are|looks?|sounds?)) {FINE}\b",
    r"\bgive (?:me|us) the (?:go|green light|nod|word)\b|\bjust say the word\b|\bhave your (?:ok|okay|go-ahead)\b",
)  # fmt: skip

REQUEST = _any(
    # asking to be told something
    rf"\b(?:please|kindly|just)(?: also| first| then)? {TELLS}\b|^{TELLS}\b(?! (?:that|it)\b)",
    rf"\b(?:could|can|would|will) you {POLITE}{TELLS}\b|\bwould you mind\b",
    rf"\b(?:may|can|could|might) {I_WE} {POLITE}(?:have|get|ask|know|see|take|grab|trouble)\b",
    r"\b" + _words("need require requires want missing lack awaiting like love") + r" (?:from you )?"
    r"(?:to (?:know|have|get|ask|see|verify)|your|you to|the following|a few|a bit more|"
    r"(?:some |a little |a bit )?(?:more |further |additional )?(?:information|details?))\b",
    r"\b(?:waiting|looking) for (?:your|the following)\b",
    rf"\b{I_WE}(?:'ll|'d| will| would| do)?(?: also| just| first| still| only)? (?:need|require) "
    r"(?:your|the|an?|some|one|two|both|either)\b",
    r"\blet me know (?:your|the|which|what|how|where|who|when you|about)\b",
    r"\bi'd (?:like|love|need) (?:to know|your)\b|\bgo ahead and (?:give|tell|share|send)\b",
    r"\b(?:is|are) (?:needed|required|necessary|missing)\b",
    rf"\b{I_WE} (?:also |still |just )?(?:have|must|need|should|am going|would like|want)(?: to)? "
    r"(?:ask|know|see|have)\b",
    r"^(?:and |ok,? )?(?:your|the) (?:[a-z]+ ){1,4}(?:please|first|next)\b|^[a-z ]{4,40},? please[.!]?$",
)

OPEN = _any(
    # a question that "yes" does not answer
    r"(?:^|[,:] )(?:and |so |also |then |or |ok |okay |but )*(?:in |for |on |by |from |to |at )?"
    r"(?:what|whats|which|who|whom|whose|when|where|why(?! not)|how(?! (?:does|about)))\b(?:'s)?(?! if\b)",
)

BARE_QUESTION = _any(
    # questions written without their mark
    r"^(?:hey|hi|ok|okay|so|and|well)?,? ?(?:what's|whats|what (?:is|are|was)|which|who|when|where|why) .{3,60}[a-z]$",
)

WONDER = _any(
    # open questions, and questions after what the user knows or prefers
    r"\b(?:what|what's|whats|which|who|whom|whose|when|where|why|how)\b",
    r"\bdo you (?:have|know|remember|recall|happen|want|prefer|need|mean|wish)\b",
    r"\b(?:have you got|did you|are you)\b",
    r"\b(?:is|was) (?:it|this|that|your|the)\b|\bwould you (?:like|prefer|rather)\b",
)

GIVE = _any(
    # asking for a fact even where the verb is "confirm"
    rf"\b(?:could|can|would|will) you {POLITE}{TELLS} (?:me |us )?(?:with )?(?:your|the|a|an)\b",
    rf"\b(?:please|kindly) {TELLS} (?:me |us )?(?:with )?(?:your|the)\b",
    r"\b(?:what(?:'s| is| are| was)|which|(?:may|can|could) i (?:have|get))\b|\b(?:need|require) (?:your|the)\b",
)
ACT_AFTER_ALL = _any(rf"\b(?:shall|should) {I_WE}\b|\bme to\b|\bconfirm (?:that|whether|if|you)\b")

CHOICE = _any(r"\bor\b(?! (?:not|no|cancel (?:this|that)|if|whether|is there|are there)\b)")
NO_CHOICE = _any(r"\byes or no\b|\bor would you (?:rather|prefer)(?: not)?")
OFFERS = _any(r"\b(?:would you (?:like|prefer|rather)|do you (?:want|prefer)|(?:should|shall) i)\b")

_CANNOT = (
    r"(?:can(?:'t|not| not)|could(?:n't| not)|won't|will not|may not|must not|mustn't|unable|not able|"
    r"not (?:allowed|permitted|authori[sz]ed|possible|in a position))"
)
_HARMLESS = _words(
    "find locate see identify tell recogni[sz]e verify access guarantee wait hear read promise thank think "
    "seem determine"
)
_RULES = r"(?:policy|policies|rules?|terms|regulations|guidelines|conditions)"
DECLINE = _any(
    # inability to act
    r"\b(?:i|we|i'm|we're|am|are|airline|company|system|afraid|sorry|unfortunately)\b[^.?!]{0,60}"
    rf"\b{_CANNOT}(?: be able)?(?: to)?(?: also| simply| currently| therefore)?\b(?! {_HARMLESS}\b)",
    r"\b(?:cannot|can't|can not|may not|won't|must not) be "
    + _words(
        "cancel chang refund book modif return exchang made done process complet waiv upgrad transfer add remov "
        "extend fulfil accommodat reimburs combin reopen deliver merg delet renew"
    ),
    r"\b(?:have|had|need|going) to (?:decline|refuse|say no|turn .{0,20}down|deny|reject)\b",
    r"\bmust (?:decline|refuse)\b",
    rf"\b{I_WE} (?:respectfully |regretfully |hereby )?(?:decline|refuse)\b",
    r"\bno way (?:for me )?to\b|\b(?:do not|don't) have (?:the )?(?:authority|permission|ability|power|means)\b",
    r"\b(?:isn't|is not|not) something (?:i|we)\b|\bout of the question\b",
    # what the rules say
    r"\b(?:do(?:es)?|did)(?:n't| not) (?:qualify|meet|allow|permit|cover|include (?:changes|refunds|cancellations?))",
    r"\b(?:not|n't|no longer) (?:be )?"
    + _words("allowed permitted possible eligible entitled refundable changeable transferable qualif authori[sz]ed"),
    rf"\b{_RULES}\b[^.?!]{{0,40}}\b(?:do(?:es)?(?:n't| not)|won't|will not|can't|cannot|"
    r"prevents?|prohibits?|forbids?|excludes?|rules? out|bars?|restricts?|disallows?|says? no|stops?)\b",
    r"\b(?:against|outside|contrary to|violates?|violating|violation of|breach(?:es)? of|breaks) "
    rf"(?:of )?(?:(?:our|the|company|airline|my|store) )?(?:[a-z]+ )?{_RULES}\b",
    r"\b(?:ineligible|prohibited|forbidden|off limits)\b|\b(?:falls?|is) outside (?:of )?(?:the|our|what)\b",
    r"\brequest (?:has been|was|is|must be|had to be) (?:declined|denied|refused|rejected|turned down)\b",
    r"\bno (?:refunds?|changes|exceptions?|cancellations?|returns?) (?:is|are|can|will|may)\b",
)
