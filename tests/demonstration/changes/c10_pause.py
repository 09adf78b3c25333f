"""New methods in a module of 1,000 lines."""

from tests.demonstration.history import TOMAS, Append, Change, Commit, Replace, Shape, at

CHANGE = Change(
    number=119,
    shape=Shape.TITLED_MERGE,
    branch="tomas/pause",
    author=TOMAS,
    merged=at("2026-02-27 12:18"),
    title="Let customers pause a subscription",
    body="""
Customers who go on holiday cancel, and half of them never come back. Let them pause instead.

`Subscription.pause(day)` notes the day in a new field `paused: date | None = None` and an event `"paused"`;
pausing twice raises `SubscriptionError`, and so does pausing what was cancelled (`AlreadyCancelled`).
`Subscription.resume(day)` ends the pause: the period ends later by as many days as the pause lasted, the new
last day is returned, and an event `"resumed"` is noted. Resuming what is not paused raises
`SubscriptionError`. While paused, the status is the new `Status.PAUSED` ("paused") and `has_access` is false;
an ended or cancelled subscription stays ended or cancelled. A paused subscription is not `due` for renewal.
""",
    commits=(
        Commit(
            "Add pause and resume",
            (
                Replace(
                    "src/billing/subscriptions.py",
                    """    PAST_DUE = "past due"
    CANCELLED""",
                    """    PAST_DUE = "past due"
    PAUSED = "paused"
    CANCELLED""",
                ),
                Replace(
                    "src/billing/subscriptions.py",
                    """    setup_billed: bool = False

    @classmethod
""",
                    """    setup_billed: bool = False
    paused: date | None = None

    @classmethod
""",
                ),
                Replace(
                    "src/billing/subscriptions.py",
                    """            return Status.ENDED if self.last_day() < today else Status.CANCELLED
""",
                    """            return Status.ENDED if self.last_day() < today else Status.CANCELLED
        if self.paused is not None:
            return Status.PAUSED
""",
                ),
                Replace(
                    "src/billing/subscriptions.py",
                    """        if status is Status.ENDED or today < self.started:
""",
                    """        if status in (Status.ENDED, Status.PAUSED) or today < self.started:
""",
                ),
                Replace(
                    "src/billing/subscriptions.py",
                    """    def change_seats(self""",
                    '''    def pause(self, day: date) -> None:
        """Stop for a while; the days that are paid for are not lost."""
        if self.cancelled is not None:
            raise AlreadyCancelled(f"{self.id} was cancelled on {self.cancelled}")
        if self.paused is not None:
            raise SubscriptionError(f"{self.id} is paused since {self.paused}")
        self.paused = day
        self.note(day, "paused")

    def resume(self, day: date) -> date:
        """Go on after a pause, and return the last day of the period, moved by the pause."""
        if self.paused is None:
            raise SubscriptionError(f"{self.id} is not paused")
        self.period = Period(self.period.first, self.period.last + (day - self.paused))
        self.paused = None
        self.note(day, "resumed")
        return self.period.last

    def change_seats(self''',
                ),
            ),
        ),
        Commit(
            "Do not renew what is paused",
            (
                Replace(
                    "src/billing/subscriptions.py",
                    """\
        return [item for item in self if item.cancelled is None and item.period.last < today]
""",
                    """        return [
            item
            for item in self
            if item.cancelled is None and item.paused is None and item.period.last < today
        ]
""",
                ),
                Append(
                    "tests/test_subscriptions.py",
                    """def test_a_pause_moves_the_end_of_the_period():
    item = start()
    item.pause(date(2026, 2, 10))
    assert item.status(date(2026, 2, 12)) is Status.PAUSED
    assert not item.has_access(date(2026, 2, 12))
    assert item.resume(date(2026, 2, 20)) == date(2026, 3, 10)
    assert item.has_access(date(2026, 3, 10))
    assert [event.kind for event in item.events] == ["started", "paused", "resumed"]


def test_only_what_runs_can_be_paused():
    item = start()
    with pytest.raises(SubscriptionError):
        item.resume(DAY)
    item.pause(DAY)
    with pytest.raises(SubscriptionError):
        item.pause(DAY)
    gone = start()
    gone.cancel(DAY)
    with pytest.raises(AlreadyCancelled):
        gone.pause(DAY)


def test_what_is_paused_does_not_renew():
    everything = Subscriptions(Catalogue([TEAM]))
    everything.subscribe("ACME", "team", DAY).pause(date(2026, 2, 10))
    assert everything.renew_due(date(2026, 6, 1)) == []
""",
                ),
                Replace(
                    "tests/test_subscriptions.py",
                    "    Subscription,\n    Subscriptions,\n",
                    "    Subscription,\n    SubscriptionError,\n    Subscriptions,\n",
                ),
            ),
        ),
    ),
)
