"""Double-entry bookkeeping: the chart of accounts, the journal, and what posts to it.

Each business event has a function named `post_...` that knows which accounts the event touches,
and returns the entry it made. Entries are never changed or deleted; a mistake is reversed by a new
entry. Debits and credits of an entry are equal, in each currency on its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import Enum

from billing.calendars import add_months, month_end
from billing.money import Money, add_up


class LedgerError(Exception):
    """Something that bookkeeping does not allow."""


class Unbalanced(LedgerError):
    """The debits of an entry are not its credits."""


class PeriodClosed(LedgerError):
    """The books of that day are closed."""


class Side(Enum):
    """Left or right."""

    DEBIT = "debit"
    CREDIT = "credit"

    @property
    def other(self) -> Side:
        """The opposite side."""
        return Side.CREDIT if self is Side.DEBIT else Side.DEBIT


class Kind(Enum):
    """What an account is about."""

    ASSET = "asset"
    LIABILITY = "liability"
    EQUITY = "equity"
    REVENUE = "revenue"
    EXPENSE = "expense"

    @property
    def normal_side(self) -> Side:
        """The side on which accounts of the kind grow."""
        return Side.DEBIT if self in (Kind.ASSET, Kind.EXPENSE) else Side.CREDIT

    @property
    def is_temporary(self) -> bool:
        """Whether accounts of the kind start each year at zero."""
        return self in (Kind.REVENUE, Kind.EXPENSE)


@dataclass(frozen=True)
class Account:
    """An account of the chart."""

    number: str
    name: str
    kind: Kind
    purpose: str = ""

    def __str__(self) -> str:
        return f"{self.number} {self.name}"


@dataclass(frozen=True)
class Leg:
    """One line of an entry: an amount on one side of an account."""

    account: Account
    side: Side
    amount: Money

    def reversed(self) -> Leg:
        """The leg that takes this one back."""
        return Leg(self.account, self.side.other, self.amount)

    def signed(self) -> Money:
        """The amount, below zero where it makes the account smaller."""
        return self.amount if self.side is self.account.kind.normal_side else -self.amount


def debit(account: Account, amount: Money) -> Leg:
    """An amount on the left side."""
    return Leg(account, Side.DEBIT, amount)


def credit(account: Account, amount: Money) -> Leg:
    """An amount on the right side."""
    return Leg(account, Side.CREDIT, amount)


@dataclass(frozen=True)
class Entry:
    """One entry of the journal."""

    serial: int
    day: date
    text: str
    legs: tuple[Leg, ...]
    reference: str = ""
    event: str = ""
    reverses: int | None = None

    def total(self, side: Side, currency: str) -> Money:
        """What one side adds up to in a currency."""
        amounts = [
            leg.amount for leg in self.legs if leg.side is side and leg.amount.currency == currency
        ]
        return add_up(amounts, currency)

    def currencies(self) -> list[str]:
        """The currencies of the entry."""
        return sorted({leg.amount.currency for leg in self.legs})

    def touches(self, account: Account) -> bool:
        """Whether the entry has a leg on an account."""
        return any(leg.account == account for leg in self.legs)

    def check(self) -> None:
        """Raise Unbalanced unless both sides are equal."""
        for currency in self.currencies():
            left = self.total(Side.DEBIT, currency)
            right = self.total(Side.CREDIT, currency)
            if left != right:
                raise Unbalanced(f"{self.text}: {left} is not {right}")


@dataclass
class Ledger:
    """The journal, and the questions it answers."""

    entries: list[Entry] = field(default_factory=list)
    closed_until: date | None = None

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def post(
        self,
        day: date,
        text: str,
        legs: Iterable[Leg],
        reference: str = "",
        event: str = "",
        reverses: int | None = None,
    ) -> Entry:
        """Write an entry; legs of nothing are left out."""
        if self.closed_until is not None and day <= self.closed_until:
            raise PeriodClosed(f"the books are closed until {self.closed_until}")
        kept = tuple(leg for leg in legs if leg.amount)
        if not kept:
            raise LedgerError(f"{text}: nothing to post")
        if any(leg.amount.minor < 0 for leg in kept):
            raise LedgerError(f"{text}: amounts are not below zero, sides are changed instead")
        entry = Entry(len(self.entries) + 1, day, text, kept, reference, event, reverses)
        entry.check()
        self.entries.append(entry)
        return entry

    def entry(self, serial: int) -> Entry:
        """The entry with a number."""
        if not 1 <= serial <= len(self.entries):
            raise LedgerError(f"there is no entry {serial}")
        return self.entries[serial - 1]

    def reverse(self, serial: int, day: date, why: str) -> Entry:
        """Take an entry back; each only once."""
        entry = self.entry(serial)
        if any(other.reverses == serial for other in self.entries):
            raise LedgerError(f"entry {serial} was reversed before")
        legs = [leg.reversed() for leg in entry.legs]
        text = f"Reversal of {serial}: {why}"
        return self.post(day, text, legs, entry.reference, entry.event, serial)

    def find(self, reference: str, event: str = "") -> list[Entry]:
        """The entries with a reference, or only those of one event."""
        return [
            entry
            for entry in self.entries
            if entry.reference == reference and event in ("", entry.event)
        ]

    def of(self, account: Account) -> list[Entry]:
        """The entries that touch an account."""
        return [entry for entry in self.entries if entry.touches(account)]

    def accounts(self) -> list[Account]:
        """The accounts that were ever posted to, in order of number."""
        used = {leg.account for entry in self.entries for leg in entry.legs}
        return sorted(used, key=lambda account: account.number)

    def balance(self, account: Account, currency: str, until: date | None = None) -> Money:
        """What is on an account at the end of a day, or now."""
        amounts = [
            leg.signed()
            for entry in self.entries
            if until is None or entry.day <= until
            for leg in entry.legs
            if leg.account == account and leg.amount.currency == currency
        ]
        return add_up(amounts, currency)

    def turnover(self, account: Account, currency: str, first: date, last: date) -> Money:
        """What came to an account in some days, less what left it."""
        amounts = [
            leg.signed()
            for entry in self.entries
            if first <= entry.day <= last
            for leg in entry.legs
            if leg.account == account and leg.amount.currency == currency
        ]
        return add_up(amounts, currency)

    def trial_balance(self, currency: str, until: date | None = None) -> dict[str, Money]:
        """The balance of each account by number; accounts with nothing on them are left out."""
        result = {}
        for account in self.accounts():
            balance = self.balance(account, currency)
            if balance:
                result[account.number] = balance
        return result

    def total_of(self, kind: Kind, currency: str, until: date | None = None) -> Money:
        """What all the accounts of a kind add up to."""
        amounts = [
            self.balance(account, currency, until)
            for account in self.accounts()
            if account.kind is kind
        ]
        return add_up(amounts, currency)

    def result(self, currency: str, first: date, last: date) -> Money:
        """Profit, or loss below zero, of some days."""
        total = Money.zero(currency)
        for account in self.accounts():
            if account.kind is Kind.REVENUE:
                total = total + self.turnover(account, currency, first, last)
            if account.kind is Kind.EXPENSE:
                total = total - self.turnover(account, currency, first, last)
        return total

    def statement(self, account: Account, currency: str) -> list[tuple[date, str, Money]]:
        """The movements of an account, each with the balance after it."""
        balance = Money.zero(currency)
        result = []
        for entry in sorted(self.of(account), key=lambda item: (item.day, item.serial)):
            for leg in entry.legs:
                if leg.account == account and leg.amount.currency == currency:
                    balance = balance + leg.signed()
                    result.append((entry.day, entry.text, balance))
        return result

    def close(self, day: date) -> None:
        """Close the books up to a day; they are never opened again."""
        if self.closed_until is not None and day < self.closed_until:
            raise PeriodClosed(f"the books are closed until {self.closed_until}")
        self.closed_until = day

    def close_year(self, year: int, currency: str) -> Entry:
        """Carry the result of a year to retained earnings, and close the year."""
        last = date(year, 12, 31)
        legs = []
        for account in self.accounts():
            balance = self.balance(account, currency, last)
            if account.kind.is_temporary and balance:
                side = account.kind.normal_side.other
                if balance.minor < 0:
                    side, balance = side.other, -balance
                legs.append(Leg(account, side, balance))
        left = add_up([leg.amount for leg in legs if leg.side is Side.DEBIT], currency)
        right = add_up([leg.amount for leg in legs if leg.side is Side.CREDIT], currency)
        if right < left:
            legs.append(credit(RETAINED_EARNINGS, left - right))
        else:
            legs.append(debit(RETAINED_EARNINGS, right - left))
        entry = self.post(last, f"Closing of {year}", legs, str(year), "year_closed")
        self.close(last)
        return entry


# The chart of accounts

CASH = Account(
    number="1000",
    name="Cash",
    kind=Kind.ASSET,
    purpose="Notes and coins in the till of the shop.",
)

BANK = Account(
    number="1100",
    name="Bank",
    kind=Kind.ASSET,
    purpose="The current account that customers pay to.",
)

SAVINGS = Account(
    number="1110",
    name="Savings",
    kind=Kind.ASSET,
    purpose="What is put aside for taxes and bad months.",
)

GATEWAY_CLEARING = Account(
    number="1150",
    name="Gateway clearing",
    kind=Kind.ASSET,
    purpose="Card payments that the gateway has and has not paid out.",
)

MONEY_IN_TRANSIT = Account(
    number="1160",
    name="Money in transit",
    kind=Kind.ASSET,
    purpose="Transfers between our own accounts that are on their way.",
)

RECEIVABLES = Account(
    number="1200",
    name="Trade receivables",
    kind=Kind.ASSET,
    purpose="What customers owe us for invoices that were issued.",
)

DOUBTFUL_RECEIVABLES = Account(
    number="1210",
    name="Doubtful receivables",
    kind=Kind.ASSET,
    purpose="Receivables that are with a collection agency.",
)

RECEIVABLES_ALLOWANCE = Account(
    number="1220",
    name="Allowance for receivables",
    kind=Kind.ASSET,
    purpose="What we expect not to see of our receivables; it is below zero.",
)

UNBILLED_REVENUE = Account(
    number="1230",
    name="Unbilled revenue",
    kind=Kind.ASSET,
    purpose="Usage that was delivered and goes on the next invoice.",
)

DISPUTED_PAYMENTS = Account(
    number="1240",
    name="Disputed payments",
    kind=Kind.ASSET,
    purpose="Payments that a bank holds back while a dispute is open.",
)

EMPLOYEE_ADVANCES = Account(
    number="1250",
    name="Advances to employees",
    kind=Kind.ASSET,
    purpose="Money handed out before a journey.",
)

INPUT_TAX = Account(
    number="1300",
    name="Input tax",
    kind=Kind.ASSET,
    purpose="Tax on what we bought, to be had back from the tax office.",
)

TAX_PREPAYMENTS = Account(
    number="1310",
    name="Tax prepayments",
    kind=Kind.ASSET,
    purpose="What was paid to the tax office in advance.",
)

PREPAID_EXPENSES = Account(
    number="1400",
    name="Prepaid expenses",
    kind=Kind.ASSET,
    purpose="Paid this year, for the next one: insurance, licences.",
)

DEPOSITS_GIVEN = Account(
    number="1410",
    name="Deposits given",
    kind=Kind.ASSET,
    purpose="Deposits that landlords and suppliers hold.",
)

INVENTORY = Account(
    number="1500",
    name="Inventory",
    kind=Kind.ASSET,
    purpose="Goods in the store room, at cost.",
)

GOODS_IN_TRANSIT = Account(
    number="1510",
    name="Goods in transit",
    kind=Kind.ASSET,
    purpose="Goods that are ours and have not arrived.",
)

EQUIPMENT = Account(
    number="1600",
    name="Equipment",
    kind=Kind.ASSET,
    purpose="Machines and furniture, at cost.",
)

EQUIPMENT_DEPRECIATION = Account(
    number="1610",
    name="Depreciation of equipment",
    kind=Kind.ASSET,
    purpose="What the equipment lost in value so far; it is below zero.",
)

VEHICLES = Account(
    number="1620",
    name="Vehicles",
    kind=Kind.ASSET,
    purpose="The delivery vans, at cost.",
)

VEHICLE_DEPRECIATION = Account(
    number="1630",
    name="Depreciation of vehicles",
    kind=Kind.ASSET,
    purpose="What the vans lost in value so far; it is below zero.",
)

SOFTWARE = Account(
    number="1700",
    name="Software",
    kind=Kind.ASSET,
    purpose="Software that was bought or made to be used for years.",
)

SOFTWARE_AMORTISATION = Account(
    number="1710",
    name="Amortisation of software",
    kind=Kind.ASSET,
    purpose="What the software lost in value so far; it is below zero.",
)

LOANS_GIVEN = Account(
    number="1800",
    name="Loans given",
    kind=Kind.ASSET,
    purpose="Money lent to partners of the shop.",
)

PAYABLES = Account(
    number="2000",
    name="Trade payables",
    kind=Kind.LIABILITY,
    purpose="What we owe suppliers for their invoices.",
)

ACCRUED_EXPENSES = Account(
    number="2010",
    name="Accrued expenses",
    kind=Kind.LIABILITY,
    purpose="Services that we had and have no invoice for yet.",
)

CARD_PAYABLE = Account(
    number="2020",
    name="Company card",
    kind=Kind.LIABILITY,
    purpose="What was paid with the company's card this month.",
)

CUSTOMER_DEPOSITS = Account(
    number="2100",
    name="Customer deposits",
    kind=Kind.LIABILITY,
    purpose="What customers paid before there was an invoice.",
)

CUSTOMER_CREDIT = Account(
    number="2110",
    name="Customer credit",
    kind=Kind.LIABILITY,
    purpose="Credit from vouchers, referrals and goodwill.",
)

GIFT_CARDS = Account(
    number="2120",
    name="Gift cards",
    kind=Kind.LIABILITY,
    purpose="Gift cards that were sold and not redeemed.",
)

REFUNDS_DUE = Account(
    number="2130",
    name="Refunds due",
    kind=Kind.LIABILITY,
    purpose="Refunds that were promised and are not paid.",
)

DEFERRED_REVENUE = Account(
    number="2200",
    name="Deferred revenue",
    kind=Kind.LIABILITY,
    purpose="Subscriptions that were paid for months to come.",
)

OUTPUT_TAX = Account(
    number="2300",
    name="Output tax",
    kind=Kind.LIABILITY,
    purpose="Tax on what we sold, to be paid to the tax office.",
)

TAX_PAYABLE = Account(
    number="2310",
    name="Tax payable",
    kind=Kind.LIABILITY,
    purpose="Tax that was declared and is not paid.",
)

PAYROLL_TAX = Account(
    number="2320",
    name="Payroll tax",
    kind=Kind.LIABILITY,
    purpose="Tax on wages, kept back for the tax office.",
)

SOCIAL_SECURITY = Account(
    number="2330",
    name="Social security",
    kind=Kind.LIABILITY,
    purpose="Contributions for employees, theirs and ours.",
)

WAGES_PAYABLE = Account(
    number="2340",
    name="Wages payable",
    kind=Kind.LIABILITY,
    purpose="Wages that are earned and not paid.",
)

HOLIDAY_ACCRUAL = Account(
    number="2350",
    name="Accrued holidays",
    kind=Kind.LIABILITY,
    purpose="Days off that employees have not taken.",
)

WARRANTY_PROVISION = Account(
    number="2400",
    name="Provision for warranties",
    kind=Kind.LIABILITY,
    purpose="What repairs under warranty will cost.",
)

LEGAL_PROVISION = Account(
    number="2410",
    name="Provision for disputes",
    kind=Kind.LIABILITY,
    purpose="What open disputes at court may cost.",
)

LOANS_TAKEN = Account(
    number="2500",
    name="Loans",
    kind=Kind.LIABILITY,
    purpose="Money that banks lent us.",
)

INTEREST_PAYABLE = Account(
    number="2510",
    name="Interest payable",
    kind=Kind.LIABILITY,
    purpose="Interest that has grown and is not paid.",
)

SHARE_CAPITAL = Account(
    number="3000",
    name="Share capital",
    kind=Kind.EQUITY,
    purpose="What the owners put in when the shop was founded.",
)

CAPITAL_RESERVE = Account(
    number="3010",
    name="Capital reserve",
    kind=Kind.EQUITY,
    purpose="What the owners put in later.",
)

RETAINED_EARNINGS = Account(
    number="3100",
    name="Retained earnings",
    kind=Kind.EQUITY,
    purpose="The results of all the years before.",
)

DIVIDENDS = Account(
    number="3200",
    name="Dividends",
    kind=Kind.EQUITY,
    purpose="What the owners took out.",
)

PRODUCT_SALES = Account(
    number="4000",
    name="Sales of goods",
    kind=Kind.REVENUE,
    purpose="Goods that were sold.",
)

SERVICE_SALES = Account(
    number="4010",
    name="Sales of services",
    kind=Kind.REVENUE,
    purpose="Hours and projects that were billed.",
)

SUBSCRIPTION_SALES = Account(
    number="4020",
    name="Subscriptions",
    kind=Kind.REVENUE,
    purpose="The part of subscriptions that is over.",
)

USAGE_SALES = Account(
    number="4030",
    name="Usage",
    kind=Kind.REVENUE,
    purpose="What was counted and billed on top of subscriptions.",
)

SHIPPING_SALES = Account(
    number="4040",
    name="Shipping charged",
    kind=Kind.REVENUE,
    purpose="What customers paid for shipping.",
)

SETUP_SALES = Account(
    number="4050",
    name="Setup fees",
    kind=Kind.REVENUE,
    purpose="What customers paid to begin.",
)

SALES_DISCOUNTS = Account(
    number="4100",
    name="Discounts granted",
    kind=Kind.REVENUE,
    purpose="What was taken off invoices; it is below zero.",
)

SALES_RETURNS = Account(
    number="4110",
    name="Returns",
    kind=Kind.REVENUE,
    purpose="Goods that came back; it is below zero.",
)

LATE_FEES = Account(
    number="4200",
    name="Late fees",
    kind=Kind.REVENUE,
    purpose="What customers paid for reminders.",
)

BREAKAGE = Account(
    number="4210",
    name="Breakage",
    kind=Kind.REVENUE,
    purpose="Gift cards that expired.",
)

INTEREST_INCOME = Account(
    number="4300",
    name="Interest income",
    kind=Kind.REVENUE,
    purpose="Interest on savings and loans given.",
)

EXCHANGE_GAINS = Account(
    number="4310",
    name="Exchange gains",
    kind=Kind.REVENUE,
    purpose="What currencies brought us.",
)

ASSET_GAINS = Account(
    number="4320",
    name="Gains on disposals",
    kind=Kind.REVENUE,
    purpose="Equipment that was sold for more than its book value.",
)

OTHER_INCOME = Account(
    number="4900",
    name="Other income",
    kind=Kind.REVENUE,
    purpose="Subsidies, compensation, and what fits nowhere else.",
)

COST_OF_GOODS = Account(
    number="5000",
    name="Cost of goods",
    kind=Kind.EXPENSE,
    purpose="What the goods that were sold had cost.",
)

FREIGHT = Account(
    number="5010",
    name="Freight",
    kind=Kind.EXPENSE,
    purpose="What carriers charge us.",
)

INVENTORY_LOSSES = Account(
    number="5020",
    name="Inventory losses",
    kind=Kind.EXPENSE,
    purpose="Goods that broke, expired or went missing.",
)

HOSTING_COSTS = Account(
    number="5100",
    name="Hosting",
    kind=Kind.EXPENSE,
    purpose="The servers that subscriptions run on.",
)

WAGES = Account(
    number="6000",
    name="Wages",
    kind=Kind.EXPENSE,
    purpose="Gross wages.",
)

SOCIAL_COSTS = Account(
    number="6010",
    name="Social costs",
    kind=Kind.EXPENSE,
    purpose="The employer's part of social security.",
)

HOLIDAY_COSTS = Account(
    number="6020",
    name="Holidays",
    kind=Kind.EXPENSE,
    purpose="Changes of the days off that are owed.",
)

RENT = Account(
    number="6100",
    name="Rent",
    kind=Kind.EXPENSE,
    purpose="The shop and the store room.",
)

UTILITIES = Account(
    number="6110",
    name="Utilities",
    kind=Kind.EXPENSE,
    purpose="Power, heat and water.",
)

INSURANCE = Account(
    number="6120",
    name="Insurance",
    kind=Kind.EXPENSE,
    purpose="The part of premiums that is over.",
)

OFFICE_COSTS = Account(
    number="6200",
    name="Office costs",
    kind=Kind.EXPENSE,
    purpose="Paper, coffee, small things.",
)

TRAVEL = Account(
    number="6210",
    name="Travel",
    kind=Kind.EXPENSE,
    purpose="Journeys and nights away.",
)

MARKETING = Account(
    number="6300",
    name="Marketing",
    kind=Kind.EXPENSE,
    purpose="Advertisements and fairs.",
)

REFERRAL_COSTS = Account(
    number="6310",
    name="Referral rewards",
    kind=Kind.EXPENSE,
    purpose="Credit for customers who bring customers.",
)

LEGAL_COSTS = Account(
    number="6400",
    name="Legal costs",
    kind=Kind.EXPENSE,
    purpose="Lawyers and courts.",
)

AUDIT_COSTS = Account(
    number="6410",
    name="Audit",
    kind=Kind.EXPENSE,
    purpose="The accountants who check all this.",
)

GATEWAY_FEES = Account(
    number="6500",
    name="Gateway fees",
    kind=Kind.EXPENSE,
    purpose="What the payment gateway keeps.",
)

BANK_FEES = Account(
    number="6510",
    name="Bank fees",
    kind=Kind.EXPENSE,
    purpose="What banks charge.",
)

DISPUTE_FEES = Account(
    number="6520",
    name="Dispute fees",
    kind=Kind.EXPENSE,
    purpose="What banks charge for each dispute.",
)

BAD_DEBT = Account(
    number="6600",
    name="Bad debt",
    kind=Kind.EXPENSE,
    purpose="Receivables that will never be paid.",
)

GOODWILL = Account(
    number="6610",
    name="Goodwill",
    kind=Kind.EXPENSE,
    purpose="Credit that was given to make up for mistakes.",
)

WARRANTY_COSTS = Account(
    number="6620",
    name="Warranty costs",
    kind=Kind.EXPENSE,
    purpose="Changes of what repairs will cost.",
)

DEPRECIATION = Account(
    number="6700",
    name="Depreciation",
    kind=Kind.EXPENSE,
    purpose="What equipment and vans lose in value.",
)

AMORTISATION = Account(
    number="6710",
    name="Amortisation",
    kind=Kind.EXPENSE,
    purpose="What software loses in value.",
)

INTEREST_COSTS = Account(
    number="6800",
    name="Interest",
    kind=Kind.EXPENSE,
    purpose="Interest on loans.",
)

EXCHANGE_LOSSES = Account(
    number="6810",
    name="Exchange losses",
    kind=Kind.EXPENSE,
    purpose="What currencies cost us.",
)

ASSET_LOSSES = Account(
    number="6820",
    name="Losses on disposals",
    kind=Kind.EXPENSE,
    purpose="Equipment that was sold for less than its book value.",
)

INCOME_TAX = Account(
    number="6900",
    name="Income tax",
    kind=Kind.EXPENSE,
    purpose="Tax on the result.",
)

ROUNDING = Account(
    number="6990",
    name="Rounding differences",
    kind=Kind.EXPENSE,
    purpose="Cents that nobody can explain.",
)

CHART = (
    CASH,
    BANK,
    SAVINGS,
    GATEWAY_CLEARING,
    MONEY_IN_TRANSIT,
    RECEIVABLES,
    DOUBTFUL_RECEIVABLES,
    RECEIVABLES_ALLOWANCE,
    UNBILLED_REVENUE,
    DISPUTED_PAYMENTS,
    EMPLOYEE_ADVANCES,
    INPUT_TAX,
    TAX_PREPAYMENTS,
    PREPAID_EXPENSES,
    DEPOSITS_GIVEN,
    INVENTORY,
    GOODS_IN_TRANSIT,
    EQUIPMENT,
    EQUIPMENT_DEPRECIATION,
    VEHICLES,
    VEHICLE_DEPRECIATION,
    SOFTWARE,
    SOFTWARE_AMORTISATION,
    LOANS_GIVEN,
    PAYABLES,
    ACCRUED_EXPENSES,
    CARD_PAYABLE,
    CUSTOMER_DEPOSITS,
    CUSTOMER_CREDIT,
    GIFT_CARDS,
    REFUNDS_DUE,
    DEFERRED_REVENUE,
    OUTPUT_TAX,
    TAX_PAYABLE,
    PAYROLL_TAX,
    SOCIAL_SECURITY,
    WAGES_PAYABLE,
    HOLIDAY_ACCRUAL,
    WARRANTY_PROVISION,
    LEGAL_PROVISION,
    LOANS_TAKEN,
    INTEREST_PAYABLE,
    SHARE_CAPITAL,
    CAPITAL_RESERVE,
    RETAINED_EARNINGS,
    DIVIDENDS,
    PRODUCT_SALES,
    SERVICE_SALES,
    SUBSCRIPTION_SALES,
    USAGE_SALES,
    SHIPPING_SALES,
    SETUP_SALES,
    SALES_DISCOUNTS,
    SALES_RETURNS,
    LATE_FEES,
    BREAKAGE,
    INTEREST_INCOME,
    EXCHANGE_GAINS,
    ASSET_GAINS,
    OTHER_INCOME,
    COST_OF_GOODS,
    FREIGHT,
    INVENTORY_LOSSES,
    HOSTING_COSTS,
    WAGES,
    SOCIAL_COSTS,
    HOLIDAY_COSTS,
    RENT,
    UTILITIES,
    INSURANCE,
    OFFICE_COSTS,
    TRAVEL,
    MARKETING,
    REFERRAL_COSTS,
    LEGAL_COSTS,
    AUDIT_COSTS,
    GATEWAY_FEES,
    BANK_FEES,
    DISPUTE_FEES,
    BAD_DEBT,
    GOODWILL,
    WARRANTY_COSTS,
    DEPRECIATION,
    AMORTISATION,
    INTEREST_COSTS,
    EXCHANGE_LOSSES,
    ASSET_LOSSES,
    INCOME_TAX,
    ROUNDING,
)


def account(number: str) -> Account:
    """The account of a number."""
    for found in CHART:
        if found.number == number:
            return found
    raise LedgerError(f"there is no account {number}")


def accounts_of(kind: Kind) -> list[Account]:
    """The accounts of a kind, in order of number."""
    return [found for found in CHART if found.kind is kind]


def _positive(amount: Money, name: str) -> None:
    if amount.minor <= 0:
        raise LedgerError(f"{name} must be more than nothing, not {amount}")


def _not_negative(amount: Money, name: str) -> None:
    if amount.minor < 0:
        raise LedgerError(f"{name} must not be below zero, it is {amount}")


def _named(reference: str, name: str) -> None:
    if not reference.strip():
        raise LedgerError(f"{name} needs a reference")


# Sales


def post_product_invoice(
    ledger: Ledger, day: date, net: Money, tax: Money, reference: str
) -> Entry:
    """Invoice for goods.

    Goods were sold on an invoice. The customer owes net and tax; the tax is not ours. The net
    amount goes to sales of goods, the tax to output tax, both against trade receivables.
    Raises `LedgerError` for a net amount of nothing, a tax below zero, or no reference. The
    entry carries the event `product_invoice`.
    """
    _positive(net, "invoice for goods")
    _not_negative(tax, "the tax")
    _named(reference, "invoice for goods")
    legs = [
        debit(RECEIVABLES, net + tax),
        credit(PRODUCT_SALES, net),
        credit(OUTPUT_TAX, tax),
    ]
    return ledger.post(day, f"Invoice for goods {reference}", legs, reference, "product_invoice")


def post_service_invoice(
    ledger: Ledger, day: date, net: Money, tax: Money, reference: str
) -> Entry:
    """Invoice for services.

    Hours or a project were billed. Revenue counts from the day of the invoice, not of the
    work. The net amount goes to sales of services, the tax to output tax, both against trade
    receivables. Raises `LedgerError` for a net amount of nothing, a tax below zero, or no
    reference. The entry carries the event `service_invoice`.
    """
    _positive(net, "invoice for services")
    _not_negative(tax, "the tax")
    _named(reference, "invoice for services")
    legs = [
        debit(RECEIVABLES, net + tax),
        credit(SERVICE_SALES, net),
        credit(OUTPUT_TAX, tax),
    ]
    return ledger.post(day, f"Invoice for services {reference}", legs, reference, "service_invoice")


def post_setup_invoice(ledger: Ledger, day: date, net: Money, tax: Money, reference: str) -> Entry:
    """Setup fee.

    A new customer is charged for the beginning. The fee is never refunded, so it counts at
    once. The net amount goes to setup fees, the tax to output tax, both against trade
    receivables. Raises `LedgerError` for a net amount of nothing, a tax below zero, or no
    reference. The entry carries the event `setup_invoice`.
    """
    _positive(net, "setup fee")
    _not_negative(tax, "the tax")
    _named(reference, "setup fee")
    legs = [
        debit(RECEIVABLES, net + tax),
        credit(SETUP_SALES, net),
        credit(OUTPUT_TAX, tax),
    ]
    return ledger.post(day, f"Setup fee {reference}", legs, reference, "setup_invoice")


def post_cash_sale(ledger: Ledger, day: date, net: Money, tax: Money, reference: str) -> Entry:
    """Sale in the shop.

    Somebody paid at the till. There is no receivable, the money is there. The net amount goes
    to sales of goods, the tax to output tax, both against cash. Raises `LedgerError` for a
    net amount of nothing, a tax below zero, or no reference. The entry carries the event
    `cash_sale`.
    """
    _positive(net, "sale in the shop")
    _not_negative(tax, "the tax")
    _named(reference, "sale in the shop")
    legs = [
        debit(CASH, net + tax),
        credit(PRODUCT_SALES, net),
        credit(OUTPUT_TAX, tax),
    ]
    return ledger.post(day, f"Sale in the shop {reference}", legs, reference, "cash_sale")


def post_usage_invoice(ledger: Ledger, day: date, net: Money, tax: Money, reference: str) -> Entry:
    """Usage on top.

    What was counted in the last period went on an invoice. The net amount goes to usage, the
    tax to output tax, both against trade receivables. Raises `LedgerError` for a net amount
    of nothing, a tax below zero, or no reference. The entry carries the event
    `usage_invoice`.
    """
    _positive(net, "usage on top")
    _not_negative(tax, "the tax")
    _named(reference, "usage on top")
    legs = [
        debit(RECEIVABLES, net + tax),
        credit(USAGE_SALES, net),
        credit(OUTPUT_TAX, tax),
    ]
    return ledger.post(day, f"Usage on top {reference}", legs, reference, "usage_invoice")


def post_shipping_invoice(
    ledger: Ledger, day: date, net: Money, tax: Money, reference: str
) -> Entry:
    """Shipping charged.

    The customer pays for the parcel, at the rate of the goods in it. The net amount goes to
    shipping charged, the tax to output tax, both against trade receivables. Raises
    `LedgerError` for a net amount of nothing, a tax below zero, or no reference. The entry
    carries the event `shipping_invoice`.
    """
    _positive(net, "shipping charged")
    _not_negative(tax, "the tax")
    _named(reference, "shipping charged")
    legs = [
        debit(RECEIVABLES, net + tax),
        credit(SHIPPING_SALES, net),
        credit(OUTPUT_TAX, tax),
    ]
    return ledger.post(day, f"Shipping charged {reference}", legs, reference, "shipping_invoice")


def post_goods_returned(ledger: Ledger, day: date, net: Money, tax: Money, reference: str) -> Entry:
    """Goods came back.

    A customer sent goods back in time. Net and tax are taken off what is owed. Debits returns
    with the net amount and output tax with the tax, and credits trade receivables. Both
    amounts are given above zero, as on the document. The entry carries the event
    `goods_returned`.
    """
    _positive(net, "goods came back")
    _not_negative(tax, "the tax")
    _named(reference, "goods came back")
    legs = [
        debit(SALES_RETURNS, net),
        debit(OUTPUT_TAX, tax),
        credit(RECEIVABLES, net + tax),
    ]
    return ledger.post(day, f"Goods came back {reference}", legs, reference, "goods_returned")


def post_discount_granted(
    ledger: Ledger, day: date, net: Money, tax: Money, reference: str
) -> Entry:
    """Discount after the invoice.

    A discount was agreed on after the invoice, so it is an entry of its own. Debits discounts
    granted with the net amount and output tax with the tax, and credits trade receivables.
    Both amounts are given above zero, as on the document. The entry carries the event
    `discount_granted`.
    """
    _positive(net, "discount after the invoice")
    _not_negative(tax, "the tax")
    _named(reference, "discount after the invoice")
    legs = [
        debit(SALES_DISCOUNTS, net),
        debit(OUTPUT_TAX, tax),
        credit(RECEIVABLES, net + tax),
    ]
    return ledger.post(day, f"Discount after the invoice {reference}", legs, reference, "discount_granted")


def post_late_fee(ledger: Ledger, day: date, fee: Money, reference: str) -> Entry:
    """Fee for a reminder.

    A reminder that costs something was sent. There is no tax on it. Debits trade receivables
    and credits late fees. Raises `LedgerError` unless the fee is more than nothing. The entry
    carries the event `late_fee`.
    """
    _positive(fee, "the fee")
    return ledger.post(
        day,
        f"Fee for a reminder {reference}",
        [debit(RECEIVABLES, fee), credit(LATE_FEES, fee)],
        reference,
        "late_fee",
    )


def post_usage_accrued(ledger: Ledger, day: date, accrual: Money, reference: str) -> Entry:
    """Usage not billed yet.

    At the end of the month, usage that goes on the next invoice counts already. Debits
    unbilled revenue and credits usage. Raises `LedgerError` unless the accrual is more than
    nothing. The entry carries the event `usage_accrued`.
    """
    _positive(accrual, "the accrual")
    return ledger.post(
        day,
        f"Usage not billed yet {reference}",
        [debit(UNBILLED_REVENUE, accrual), credit(USAGE_SALES, accrual)],
        reference,
        "usage_accrued",
    )


def post_accrual_reversed(ledger: Ledger, day: date, accrual: Money, reference: str) -> Entry:
    """Unbilled usage was billed.

    The invoice for accrued usage is out, so the accrual goes. Debits usage and credits
    unbilled revenue. Raises `LedgerError` unless the accrual is more than nothing. The entry
    carries the event `accrual_reversed`.
    """
    _positive(accrual, "the accrual")
    return ledger.post(
        day,
        f"Unbilled usage was billed {reference}",
        [debit(USAGE_SALES, accrual), credit(UNBILLED_REVENUE, accrual)],
        reference,
        "accrual_reversed",
    )


def post_subscription_released(
    ledger: Ledger, first: date, amount: Money, months: int, reference: str
) -> list[Entry]:
    """Subscription month.

    What was paid in advance becomes revenue month by month, the cents that do not divide in
    the first months. Each month debits deferred revenue and credits subscriptions, and the
    parts add up to the amount exactly.
    Each entry is on the last day of its month. Returns the entries, the earliest first.
    """
    _positive(amount, "subscription month")
    if months < 1:
        raise LedgerError("there must be at least one month")
    entries = []
    for number, part in enumerate(amount.allocate([1] * months)):
        day = month_end(add_months(first, number))
        text = f"Subscription month {number + 1} of {months}, {reference}"
        legs = [
            debit(DEFERRED_REVENUE, part),
            credit(SUBSCRIPTION_SALES, part),
        ]
        entries.append(ledger.post(day, text, legs, reference, "subscription_released"))
    return entries


def post_subscription_invoice(
    ledger: Ledger, day: date, net: Money, tax: Money, reference: str
) -> Entry:
    """Invoice for a subscription.

    The invoice of a subscription. Nothing of it is revenue yet; see
    `post_subscription_released`. The net amount goes to deferred revenue, the tax to output
    tax, both against trade receivables. Raises `LedgerError` for a net amount of nothing, a
    tax below zero, or no reference. The entry carries the event `subscription_invoice`.
    """
    _positive(net, "invoice for a subscription")
    _not_negative(tax, "the tax")
    _named(reference, "invoice for a subscription")
    legs = [
        debit(RECEIVABLES, net + tax),
        credit(DEFERRED_REVENUE, net),
        credit(OUTPUT_TAX, tax),
    ]
    text = f"Invoice for a subscription {reference}"
    return ledger.post(day, text, legs, reference, "subscription_invoice")

# Payments


def post_transfer_received(ledger: Ledger, day: date, payment: Money, reference: str) -> Entry:
    """Bank transfer.

    A customer paid an invoice by transfer. Debits bank and credits trade receivables. Raises
    `LedgerError` unless the payment is more than nothing. The entry carries the event
    `transfer_received`.
    """
    _positive(payment, "the payment")
    return ledger.post(
        day,
        f"Bank transfer {reference}",
        [debit(BANK, payment), credit(RECEIVABLES, payment)],
        reference,
        "transfer_received",
    )


def post_cash_received(ledger: Ledger, day: date, payment: Money, reference: str) -> Entry:
    """Cash payment.

    A customer paid an invoice at the till. Debits cash and credits trade receivables. Raises
    `LedgerError` unless the payment is more than nothing. The entry carries the event
    `cash_received`.
    """
    _positive(payment, "the payment")
    return ledger.post(
        day,
        f"Cash payment {reference}",
        [debit(CASH, payment), credit(RECEIVABLES, payment)],
        reference,
        "cash_received",
    )


def post_card_charged(ledger: Ledger, day: date, payment: Money, reference: str) -> Entry:
    """Card payment.

    A card was charged. The gateway has the money until it pays out. Debits gateway clearing
    and credits trade receivables. Raises `LedgerError` unless the payment is more than
    nothing. The entry carries the event `card_charged`.
    """
    _positive(payment, "the payment")
    return ledger.post(
        day,
        f"Card payment {reference}",
        [debit(GATEWAY_CLEARING, payment), credit(RECEIVABLES, payment)],
        reference,
        "card_charged",
    )


def post_gateway_payout(
    ledger: Ledger, day: date, amount: Money, fee: Money, reference: str
) -> Entry:
    """Payout of the gateway.

    The gateway paid out what it had, less its fee. Debits bank and credits gateway clearing;
    the fee goes to gateway fees. A fee of nothing is fine and leaves no trace in the entry.
    The entry carries the event `gateway_payout`.
    """
    _positive(amount, "payout of the gateway")
    _not_negative(fee, "the fee")
    if amount < fee:
        raise LedgerError("the fee is more than the amount")
    legs = [
        debit(BANK, amount - fee),
        debit(GATEWAY_FEES, fee),
        credit(GATEWAY_CLEARING, amount),
    ]
    return ledger.post(day, f"Payout of the gateway {reference}", legs, reference, "gateway_payout")


def post_foreign_transfer(
    ledger: Ledger, day: date, amount: Money, fee: Money, reference: str
) -> Entry:
    """Transfer from abroad.

    A customer paid from abroad, and a bank on the way kept something for itself. Debits bank
    and credits trade receivables; the fee goes to bank fees. A fee of nothing is fine and
    leaves no trace in the entry. The entry carries the event `foreign_transfer`.
    """
    _positive(amount, "transfer from abroad")
    _not_negative(fee, "the fee")
    if amount < fee:
        raise LedgerError("the fee is more than the amount")
    legs = [
        debit(BANK, amount - fee),
        debit(BANK_FEES, fee),
        credit(RECEIVABLES, amount),
    ]
    return ledger.post(day, f"Transfer from abroad {reference}", legs, reference, "foreign_transfer")


def post_deposit_received(ledger: Ledger, day: date, deposit: Money, reference: str) -> Entry:
    """Deposit.

    A customer paid before there was an invoice. Debits bank and credits customer deposits.
    Raises `LedgerError` unless the deposit is more than nothing. The entry carries the event
    `deposit_received`.
    """
    _positive(deposit, "the deposit")
    return ledger.post(
        day,
        f"Deposit {reference}",
        [debit(BANK, deposit), credit(CUSTOMER_DEPOSITS, deposit)],
        reference,
        "deposit_received",
    )


def post_deposit_applied(ledger: Ledger, day: date, deposit: Money, reference: str) -> Entry:
    """Deposit used.

    A deposit pays a part of an invoice. Debits customer deposits and credits trade
    receivables. Raises `LedgerError` unless the deposit is more than nothing. The entry
    carries the event `deposit_applied`.
    """
    _positive(deposit, "the deposit")
    return ledger.post(
        day,
        f"Deposit used {reference}",
        [debit(CUSTOMER_DEPOSITS, deposit), credit(RECEIVABLES, deposit)],
        reference,
        "deposit_applied",
    )


def post_credit_applied(ledger: Ledger, day: date, amount: Money, reference: str) -> Entry:
    """Credit used.

    A customer's credit pays a part of an invoice. Debits customer credit and credits trade
    receivables. Raises `LedgerError` unless the credit is more than nothing. The entry
    carries the event `credit_applied`.
    """
    _positive(amount, "the credit")
    return ledger.post(
        day,
        f"Credit used {reference}",
        [debit(CUSTOMER_CREDIT, amount), credit(RECEIVABLES, amount)],
        reference,
        "credit_applied",
    )


def post_transfer_returned(ledger: Ledger, day: date, payment: Money, reference: str) -> Entry:
    """Transfer returned.

    The bank took a direct debit back: the customer owes the money again. Debits trade
    receivables and credits bank. Raises `LedgerError` unless the payment is more than
    nothing. The entry carries the event `transfer_returned`.
    """
    _positive(payment, "the payment")
    return ledger.post(
        day,
        f"Transfer returned {reference}",
        [debit(RECEIVABLES, payment), credit(BANK, payment)],
        reference,
        "transfer_returned",
    )


def post_foreign_payment(
    ledger: Ledger, day: date, booked: Money, actual: Money, reference: str
) -> Entry:
    """Payment in another currency.

    An invoice was paid in another currency. What the exchange brought or cost since the
    invoice is a gain or a loss. Debits bank and credits trade receivables. The booked amount
    is what the books show so far, the actual one is what it came to. The entry carries the
    event `foreign_payment`.
    """
    _positive(booked, "the booked amount")
    _not_negative(actual, "the actual amount")
    legs = [
        debit(BANK, actual),
        credit(RECEIVABLES, booked),
    ]
    if booked < actual:
        legs.append(credit(EXCHANGE_GAINS, actual - booked))
    if actual < booked:
        legs.append(debit(EXCHANGE_LOSSES, booked - actual))
    return ledger.post(day, f"Payment in another currency {reference}", legs, reference, "foreign_payment")


def post_till_counted(
    ledger: Ledger, day: date, booked: Money, actual: Money, reference: str
) -> Entry:
    """Till counted.

    The till has a little more or less in it than the receipts say. Debits cash and credits
    money in transit. The booked amount is what the books show so far, the actual one is what
    it came to. The entry carries the event `till_counted`.
    """
    _positive(booked, "the booked amount")
    _not_negative(actual, "the actual amount")
    legs = [
        debit(CASH, actual),
        credit(MONEY_IN_TRANSIT, booked),
    ]
    if booked < actual:
        legs.append(credit(OTHER_INCOME, actual - booked))
    if actual < booked:
        legs.append(debit(ROUNDING, booked - actual))
    return ledger.post(day, f"Till counted {reference}", legs, reference, "till_counted")


def post_till_emptied(ledger: Ledger, day: date, amount: Money, reference: str) -> Entry:
    """Cash taken to the bank.

    The day's cash is on its way to the bank. Debits money in transit and credits cash. Raises
    `LedgerError` unless the amount is more than nothing. The entry carries the event
    `till_emptied`.
    """
    _positive(amount, "the amount")
    return ledger.post(
        day,
        f"Cash taken to the bank {reference}",
        [debit(MONEY_IN_TRANSIT, amount), credit(CASH, amount)],
        reference,
        "till_emptied",
    )


def post_transit_arrived(ledger: Ledger, day: date, amount: Money, reference: str) -> Entry:
    """Cash arrived at the bank.

    What was on its way is on the account. Debits bank and credits money in transit. Raises
    `LedgerError` unless the amount is more than nothing. The entry carries the event
    `transit_arrived`.
    """
    _positive(amount, "the amount")
    return ledger.post(
        day,
        f"Cash arrived at the bank {reference}",
        [debit(BANK, amount), credit(MONEY_IN_TRANSIT, amount)],
        reference,
        "transit_arrived",
    )


def post_saved(ledger: Ledger, day: date, amount: Money, reference: str) -> Entry:
    """Money put aside.

    Money goes to the savings account. Debits savings and credits bank. Raises `LedgerError`
    unless the amount is more than nothing. The entry carries the event `saved`.
    """
    _positive(amount, "the amount")
    return ledger.post(
        day,
        f"Money put aside {reference}",
        [debit(SAVINGS, amount), credit(BANK, amount)],
        reference,
        "saved",
    )

# Refunds, disputes and bad debt


def post_refund_promised(ledger: Ledger, day: date, refund: Money, reference: str) -> Entry:
    """Refund promised.

    A refund was promised; it is paid within days. Debits returns and credits refunds due.
    Raises `LedgerError` unless the refund is more than nothing. The entry carries the event
    `refund_promised`.
    """
    _positive(refund, "the refund")
    return ledger.post(
        day,
        f"Refund promised {reference}",
        [debit(SALES_RETURNS, refund), credit(REFUNDS_DUE, refund)],
        reference,
        "refund_promised",
    )


def post_refund_paid(ledger: Ledger, day: date, refund: Money, reference: str) -> Entry:
    """Refund paid.

    The promised refund left the bank. Debits refunds due and credits bank. Raises
    `LedgerError` unless the refund is more than nothing. The entry carries the event
    `refund_paid`.
    """
    _positive(refund, "the refund")
    return ledger.post(
        day,
        f"Refund paid {reference}",
        [debit(REFUNDS_DUE, refund), credit(BANK, refund)],
        reference,
        "refund_paid",
    )


def post_refund_by_card(ledger: Ledger, day: date, refund: Money, reference: str) -> Entry:
    """Refund to a card.

    The gateway takes the refund out of the next payout. Debits refunds due and credits
    gateway clearing. Raises `LedgerError` unless the refund is more than nothing. The entry
    carries the event `refund_by_card`.
    """
    _positive(refund, "the refund")
    return ledger.post(
        day,
        f"Refund to a card {reference}",
        [debit(REFUNDS_DUE, refund), credit(GATEWAY_CLEARING, refund)],
        reference,
        "refund_by_card",
    )


def post_dispute_opened(
    ledger: Ledger, day: date, amount: Money, fee: Money, reference: str
) -> Entry:
    """Dispute opened.

    A bank took a card payment back until the dispute is decided, and charges us for it
    whoever wins. Debits disputed payments and credits gateway clearing; the fee goes to
    dispute fees. A fee of nothing is fine and leaves no trace in the entry. The entry carries
    the event `dispute_opened`.
    """
    _positive(amount, "dispute opened")
    _not_negative(fee, "the fee")
    legs = [
        debit(DISPUTED_PAYMENTS, amount),
        debit(DISPUTE_FEES, fee),
        credit(GATEWAY_CLEARING, amount + fee),
    ]
    return ledger.post(day, f"Dispute opened {reference}", legs, reference, "dispute_opened")


def post_dispute_won(ledger: Ledger, day: date, payment: Money, reference: str) -> Entry:
    """Dispute won.

    The bank gives the payment back. Debits gateway clearing and credits disputed payments.
    Raises `LedgerError` unless the payment is more than nothing. The entry carries the event
    `dispute_won`.
    """
    _positive(payment, "the payment")
    return ledger.post(
        day,
        f"Dispute won {reference}",
        [debit(GATEWAY_CLEARING, payment), credit(DISPUTED_PAYMENTS, payment)],
        reference,
        "dispute_won",
    )


def post_dispute_lost(ledger: Ledger, day: date, payment: Money, reference: str) -> Entry:
    """Dispute lost.

    The customer keeps the money, and we have lost it. Debits bad debt and credits disputed
    payments. Raises `LedgerError` unless the payment is more than nothing. The entry carries
    the event `dispute_lost`.
    """
    _positive(payment, "the payment")
    return ledger.post(
        day,
        f"Dispute lost {reference}",
        [debit(BAD_DEBT, payment), credit(DISPUTED_PAYMENTS, payment)],
        reference,
        "dispute_lost",
    )


def post_sent_to_collection(ledger: Ledger, day: date, amount: Money, reference: str) -> Entry:
    """Sent to collection.

    An invoice went to the collection agency. It is doubtful from now on. Debits doubtful
    receivables and credits trade receivables. Raises `LedgerError` unless the amount is more
    than nothing. The entry carries the event `sent_to_collection`.
    """
    _positive(amount, "the amount")
    return ledger.post(
        day,
        f"Sent to collection {reference}",
        [debit(DOUBTFUL_RECEIVABLES, amount), credit(RECEIVABLES, amount)],
        reference,
        "sent_to_collection",
    )


def post_collection_paid(
    ledger: Ledger, day: date, amount: Money, fee: Money, reference: str
) -> Entry:
    """Collection succeeded.

    The agency got the money, and keeps its share. Debits bank and credits doubtful
    receivables; the fee goes to legal costs. A fee of nothing is fine and leaves no trace in
    the entry. The entry carries the event `collection_paid`.
    """
    _positive(amount, "collection succeeded")
    _not_negative(fee, "the fee")
    if amount < fee:
        raise LedgerError("the fee is more than the amount")
    legs = [
        debit(BANK, amount - fee),
        debit(LEGAL_COSTS, fee),
        credit(DOUBTFUL_RECEIVABLES, amount),
    ]
    return ledger.post(day, f"Collection succeeded {reference}", legs, reference, "collection_paid")


def post_written_off(ledger: Ledger, day: date, net: Money, tax: Money, reference: str) -> Entry:
    """Receivable written off.

    Nobody will pay any more. The tax comes back from the tax office. The net amount goes to
    trade receivables, the tax to output tax, both against bad debt. Raises `LedgerError` for
    a net amount of nothing, a tax below zero, or no reference. The entry carries the event
    `written_off`.
    """
    _positive(net, "receivable written off")
    _not_negative(tax, "the tax")
    _named(reference, "receivable written off")
    legs = [
        debit(BAD_DEBT, net),
        debit(OUTPUT_TAX, tax),
        credit(RECEIVABLES, net + tax),
    ]
    return ledger.post(day, f"Receivable written off {reference}", legs, reference, "written_off")


def post_allowance_adjusted(ledger: Ledger, day: date, target: Money, reference: str) -> Entry | None:
    """Allowance for receivables.

    At the end of a year, the allowance is brought to what experience says. The difference is
    posted between bad debt and allowance for receivables, whichever way is needed.
    The target is what the account shall show; returns None where it does already.
    """
    _not_negative(target, "the target for allowance for receivables")
    shown = ledger.balance(RECEIVABLES_ALLOWANCE, target.currency, day)
    shown = -shown
    if shown == target:
        return None
    if shown < target:
        legs = [debit(BAD_DEBT, target - shown), credit(RECEIVABLES_ALLOWANCE, target - shown)]
    else:
        legs = [debit(RECEIVABLES_ALLOWANCE, shown - target), credit(BAD_DEBT, shown - target)]
    return ledger.post(day, f"Allowance for receivables {reference}", legs, reference, "allowance_adjusted")


def post_goodwill_granted(ledger: Ledger, day: date, amount: Money, reference: str) -> Entry:
    """Goodwill.

    A customer gets credit because something went wrong. Debits goodwill and credits customer
    credit. Raises `LedgerError` unless the credit is more than nothing. The entry carries the
    event `goodwill_granted`.
    """
    _positive(amount, "the credit")
    return ledger.post(
        day,
        f"Goodwill {reference}",
        [debit(GOODWILL, amount), credit(CUSTOMER_CREDIT, amount)],
        reference,
        "goodwill_granted",
    )


def post_referral_rewarded(ledger: Ledger, day: date, amount: Money, reference: str) -> Entry:
    """Referral reward.

    A customer brought a customer, and gets credit. Debits referral rewards and credits
    customer credit. Raises `LedgerError` unless the credit is more than nothing. The entry
    carries the event `referral_rewarded`.
    """
    _positive(amount, "the credit")
    return ledger.post(
        day,
        f"Referral reward {reference}",
        [debit(REFERRAL_COSTS, amount), credit(CUSTOMER_CREDIT, amount)],
        reference,
        "referral_rewarded",
    )

# Gift cards


def post_gift_card_sold(ledger: Ledger, day: date, amount: Money, reference: str) -> Entry:
    """Gift card sold.

    A gift card is no revenue until it is redeemed. Debits cash and credits gift cards. Raises
    `LedgerError` unless the amount is more than nothing. The entry carries the event
    `gift_card_sold`.
    """
    _positive(amount, "the amount")
    return ledger.post(
        day,
        f"Gift card sold {reference}",
        [debit(CASH, amount), credit(GIFT_CARDS, amount)],
        reference,
        "gift_card_sold",
    )


def post_gift_card_redeemed(
    ledger: Ledger, day: date, net: Money, tax: Money, reference: str
) -> Entry:
    """Gift card redeemed.

    Goods were paid with a gift card, tax included. The net amount goes to sales of goods, the
    tax to output tax, both against gift cards. Raises `LedgerError` for a net amount of
    nothing, a tax below zero, or no reference. The entry carries the event
    `gift_card_redeemed`.
    """
    _positive(net, "gift card redeemed")
    _not_negative(tax, "the tax")
    _named(reference, "gift card redeemed")
    legs = [
        debit(GIFT_CARDS, net + tax),
        credit(PRODUCT_SALES, net),
        credit(OUTPUT_TAX, tax),
    ]
    return ledger.post(day, f"Gift card redeemed {reference}", legs, reference, "gift_card_redeemed")


def post_gift_card_expired(ledger: Ledger, day: date, amount: Money, reference: str) -> Entry:
    """Gift card expired.

    Nobody came for it in three years. Debits gift cards and credits breakage. Raises
    `LedgerError` unless the amount is more than nothing. The entry carries the event
    `gift_card_expired`.
    """
    _positive(amount, "the amount")
    return ledger.post(
        day,
        f"Gift card expired {reference}",
        [debit(GIFT_CARDS, amount), credit(BREAKAGE, amount)],
        reference,
        "gift_card_expired",
    )

# Purchases and stock


def post_goods_bought(
    ledger: Ledger, day: date, net: Money, tax: Money, supplier: str, reference: str
) -> Entry:
    """Goods bought.

    A supplier sent goods and an invoice. The tax comes back. The net amount is debited to
    inventory, the tax to input tax, and both are credited to trade payables. The reference is
    the supplier's number, not ours. The entry carries the event `goods_bought`.
    """
    _positive(net, "goods bought")
    _not_negative(tax, "the tax")
    legs = [
        debit(INVENTORY, net),
        debit(INPUT_TAX, tax),
        credit(PAYABLES, net + tax),
    ]
    text = f"Goods bought, {supplier} {reference}"
    return ledger.post(day, text, legs, reference, "goods_bought")


def post_goods_ordered_abroad(
    ledger: Ledger, day: date, net: Money, tax: Money, supplier: str, reference: str
) -> Entry:
    """Goods on their way.

    Goods became ours at a harbour far away. The net amount is debited to goods in transit,
    the tax to input tax, and both are credited to trade payables. The reference is the
    supplier's number, not ours. The entry carries the event `goods_ordered_abroad`.
    """
    _positive(net, "goods on their way")
    _not_negative(tax, "the tax")
    legs = [
        debit(GOODS_IN_TRANSIT, net),
        debit(INPUT_TAX, tax),
        credit(PAYABLES, net + tax),
    ]
    text = f"Goods on their way, {supplier} {reference}"
    return ledger.post(day, text, legs, reference, "goods_ordered_abroad")


def post_goods_arrived(ledger: Ledger, day: date, cost: Money, reference: str) -> Entry:
    """Goods arrived.

    What was on its way is in the store room. Debits inventory and credits goods in transit.
    Raises `LedgerError` unless the cost is more than nothing. The entry carries the event
    `goods_arrived`.
    """
    _positive(cost, "the cost")
    return ledger.post(
        day,
        f"Goods arrived {reference}",
        [debit(INVENTORY, cost), credit(GOODS_IN_TRANSIT, cost)],
        reference,
        "goods_arrived",
    )


def post_goods_sold(ledger: Ledger, day: date, cost: Money, reference: str) -> Entry:
    """Goods left the store room.

    The cost of what was sold, at the same time as the invoice. Debits cost of goods and
    credits inventory. Raises `LedgerError` unless the cost is more than nothing. The entry
    carries the event `goods_sold`.
    """
    _positive(cost, "the cost")
    return ledger.post(
        day,
        f"Goods left the store room {reference}",
        [debit(COST_OF_GOODS, cost), credit(INVENTORY, cost)],
        reference,
        "goods_sold",
    )


def post_goods_restocked(ledger: Ledger, day: date, cost: Money, reference: str) -> Entry:
    """Returned goods put back.

    What came back can be sold again. Debits inventory and credits cost of goods. Raises
    `LedgerError` unless the cost is more than nothing. The entry carries the event
    `goods_restocked`.
    """
    _positive(cost, "the cost")
    return ledger.post(
        day,
        f"Returned goods put back {reference}",
        [debit(INVENTORY, cost), credit(COST_OF_GOODS, cost)],
        reference,
        "goods_restocked",
    )


def post_stock_counted(ledger: Ledger, day: date, target: Money, reference: str) -> Entry | None:
    """Stock counted.

    Once a year we count, and find less than the books say, or more. The difference is posted
    between inventory losses and inventory, whichever way is needed.
    The target is what the account shall show; returns None where it does already.
    """
    _not_negative(target, "the target for stock counted")
    shown = ledger.balance(INVENTORY, target.currency, day)
    if shown == target:
        return None
    if target < shown:
        legs = [debit(INVENTORY_LOSSES, shown - target), credit(INVENTORY, shown - target)]
    else:
        legs = [debit(INVENTORY, target - shown), credit(INVENTORY_LOSSES, target - shown)]
    return ledger.post(day, f"Stock counted {reference}", legs, reference, "stock_counted")


def post_freight_bill(
    ledger: Ledger, day: date, net: Money, tax: Money, supplier: str, reference: str
) -> Entry:
    """Freight.

    A carrier sent its bill. The net amount is debited to freight, the tax to input tax, and
    both are credited to trade payables. The reference is the supplier's number, not ours. The
    entry carries the event `freight_bill`.
    """
    _positive(net, "freight")
    _not_negative(tax, "the tax")
    legs = [
        debit(FREIGHT, net),
        debit(INPUT_TAX, tax),
        credit(PAYABLES, net + tax),
    ]
    text = f"Freight, {supplier} {reference}"
    return ledger.post(day, text, legs, reference, "freight_bill")


def post_hosting_bill(
    ledger: Ledger, day: date, net: Money, tax: Money, supplier: str, reference: str
) -> Entry:
    """Hosting.

    The month's bill for servers. The net amount is debited to hosting, the tax to input tax,
    and both are credited to trade payables. The reference is the supplier's number, not ours.
    The entry carries the event `hosting_bill`.
    """
    _positive(net, "hosting")
    _not_negative(tax, "the tax")
    legs = [
        debit(HOSTING_COSTS, net),
        debit(INPUT_TAX, tax),
        credit(PAYABLES, net + tax),
    ]
    text = f"Hosting, {supplier} {reference}"
    return ledger.post(day, text, legs, reference, "hosting_bill")


def post_rent_bill(
    ledger: Ledger, day: date, net: Money, tax: Money, supplier: str, reference: str
) -> Entry:
    """Rent.

    The landlord charges tax too. The net amount is debited to rent, the tax to input tax, and
    both are credited to trade payables. The reference is the supplier's number, not ours. The
    entry carries the event `rent_bill`.
    """
    _positive(net, "rent")
    _not_negative(tax, "the tax")
    legs = [
        debit(RENT, net),
        debit(INPUT_TAX, tax),
        credit(PAYABLES, net + tax),
    ]
    text = f"Rent, {supplier} {reference}"
    return ledger.post(day, text, legs, reference, "rent_bill")


def post_utilities_bill(
    ledger: Ledger, day: date, net: Money, tax: Money, supplier: str, reference: str
) -> Entry:
    """Utilities.

    Power, heat and water of a month. The net amount is debited to utilities, the tax to input
    tax, and both are credited to trade payables. The reference is the supplier's number, not
    ours. The entry carries the event `utilities_bill`.
    """
    _positive(net, "utilities")
    _not_negative(tax, "the tax")
    legs = [
        debit(UTILITIES, net),
        debit(INPUT_TAX, tax),
        credit(PAYABLES, net + tax),
    ]
    text = f"Utilities, {supplier} {reference}"
    return ledger.post(day, text, legs, reference, "utilities_bill")


def post_advertisement_bill(
    ledger: Ledger, day: date, net: Money, tax: Money, supplier: str, reference: str
) -> Entry:
    """Advertisement.

    A campaign was billed. The net amount is debited to marketing, the tax to input tax, and
    both are credited to trade payables. The reference is the supplier's number, not ours. The
    entry carries the event `advertisement_bill`.
    """
    _positive(net, "advertisement")
    _not_negative(tax, "the tax")
    legs = [
        debit(MARKETING, net),
        debit(INPUT_TAX, tax),
        credit(PAYABLES, net + tax),
    ]
    text = f"Advertisement, {supplier} {reference}"
    return ledger.post(day, text, legs, reference, "advertisement_bill")


def post_legal_bill(
    ledger: Ledger, day: date, net: Money, tax: Money, supplier: str, reference: str
) -> Entry:
    """Lawyer's bill.

    A lawyer sent a bill. The net amount is debited to legal costs, the tax to input tax, and
    both are credited to trade payables. The reference is the supplier's number, not ours. The
    entry carries the event `legal_bill`.
    """
    _positive(net, "lawyer's bill")
    _not_negative(tax, "the tax")
    legs = [
        debit(LEGAL_COSTS, net),
        debit(INPUT_TAX, tax),
        credit(PAYABLES, net + tax),
    ]
    text = f"Lawyer's bill, {supplier} {reference}"
    return ledger.post(day, text, legs, reference, "legal_bill")


def post_audit_bill(
    ledger: Ledger, day: date, net: Money, tax: Money, supplier: str, reference: str
) -> Entry:
    """Audit.

    The accountants sent their bill. The net amount is debited to audit, the tax to input tax,
    and both are credited to trade payables. The reference is the supplier's number, not ours.
    The entry carries the event `audit_bill`.
    """
    _positive(net, "audit")
    _not_negative(tax, "the tax")
    legs = [
        debit(AUDIT_COSTS, net),
        debit(INPUT_TAX, tax),
        credit(PAYABLES, net + tax),
    ]
    text = f"Audit, {supplier} {reference}"
    return ledger.post(day, text, legs, reference, "audit_bill")


def post_office_purchase(
    ledger: Ledger, day: date, net: Money, tax: Money, supplier: str, reference: str
) -> Entry:
    """Things for the office.

    Somebody paid with the company's card. The net amount is debited to office costs, the tax
    to input tax, and both are credited to company card. The reference is the supplier's
    number, not ours. The entry carries the event `office_purchase`.
    """
    _positive(net, "things for the office")
    _not_negative(tax, "the tax")
    legs = [
        debit(OFFICE_COSTS, net),
        debit(INPUT_TAX, tax),
        credit(CARD_PAYABLE, net + tax),
    ]
    text = f"Things for the office, {supplier} {reference}"
    return ledger.post(day, text, legs, reference, "office_purchase")


def post_journey(
    ledger: Ledger, day: date, net: Money, tax: Money, supplier: str, reference: str
) -> Entry:
    """Journey.

    Tickets and hotels, paid with the company's card. The net amount is debited to travel, the
    tax to input tax, and both are credited to company card. The reference is the supplier's
    number, not ours. The entry carries the event `journey`.
    """
    _positive(net, "journey")
    _not_negative(tax, "the tax")
    legs = [
        debit(TRAVEL, net),
        debit(INPUT_TAX, tax),
        credit(CARD_PAYABLE, net + tax),
    ]
    text = f"Journey, {supplier} {reference}"
    return ledger.post(day, text, legs, reference, "journey")


def post_card_settled(ledger: Ledger, day: date, amount: Money, reference: str) -> Entry:
    """Company card settled.

    The bank took what the card was used for. Debits company card and credits bank. Raises
    `LedgerError` unless the amount is more than nothing. The entry carries the event
    `card_settled`.
    """
    _positive(amount, "the amount")
    return ledger.post(
        day,
        f"Company card settled {reference}",
        [debit(CARD_PAYABLE, amount), credit(BANK, amount)],
        reference,
        "card_settled",
    )


def post_supplier_paid(ledger: Ledger, day: date, payment: Money, reference: str) -> Entry:
    """Supplier paid.

    A supplier's invoice was paid. Debits trade payables and credits bank. Raises
    `LedgerError` unless the payment is more than nothing. The entry carries the event
    `supplier_paid`.
    """
    _positive(payment, "the payment")
    return ledger.post(
        day,
        f"Supplier paid {reference}",
        [debit(PAYABLES, payment), credit(BANK, payment)],
        reference,
        "supplier_paid",
    )


def post_supplier_paid_abroad(
    ledger: Ledger, day: date, booked: Money, actual: Money, reference: str
) -> Entry:
    """Supplier abroad paid.

    An invoice in another currency cost more or less than it was booked at. Debits trade
    payables and credits bank. The booked amount is what the books show so far, the actual one
    is what it came to. The entry carries the event `supplier_paid_abroad`.
    """
    _positive(booked, "the booked amount")
    _not_negative(actual, "the actual amount")
    legs = [
        debit(PAYABLES, booked),
        credit(BANK, actual),
    ]
    if booked < actual:
        legs.append(debit(EXCHANGE_LOSSES, actual - booked))
    if actual < booked:
        legs.append(credit(EXCHANGE_GAINS, booked - actual))
    return ledger.post(day, f"Supplier abroad paid {reference}", legs, reference, "supplier_paid_abroad")


def post_insurance_released(
    ledger: Ledger, first: date, amount: Money, months: int, reference: str
) -> list[Entry]:
    """Insurance month.

    A premium that was paid for a year becomes an expense month by month. Each month debits
    insurance and credits prepaid expenses, and the parts add up to the amount exactly.
    Each entry is on the last day of its month. Returns the entries, the earliest first.
    """
    _positive(amount, "insurance month")
    if months < 1:
        raise LedgerError("there must be at least one month")
    entries = []
    for number, part in enumerate(amount.allocate([1] * months)):
        day = month_end(add_months(first, number))
        text = f"Insurance month {number + 1} of {months}, {reference}"
        legs = [
            debit(INSURANCE, part),
            credit(PREPAID_EXPENSES, part),
        ]
        entries.append(ledger.post(day, text, legs, reference, "insurance_released"))
    return entries


def post_insurance_paid(ledger: Ledger, day: date, premium: Money, reference: str) -> Entry:
    """Insurance premium.

    A year's premium was paid in advance. Debits prepaid expenses and credits bank. Raises
    `LedgerError` unless the premium is more than nothing. The entry carries the event
    `insurance_paid`.
    """
    _positive(premium, "the premium")
    return ledger.post(
        day,
        f"Insurance premium {reference}",
        [debit(PREPAID_EXPENSES, premium), credit(BANK, premium)],
        reference,
        "insurance_paid",
    )


def post_expense_accrued(ledger: Ledger, day: date, amount: Money, reference: str) -> Entry:
    """Expense without a bill.

    At the end of the year, services that we had and have no bill for. Debits office costs and
    credits accrued expenses. Raises `LedgerError` unless the amount is more than nothing. The
    entry carries the event `expense_accrued`.
    """
    _positive(amount, "the amount")
    return ledger.post(
        day,
        f"Expense without a bill {reference}",
        [debit(OFFICE_COSTS, amount), credit(ACCRUED_EXPENSES, amount)],
        reference,
        "expense_accrued",
    )


def post_deposit_given(ledger: Ledger, day: date, deposit: Money, reference: str) -> Entry:
    """Deposit given.

    The landlord wants a deposit. Debits deposits given and credits bank. Raises `LedgerError`
    unless the deposit is more than nothing. The entry carries the event `deposit_given`.
    """
    _positive(deposit, "the deposit")
    return ledger.post(
        day,
        f"Deposit given {reference}",
        [debit(DEPOSITS_GIVEN, deposit), credit(BANK, deposit)],
        reference,
        "deposit_given",
    )


def post_deposit_back(ledger: Ledger, day: date, deposit: Money, reference: str) -> Entry:
    """Deposit back.

    The landlord gave the deposit back. Debits bank and credits deposits given. Raises
    `LedgerError` unless the deposit is more than nothing. The entry carries the event
    `deposit_back`.
    """
    _positive(deposit, "the deposit")
    return ledger.post(
        day,
        f"Deposit back {reference}",
        [debit(BANK, deposit), credit(DEPOSITS_GIVEN, deposit)],
        reference,
        "deposit_back",
    )

# Equipment


def post_equipment_bought(
    ledger: Ledger, day: date, net: Money, tax: Money, supplier: str, reference: str
) -> Entry:
    """Equipment bought.

    Something that is used for years. The net amount is debited to equipment, the tax to input
    tax, and both are credited to trade payables. The reference is the supplier's number, not
    ours. The entry carries the event `equipment_bought`.
    """
    _positive(net, "equipment bought")
    _not_negative(tax, "the tax")
    legs = [
        debit(EQUIPMENT, net),
        debit(INPUT_TAX, tax),
        credit(PAYABLES, net + tax),
    ]
    text = f"Equipment bought, {supplier} {reference}"
    return ledger.post(day, text, legs, reference, "equipment_bought")


def post_vehicle_bought(
    ledger: Ledger, day: date, net: Money, tax: Money, supplier: str, reference: str
) -> Entry:
    """Van bought.

    A van for deliveries. The net amount is debited to vehicles, the tax to input tax, and
    both are credited to trade payables. The reference is the supplier's number, not ours. The
    entry carries the event `vehicle_bought`.
    """
    _positive(net, "van bought")
    _not_negative(tax, "the tax")
    legs = [
        debit(VEHICLES, net),
        debit(INPUT_TAX, tax),
        credit(PAYABLES, net + tax),
    ]
    text = f"Van bought, {supplier} {reference}"
    return ledger.post(day, text, legs, reference, "vehicle_bought")


def post_software_bought(
    ledger: Ledger, day: date, net: Money, tax: Money, supplier: str, reference: str
) -> Entry:
    """Software bought.

    A licence without an end. The net amount is debited to software, the tax to input tax, and
    both are credited to trade payables. The reference is the supplier's number, not ours. The
    entry carries the event `software_bought`.
    """
    _positive(net, "software bought")
    _not_negative(tax, "the tax")
    legs = [
        debit(SOFTWARE, net),
        debit(INPUT_TAX, tax),
        credit(PAYABLES, net + tax),
    ]
    text = f"Software bought, {supplier} {reference}"
    return ledger.post(day, text, legs, reference, "software_bought")


def post_equipment_depreciated(
    ledger: Ledger,
    bought: date,
    cost: Money,
    years: int,
    reference: str,
    left_over: Money | None = None,
) -> list[Entry]:
    """Depreciation of equipment.

    The same amount each year, down to what it will be sold for. Each year debits depreciation
    and credits depreciation of equipment. What is left over is not written down, since
    somebody will pay that much for it.
    The first year counts from the month of the purchase. Returns one entry for each year.
    """
    _positive(cost, "depreciation of equipment")
    if years < 1:
        raise LedgerError("something that lasts less than a year is no equipment")
    kept = left_over or Money.zero(cost.currency)
    if cost < kept:
        raise LedgerError("it cannot be worth more in the end than it cost")
    first = 13 - bought.month
    weights = [first] + [12] * (years - 1) + ([12 - first] if first < 12 else [])
    entries = []
    for number, part in enumerate((cost - kept).allocate(weights)):
        legs = [debit(DEPRECIATION, part), credit(EQUIPMENT_DEPRECIATION, part)]
        day = date(bought.year + number, 12, 31)
        text = f"Depreciation of equipment, year {number + 1}, {reference}"
        entries.append(ledger.post(day, text, legs, reference, "equipment_depreciated"))
    return entries


def post_vehicle_depreciated(
    ledger: Ledger,
    bought: date,
    cost: Money,
    years: int,
    reference: str,
    left_over: Money | None = None,
) -> list[Entry]:
    """Depreciation of a van.

    The same amount each year, down to what the dealer will pay. Each year debits depreciation
    and credits depreciation of vehicles. What is left over is not written down, since
    somebody will pay that much for it.
    The first year counts from the month of the purchase. Returns one entry for each year.
    """
    _positive(cost, "depreciation of a van")
    if years < 1:
        raise LedgerError("something that lasts less than a year is no equipment")
    kept = left_over or Money.zero(cost.currency)
    if cost < kept:
        raise LedgerError("it cannot be worth more in the end than it cost")
    first = 13 - bought.month
    weights = [first] + [12] * (years - 1) + ([12 - first] if first < 12 else [])
    entries = []
    for number, part in enumerate((cost - kept).allocate(weights)):
        legs = [debit(DEPRECIATION, part), credit(VEHICLE_DEPRECIATION, part)]
        day = date(bought.year + number, 12, 31)
        text = f"Depreciation of a van, year {number + 1}, {reference}"
        entries.append(ledger.post(day, text, legs, reference, "vehicle_depreciated"))
    return entries


def post_software_amortised(
    ledger: Ledger,
    bought: date,
    cost: Money,
    years: int,
    reference: str,
    left_over: Money | None = None,
) -> list[Entry]:
    """Amortisation of software.

    The same amount each year; nobody buys old software, so usually down to nothing. Each year
    debits amortisation and credits amortisation of software. What is left over is not written
    down, since somebody will pay that much for it.
    The first year counts from the month of the purchase. Returns one entry for each year.
    """
    _positive(cost, "amortisation of software")
    if years < 1:
        raise LedgerError("something that lasts less than a year is no equipment")
    kept = left_over or Money.zero(cost.currency)
    if cost < kept:
        raise LedgerError("it cannot be worth more in the end than it cost")
    first = 13 - bought.month
    weights = [first] + [12] * (years - 1) + ([12 - first] if first < 12 else [])
    entries = []
    for number, part in enumerate((cost - kept).allocate(weights)):
        legs = [debit(AMORTISATION, part), credit(SOFTWARE_AMORTISATION, part)]
        day = date(bought.year + number, 12, 31)
        text = f"Amortisation of software, year {number + 1}, {reference}"
        entries.append(ledger.post(day, text, legs, reference, "software_amortised"))
    return entries


def post_equipment_sold(
    ledger: Ledger, day: date, booked: Money, actual: Money, reference: str
) -> Entry:
    """Equipment sold.

    What it brought is more or less than its book value. Debits bank and credits equipment.
    The booked amount is what the books show so far, the actual one is what it came to. The
    entry carries the event `equipment_sold`.
    """
    _positive(booked, "the booked amount")
    _not_negative(actual, "the actual amount")
    legs = [
        debit(BANK, actual),
        credit(EQUIPMENT, booked),
    ]
    if booked < actual:
        legs.append(credit(ASSET_GAINS, actual - booked))
    if actual < booked:
        legs.append(debit(ASSET_LOSSES, booked - actual))
    return ledger.post(day, f"Equipment sold {reference}", legs, reference, "equipment_sold")

# People


def post_wages(
    ledger: Ledger,
    day: date,
    gross: Money,
    tax: Money,
    contribution: Money,
    reference: str,
) -> Entry:
    """Wages.

    The wages of a month: what employees get, what is kept back, and what comes on top. Debits
    wages and credits wages payable, the tax office and social security. The entry carries the
    event `wages`.
    The contribution to social security is paid twice: once out of the wages, once on top.
    """
    _positive(gross, "wages")
    net = gross - tax - contribution
    _positive(net, "what is left of the wages")
    legs = [
        debit(WAGES, gross),
        debit(SOCIAL_COSTS, contribution),
        credit(WAGES_PAYABLE, net),
        credit(PAYROLL_TAX, tax),
        credit(SOCIAL_SECURITY, contribution.times(2)),
    ]
    return ledger.post(day, f"Wages {reference}", legs, reference, "wages")


def post_wages_paid(ledger: Ledger, day: date, amount: Money, reference: str) -> Entry:
    """Wages paid.

    The net wages left the bank. Debits wages payable and credits bank. Raises `LedgerError`
    unless the amount is more than nothing. The entry carries the event `wages_paid`.
    """
    _positive(amount, "the amount")
    return ledger.post(
        day,
        f"Wages paid {reference}",
        [debit(WAGES_PAYABLE, amount), credit(BANK, amount)],
        reference,
        "wages_paid",
    )


def post_payroll_tax_paid(ledger: Ledger, day: date, amount: Money, reference: str) -> Entry:
    """Payroll tax paid.

    What was kept back of wages went to the tax office. Debits payroll tax and credits bank.
    Raises `LedgerError` unless the amount is more than nothing. The entry carries the event
    `payroll_tax_paid`.
    """
    _positive(amount, "the amount")
    return ledger.post(
        day,
        f"Payroll tax paid {reference}",
        [debit(PAYROLL_TAX, amount), credit(BANK, amount)],
        reference,
        "payroll_tax_paid",
    )


def post_social_security_paid(ledger: Ledger, day: date, amount: Money, reference: str) -> Entry:
    """Social security paid.

    The month's contributions were paid. Debits social security and credits bank. Raises
    `LedgerError` unless the amount is more than nothing. The entry carries the event
    `social_security_paid`.
    """
    _positive(amount, "the amount")
    return ledger.post(
        day,
        f"Social security paid {reference}",
        [debit(SOCIAL_SECURITY, amount), credit(BANK, amount)],
        reference,
        "social_security_paid",
    )


def post_holidays_adjusted(ledger: Ledger, day: date, target: Money, reference: str) -> Entry | None:
    """Holidays owed.

    At the end of a year, the days off that are left over are valued. The difference is posted
    between holidays and accrued holidays, whichever way is needed.
    The target is what the account shall show; returns None where it does already.
    """
    _not_negative(target, "the target for holidays owed")
    shown = ledger.balance(HOLIDAY_ACCRUAL, target.currency, day)
    if shown == target:
        return None
    if shown < target:
        legs = [debit(HOLIDAY_COSTS, target - shown), credit(HOLIDAY_ACCRUAL, target - shown)]
    else:
        legs = [debit(HOLIDAY_ACCRUAL, shown - target), credit(HOLIDAY_COSTS, shown - target)]
    return ledger.post(day, f"Holidays owed {reference}", legs, reference, "holidays_adjusted")


def post_advance_given(ledger: Ledger, day: date, advance: Money, reference: str) -> Entry:
    """Advance for a journey.

    An employee got cash before a journey. Debits advances to employees and credits cash.
    Raises `LedgerError` unless the advance is more than nothing. The entry carries the event
    `advance_given`.
    """
    _positive(advance, "the advance")
    return ledger.post(
        day,
        f"Advance for a journey {reference}",
        [debit(EMPLOYEE_ADVANCES, advance), credit(CASH, advance)],
        reference,
        "advance_given",
    )


def post_advance_settled(
    ledger: Ledger, day: date, booked: Money, actual: Money, reference: str
) -> Entry:
    """Advance settled.

    The receipts of a journey are more or less than the advance. Debits travel and credits
    advances to employees. The booked amount is what the books show so far, the actual one is
    what it came to. The entry carries the event `advance_settled`.
    """
    _positive(booked, "the booked amount")
    _not_negative(actual, "the actual amount")
    legs = [
        debit(TRAVEL, actual),
        credit(EMPLOYEE_ADVANCES, booked),
    ]
    if booked < actual:
        legs.append(credit(PAYABLES, actual - booked))
    if actual < booked:
        legs.append(debit(CASH, booked - actual))
    return ledger.post(day, f"Advance settled {reference}", legs, reference, "advance_settled")

# Taxes, loans and owners


def post_output_tax_declared(ledger: Ledger, day: date, tax: Money, reference: str) -> Entry:
    """Output tax declared.

    The month's tax on sales was declared. Debits output tax and credits tax payable. Raises
    `LedgerError` unless the tax is more than nothing. The entry carries the event
    `output_tax_declared`.
    """
    _positive(tax, "the tax")
    return ledger.post(
        day,
        f"Output tax declared {reference}",
        [debit(OUTPUT_TAX, tax), credit(TAX_PAYABLE, tax)],
        reference,
        "output_tax_declared",
    )


def post_input_tax_declared(ledger: Ledger, day: date, tax: Money, reference: str) -> Entry:
    """Input tax declared.

    The month's tax on purchases is taken off what we owe. Debits tax payable and credits
    input tax. Raises `LedgerError` unless the tax is more than nothing. The entry carries the
    event `input_tax_declared`.
    """
    _positive(tax, "the tax")
    return ledger.post(
        day,
        f"Input tax declared {reference}",
        [debit(TAX_PAYABLE, tax), credit(INPUT_TAX, tax)],
        reference,
        "input_tax_declared",
    )


def post_tax_paid(ledger: Ledger, day: date, tax: Money, reference: str) -> Entry:
    """Tax paid.

    What was declared went to the tax office. Debits tax payable and credits bank. Raises
    `LedgerError` unless the tax is more than nothing. The entry carries the event `tax_paid`.
    """
    _positive(tax, "the tax")
    return ledger.post(
        day,
        f"Tax paid {reference}",
        [debit(TAX_PAYABLE, tax), credit(BANK, tax)],
        reference,
        "tax_paid",
    )


def post_tax_prepaid(ledger: Ledger, day: date, tax: Money, reference: str) -> Entry:
    """Tax prepaid.

    A quarter's income tax in advance. Debits tax prepayments and credits bank. Raises
    `LedgerError` unless the tax is more than nothing. The entry carries the event
    `tax_prepaid`.
    """
    _positive(tax, "the tax")
    return ledger.post(
        day,
        f"Tax prepaid {reference}",
        [debit(TAX_PREPAYMENTS, tax), credit(BANK, tax)],
        reference,
        "tax_prepaid",
    )


def post_income_tax_assessed(
    ledger: Ledger, day: date, booked: Money, actual: Money, reference: str
) -> Entry:
    """Income tax assessed.

    The assessment is more or less than what was prepaid. Debits income tax and credits tax
    prepayments. The booked amount is what the books show so far, the actual one is what it
    came to. The entry carries the event `income_tax_assessed`.
    """
    _positive(booked, "the booked amount")
    _not_negative(actual, "the actual amount")
    legs = [
        debit(INCOME_TAX, actual),
        credit(TAX_PREPAYMENTS, booked),
    ]
    if booked < actual:
        legs.append(credit(TAX_PAYABLE, actual - booked))
    if actual < booked:
        legs.append(debit(BANK, booked - actual))
    return ledger.post(day, f"Income tax assessed {reference}", legs, reference, "income_tax_assessed")


def post_loan_taken(ledger: Ledger, day: date, loan: Money, reference: str) -> Entry:
    """Loan.

    A bank lent us money. Debits bank and credits loans. Raises `LedgerError` unless the loan
    is more than nothing. The entry carries the event `loan_taken`.
    """
    _positive(loan, "the loan")
    return ledger.post(
        day,
        f"Loan {reference}",
        [debit(BANK, loan), credit(LOANS_TAKEN, loan)],
        reference,
        "loan_taken",
    )


def post_interest_accrued(ledger: Ledger, day: date, interest: Money, reference: str) -> Entry:
    """Interest on a loan.

    A month's interest has grown. Debits interest and credits interest payable. Raises
    `LedgerError` unless the interest is more than nothing. The entry carries the event
    `interest_accrued`.
    """
    _positive(interest, "the interest")
    return ledger.post(
        day,
        f"Interest on a loan {reference}",
        [debit(INTEREST_COSTS, interest), credit(INTEREST_PAYABLE, interest)],
        reference,
        "interest_accrued",
    )


def post_loan_repaid(ledger: Ledger, day: date, amount: Money, fee: Money, reference: str) -> Entry:
    """Loan repaid.

    A part of a loan went back, and the bank charges for doing it early. Debits loans and
    credits bank; the fee goes to bank fees. A fee of nothing is fine and leaves no trace in
    the entry. The entry carries the event `loan_repaid`.
    """
    _positive(amount, "loan repaid")
    _not_negative(fee, "the fee")
    legs = [
        debit(LOANS_TAKEN, amount),
        debit(BANK_FEES, fee),
        credit(BANK, amount + fee),
    ]
    return ledger.post(day, f"Loan repaid {reference}", legs, reference, "loan_repaid")


def post_loan_given(ledger: Ledger, day: date, loan: Money, reference: str) -> Entry:
    """Loan to a partner.

    We lent money to a partner. Debits loans given and credits bank. Raises `LedgerError`
    unless the loan is more than nothing. The entry carries the event `loan_given`.
    """
    _positive(loan, "the loan")
    return ledger.post(
        day,
        f"Loan to a partner {reference}",
        [debit(LOANS_GIVEN, loan), credit(BANK, loan)],
        reference,
        "loan_given",
    )


def post_interest_earned(ledger: Ledger, day: date, interest: Money, reference: str) -> Entry:
    """Interest earned.

    Savings brought something. Debits savings and credits interest income. Raises
    `LedgerError` unless the interest is more than nothing. The entry carries the event
    `interest_earned`.
    """
    _positive(interest, "the interest")
    return ledger.post(
        day,
        f"Interest earned {reference}",
        [debit(SAVINGS, interest), credit(INTEREST_INCOME, interest)],
        reference,
        "interest_earned",
    )


def post_capital_paid_in(ledger: Ledger, day: date, amount: Money, reference: str) -> Entry:
    """Capital paid in.

    The owners put money in. Debits bank and credits capital reserve. Raises `LedgerError`
    unless the amount is more than nothing. The entry carries the event `capital_paid_in`.
    """
    _positive(amount, "the amount")
    return ledger.post(
        day,
        f"Capital paid in {reference}",
        [debit(BANK, amount), credit(CAPITAL_RESERVE, amount)],
        reference,
        "capital_paid_in",
    )


def post_dividend_paid(ledger: Ledger, day: date, dividend: Money, reference: str) -> Entry:
    """Dividend.

    The owners took money out. Debits dividends and credits bank. Raises `LedgerError` unless
    the dividend is more than nothing. The entry carries the event `dividend_paid`.
    """
    _positive(dividend, "the dividend")
    return ledger.post(
        day,
        f"Dividend {reference}",
        [debit(DIVIDENDS, dividend), credit(BANK, dividend)],
        reference,
        "dividend_paid",
    )


def post_warranty_adjusted(ledger: Ledger, day: date, target: Money, reference: str) -> Entry | None:
    """Provision for warranties.

    At the end of a year, the provision is brought to what repairs will cost. The difference
    is posted between warranty costs and provision for warranties, whichever way is needed.
    The target is what the account shall show; returns None where it does already.
    """
    _not_negative(target, "the target for provision for warranties")
    shown = ledger.balance(WARRANTY_PROVISION, target.currency, day)
    if shown == target:
        return None
    if shown < target:
        legs = [debit(WARRANTY_COSTS, target - shown), credit(WARRANTY_PROVISION, target - shown)]
    else:
        legs = [debit(WARRANTY_PROVISION, shown - target), credit(WARRANTY_COSTS, shown - target)]
    return ledger.post(day, f"Provision for warranties {reference}", legs, reference, "warranty_adjusted")


def post_legal_adjusted(ledger: Ledger, day: date, target: Money, reference: str) -> Entry | None:
    """Provision for disputes.

    At the end of a year, the provision is brought to what courts may decide. The difference
    is posted between legal costs and provision for disputes, whichever way is needed.
    The target is what the account shall show; returns None where it does already.
    """
    _not_negative(target, "the target for provision for disputes")
    shown = ledger.balance(LEGAL_PROVISION, target.currency, day)
    if shown == target:
        return None
    if shown < target:
        legs = [debit(LEGAL_COSTS, target - shown), credit(LEGAL_PROVISION, target - shown)]
    else:
        legs = [debit(LEGAL_PROVISION, shown - target), credit(LEGAL_COSTS, shown - target)]
    return ledger.post(day, f"Provision for disputes {reference}", legs, reference, "legal_adjusted")


# Questions that accountants ask


def liquid_funds(ledger: Ledger, currency: str, until: date | None = None) -> Money:
    """Money that can be spent today."""
    accounts = (
        CASH,
        BANK,
        SAVINGS,
    )
    amounts = [ledger.balance(account, currency, until) for account in accounts]
    return add_up(amounts, currency)


def money_on_its_way(ledger: Ledger, currency: str, until: date | None = None) -> Money:
    """Money that will arrive without anybody doing anything."""
    total = Money.zero(currency)
    total = total + ledger.balance(GATEWAY_CLEARING, currency, until)
    total = total + ledger.balance(MONEY_IN_TRANSIT, currency, until)
    return total


def owed_by_customers(ledger: Ledger, currency: str, until: date | None = None) -> Money:
    """What customers owe us, the doubtful part included."""
    return add_up(
        [
            ledger.balance(RECEIVABLES, currency, until),
            ledger.balance(DOUBTFUL_RECEIVABLES, currency, until),
            ledger.balance(UNBILLED_REVENUE, currency, until),
        ],
        currency,
    )


def owed_to_customers(ledger: Ledger, currency: str, until: date | None = None) -> Money:
    """What we owe customers, in money or in services."""
    accounts = (
        CUSTOMER_DEPOSITS,
        CUSTOMER_CREDIT,
        GIFT_CARDS,
        REFUNDS_DUE,
        DEFERRED_REVENUE,
    )
    amounts = [ledger.balance(account, currency, until) for account in accounts]
    return add_up(amounts, currency)


def owed_to_suppliers(ledger: Ledger, currency: str, until: date | None = None) -> Money:
    """What we owe for what we bought."""
    total = Money.zero(currency)
    total = total + ledger.balance(PAYABLES, currency, until)
    total = total + ledger.balance(ACCRUED_EXPENSES, currency, until)
    total = total + ledger.balance(CARD_PAYABLE, currency, until)
    return total


def owed_to_employees(ledger: Ledger, currency: str, until: date | None = None) -> Money:
    """What we owe those who work here."""
    return add_up(
        [
            ledger.balance(WAGES_PAYABLE, currency, until),
            ledger.balance(HOLIDAY_ACCRUAL, currency, until),
        ],
        currency,
    )


def owed_to_offices(ledger: Ledger, currency: str, until: date | None = None) -> Money:
    """What we owe the tax office and social security."""
    accounts = (
        OUTPUT_TAX,
        TAX_PAYABLE,
        PAYROLL_TAX,
        SOCIAL_SECURITY,
    )
    amounts = [ledger.balance(account, currency, until) for account in accounts]
    return add_up(amounts, currency)


def fixed_assets(ledger: Ledger, currency: str, until: date | None = None) -> Money:
    """What we own for years, at cost less what it lost in value."""
    total = Money.zero(currency)
    total = total + ledger.balance(EQUIPMENT, currency, until)
    total = total + ledger.balance(EQUIPMENT_DEPRECIATION, currency, until)
    total = total + ledger.balance(VEHICLES, currency, until)
    total = total + ledger.balance(VEHICLE_DEPRECIATION, currency, until)
    total = total + ledger.balance(SOFTWARE, currency, until)
    total = total + ledger.balance(SOFTWARE_AMORTISATION, currency, until)
    return total


def stock(ledger: Ledger, currency: str, until: date | None = None) -> Money:
    """What can be sold, here or on its way."""
    return add_up(
        [
            ledger.balance(INVENTORY, currency, until),
            ledger.balance(GOODS_IN_TRANSIT, currency, until),
        ],
        currency,
    )


def provisions(ledger: Ledger, currency: str, until: date | None = None) -> Money:
    """What may have to be paid one day."""
    accounts = (
        WARRANTY_PROVISION,
        LEGAL_PROVISION,
    )
    amounts = [ledger.balance(account, currency, until) for account in accounts]
    return add_up(amounts, currency)


def borrowed(ledger: Ledger, currency: str, until: date | None = None) -> Money:
    """What banks lent us, with interest."""
    total = Money.zero(currency)
    total = total + ledger.balance(LOANS_TAKEN, currency, until)
    total = total + ledger.balance(INTEREST_PAYABLE, currency, until)
    return total


def recurring_revenue(ledger: Ledger, currency: str, until: date | None = None) -> Money:
    """Revenue that comes again next month."""
    return add_up(
        [
            ledger.balance(SUBSCRIPTION_SALES, currency, until),
            ledger.balance(USAGE_SALES, currency, until),
        ],
        currency,
    )


def one_off_revenue(ledger: Ledger, currency: str, until: date | None = None) -> Money:
    """Revenue that has to be earned anew."""
    accounts = (
        PRODUCT_SALES,
        SERVICE_SALES,
        SHIPPING_SALES,
        SETUP_SALES,
    )
    amounts = [ledger.balance(account, currency, until) for account in accounts]
    return add_up(amounts, currency)


def revenue_deductions(ledger: Ledger, currency: str, until: date | None = None) -> Money:
    """What was taken off revenue again, below zero."""
    total = Money.zero(currency)
    total = total + ledger.balance(SALES_DISCOUNTS, currency, until)
    total = total + ledger.balance(SALES_RETURNS, currency, until)
    return total


def payment_costs(ledger: Ledger, currency: str, until: date | None = None) -> Money:
    """What being paid costs."""
    return add_up(
        [
            ledger.balance(GATEWAY_FEES, currency, until),
            ledger.balance(BANK_FEES, currency, until),
            ledger.balance(DISPUTE_FEES, currency, until),
        ],
        currency,
    )


def people_costs(ledger: Ledger, currency: str, until: date | None = None) -> Money:
    """What those who work here cost."""
    accounts = (
        WAGES,
        SOCIAL_COSTS,
        HOLIDAY_COSTS,
    )
    amounts = [ledger.balance(account, currency, until) for account in accounts]
    return add_up(amounts, currency)


def premises_costs(ledger: Ledger, currency: str, until: date | None = None) -> Money:
    """What the rooms cost."""
    total = Money.zero(currency)
    total = total + ledger.balance(RENT, currency, until)
    total = total + ledger.balance(UTILITIES, currency, until)
    total = total + ledger.balance(INSURANCE, currency, until)
    return total


def growth_costs(ledger: Ledger, currency: str, until: date | None = None) -> Money:
    """What it costs to find customers."""
    return add_up(
        [
            ledger.balance(MARKETING, currency, until),
            ledger.balance(REFERRAL_COSTS, currency, until),
        ],
        currency,
    )


def mistake_costs(ledger: Ledger, currency: str, until: date | None = None) -> Money:
    """What mistakes and bad luck cost."""
    accounts = (
        BAD_DEBT,
        GOODWILL,
        WARRANTY_COSTS,
        INVENTORY_LOSSES,
    )
    amounts = [ledger.balance(account, currency, until) for account in accounts]
    return add_up(amounts, currency)


def gross_margin(ledger: Ledger, currency: str, first: date, last: date) -> Decimal | None:
    """What is left of each hundred of goods sold after their cost; None without sales."""
    sales = ledger.turnover(PRODUCT_SALES, currency, first, last)
    cost = ledger.turnover(COST_OF_GOODS, currency, first, last)
    if not sales:
        return None
    share = Decimal(100 * (sales.minor - cost.minor)) / sales.minor
    return share.quantize(Decimal("0.1"))


def quick_ratio(ledger: Ledger, currency: str, until: date | None = None) -> Decimal | None:
    """How often what we owe soon could be paid with what we have; None without debts."""
    have = liquid_funds(ledger, currency, until) + owed_by_customers(ledger, currency, until)
    owe = owed_to_suppliers(ledger, currency, until) + owed_to_offices(ledger, currency, until)
    if owe.minor <= 0:
        return None
    return (Decimal(have.minor) / owe.minor).quantize(Decimal("0.01"))


def balance_sheet(ledger: Ledger, currency: str, until: date) -> dict[str, Money]:
    """Assets, liabilities, equity, and the result that is not closed yet."""
    assets = ledger.total_of(Kind.ASSET, currency, until)
    liabilities = ledger.total_of(Kind.LIABILITY, currency, until)
    equity = ledger.total_of(Kind.EQUITY, currency, until)
    return {
        "assets": assets,
        "liabilities": liabilities,
        "equity": equity,
        "result": assets - liabilities - equity,
    }


def profit_and_loss(
    ledger: Ledger, currency: str, first: date, last: date
) -> list[tuple[Account, Money]]:
    """Each revenue and expense account with a turnover in some days, in order of number."""
    result = []
    for account in ledger.accounts():
        if account.kind.is_temporary:
            turnover = ledger.turnover(account, currency, first, last)
            if turnover:
                result.append((account, turnover))
    return result


def journal_text(ledger: Ledger, first: date, last: date) -> str:
    """The journal of some days as text, debits before credits."""
    lines = []
    for entry in ledger:
        if not first <= entry.day <= last:
            continue
        lines.append(f"{entry.serial:>5} {entry.day.isoformat()} {entry.text}")
        for leg in sorted(entry.legs, key=lambda leg: leg.side is Side.CREDIT):
            indent = "      " if leg.side is Side.DEBIT else "          "
            lines.append(f"{indent}{leg.account} {leg.amount}")
    return "\n".join(lines) + "\n"


def trial_balance_text(ledger: Ledger, currency: str) -> str:
    """The trial balance as text, a line for each account."""
    lines = []
    for number, amount in ledger.trial_balance(currency).items():
        lines.append(f"{number} {account(number).name:<40}{amount!s:>16}")
    return "\n".join(lines) + "\n"
