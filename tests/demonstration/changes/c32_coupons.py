"""Several places in one module."""

from tests.demonstration.history import RUBEN, Append, Change, Commit, Replace, Shape, at

CHANGE = Change(
    number=171,
    shape=Shape.PULL_REQUEST,
    branch="ruben/coupons-by-plan",
    author=RUBEN,
    merged=at("2026-05-15 14:14"),
    title="Limit coupons to some plans",
    body="""
A coupon for the small plan was used on the large one, for a year.

`Coupon` gets a last field `plans: frozenset[str] = frozenset()`, the codes of the plans it is for; an empty
set is for all plans. `Coupon.applies_to(plan)` tells. `Subscription.redeem` raises
`SubscriptionError("coupon <code> is not for plan <plan code>")` for a plan that is not among them. When the
plan changes later to one that the coupon is not for, `lines` has no discount, and `bill` does not use the
coupon up; it is good again when the plan changes back.
""",
    commits=(
        Commit(
            "Limit coupons to some plans",
            (
                Replace(
                    "src/billing/subscriptions.py",
                    """    used: int = 0

    @property
""",
                    """    used: int = 0
    plans: frozenset[str] = frozenset()

    def applies_to(self, plan: Plan) -> bool:
        \"\"\"Whether it is for a plan.\"\"\"
        return not self.plans or plan.code in self.plans

    @property
""",
                ),
                Replace(
                    "src/billing/subscriptions.py",
                    """            raise SubscriptionError(f"{self.id} has coupon {self.coupon.code}")
""",
                    """            raise SubscriptionError(f"{self.id} has coupon {self.coupon.code}")
        if not coupon.applies_to(self.plan):
            raise SubscriptionError(f"coupon {coupon.code} is not for plan {self.plan.code}")
""",
                ),
                Replace(
                    "src/billing/subscriptions.py",
                    """        if self.coupon is not None and self.coupon.left:
            off =""",
                    """\
        if self.coupon is not None and self.coupon.left and self.coupon.applies_to(self.plan):
            off =""",
                ),
                Replace(
                    "src/billing/subscriptions.py",
                    """        if self.coupon is not None:
            self.coupon = self.coupon.after_use()
""",
                    """        if self.coupon is not None and self.coupon.applies_to(self.plan):
            self.coupon = self.coupon.after_use()
""",
                ),
                Append(
                    "tests/test_subscriptions.py",
                    """def small_coupon():
    return Coupon("SMALL", Decimal(50), periods=1, plans=frozenset({"basic"}))


def test_coupons_are_for_some_plans():
    with pytest.raises(SubscriptionError, match="coupon SMALL is not for plan team"):
        start().redeem(DAY, small_coupon())
    start(BASIC).redeem(DAY, small_coupon())


def test_a_coupon_waits_while_the_plan_is_another():
    item = start(BASIC, trial=False)
    item.redeem(DAY, small_coupon())
    item.upgrade(date(2026, 2, 5), TEAM)
    assert [line.net for line in item.lines()] == [euros(2800)]
    item.bill(Invoice("2026-0001", "ACME", DAY))
    assert item.coupon.left == 1
    item.plan = BASIC
    assert [line.net for line in item.lines()] == [euros(450)]
""",
                ),
            ),
        ),
    ),
)
