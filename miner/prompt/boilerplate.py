"""Tables of what templates and machines write into descriptions; all matched against whole lines, any case."""

import re


def _any_of(patterns: str) -> re.Pattern[str]:
    """A pattern that matches what any of the patterns does, one a line, in any case."""
    return re.compile("(?i)" + "|".join(f"(?:{pattern.strip()})" for pattern in patterns.strip().split("\n")))


# Sections about the pull request, its author or its review, never about what is to be done.
SECTION = _any_of(r"""
    .*\bcheck ?-?lists?\b.*
    types? of changes?.*
    what (?:type|kind) of change.*
    pr type
    change status
    how (?:has|was|were) (?:this|these|it)(?: changes?)?(?: been)? tested.*
    (?:how )?(?:it|this) was tested
    test(?:ing)?(?: plan| steps| instructions| configuration|ing done)?
    (?:how )?to test.*
    how to (?:test|verify).*
    (?:manual )?(?:verification|testing)
    screen ?-?(?:shots?|casts?|recordings?).*
    proof that it works
    documentation and compatibility
    related (?:issues?|prs?|pull requests?|links?|work).*
    (?:linked|fixed|closed) issues?.*
    references?
    release notes?
    before submitting.*
    who can review.*
    review(?:ers?|ing)?(?: notes?)?.*
    summary by .*
    (?:[\W_]|walkthrough)*walkthrough
    .*codecov.* report.*
    (?:code |test )?coverage
    pull request checks?
    (?:dependabot|renovate) commands.*
    configuration \(.*renovate.*\)
    contribution guidelines?.*
    legal.*|cla|dco
    thank you.*
    acknowledge?ments?
    ai (?:usage|disclosure|assistance).*
    deployment (?:notes?|plan|steps)|rollback plan
    your environment|environment|system info(?:rmation)?|versions?
    pull request template|pr template
""")
# What a person writes below a heading that does not apply.
NOTHING = _any_of(r"""
    no(?:pe|ne|t applicable|thing)?
    n/?a
    none (?:that )?i(?:'m| am) aware of
    not (?:that i know of|as far as i know|yet)
    should(?:n't| not)(?: be| have any)?
    -
    tbd|todo
    no response
    there are none
    no,? .{0,20}
    (?:yes|done)
    (?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):? *#? *\(?(?:issue|number|issue.number)?\)?
""")
CHATTER = _any_of(r"""
    for more information, see ?(?:https?://pre-commit\.ci)?
    (?:all|ci) (?:tests|checks)(?: (?:have|are))? (?:pass(?:ed|ing|es)?|green).*
    ci (?:is|are) (?:green|passing).*
    coverage (?:increased|decreased|remained).*
    \W*generated (?:with|by) .{0,80}
    th(?:is|e) (?:pr|pull request|description|commit) (?:was|is|has been) (?:auto\S* ?)?(?:generated|created|opened) .*
    bumps? \S+ from \S+ to \S+.*
    dependabot (?:will|has|commands).*
    you can trigger .*@?dependabot.*
    signed-off-by dependabot.*
    this reverts commit [0-9a-f]{7,40}\.?
    \(?cherry[- ]picked from commit [0-9a-f]{7,40}\)?\.?
    \[(?:skip ci|ci skip|pre-commit\.ci.*|build)\].*
    (?:/|please )?(?:cc|ptal|lgtm|r\?|needs review|ready for review)\b[\s@:,\w/-]{0,60}[.!]?
    _?originally posted by .*
    this change is(?: reviewable)?
    reviewed (?:in|at).{0,60}
    (?:pr|pull request):? #\d+
    please (?:include|describe|delete|read|make sure|confirm|provide|list|add) .*(?:\bpr\b|pull request|e change).*
    please (?:include|describe|explain|summari[sz]e) your changes?.*
    please (?:include|describe|delete|read|make sure|confirm|provide|list|add) .*(?:options|relevant|contribut).*
    thank(?:s| you) for (?:your|the|submitting|opening|contribut).*
    put an `?x`? in .*
    \W*insert a description.*
    automatic merge from.*
    merge branch .*
    description will come soon.*
""")


TRAILER = re.compile(
    r"(?i)(?:[a-z]+(?:-[a-z]+)*-by|change-id|cherry-picked-from|git-svn-id|claude-session|co-author|pr-url|reviewed-on"
    r"|piperorigin-revid|tested-on|bug-url|gh-pr|github-(?:pr|issue)|auto-submit|commit-queue):\s.*"
)
WRAPPED = re.compile(r"<[^<>\s]+@[^<>\s]+>")  # the address of a trailer that was wrapped
RULER = re.compile(r"[-*_=]{3,}")
