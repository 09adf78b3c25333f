"""Invoices and credit notes: their lines, their states, and how they look as text.

An invoice starts as a draft. Issuing it fixes its lines and its due date; after that it can be
paid, in one or several parts, or be taken back by a credit note. Nothing is ever deleted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from enum import Enum

from billing.calendars import next_business_day
from billing.money import Money, add_up
from billing.tax import EXEMPT, TaxRate, describe, on_top

PAYMENT_DAYS = 14
WIDTH = 72
AMOUNT_WIDTH = 14
NUMBER_DIGITS = 4

SELLER = (
    "Shop Example Ltd",
    "12 Harbour Street",
    "20457 Hamburg",
)


class InvoiceError(Exception):
    """Something that an invoice does not allow."""


class NotADraft(InvoiceError):
    """The invoice was issued, its lines are fixed."""


class NotIssued(InvoiceError):
    """The invoice is still a draft."""


class Overpaid(InvoiceError):
    """More was paid than the invoice asks for."""


class State(Enum):
    """Where an invoice is in its life."""

    DRAFT = "draft"
    ISSUED = "issued"
    PARTLY_PAID = "partly paid"
    PAID = "paid"
    CREDITED = "credited"
    WRITTEN_OFF = "written off"


CLOSED = frozenset({State.PAID, State.CREDITED, State.WRITTEN_OFF})
OPEN = frozenset({State.ISSUED, State.PARTLY_PAID})


@dataclass(frozen=True)
class Address:
    """Where a customer lives, as printed on an envelope."""

    name: str
    street: str
    postcode: str
    city: str
    country: str = "DE"
    extra: str = ""

    def lines(self) -> list[str]:
        """The lines of the address, without empty ones."""
        place = f"{self.postcode} {self.city}".strip()
        country = "" if self.country == "DE" else self.country
        return [line for line in (self.name, self.extra, self.street, place, country) if line]

    def one_line(self) -> str:
        """The address in one line, for the window of an envelope."""
        return ", ".join(self.lines())

    def is_complete(self) -> bool:
        """Whether a letter would arrive."""
        return all((self.name, self.street, self.postcode, self.city))


@dataclass(frozen=True)
class Period:
    """The days that a line is for, both included."""

    first: date
    last: date

    def __post_init__(self) -> None:
        if self.last < self.first:
            raise ValueError(f"a period ends after it begins: {self.first} to {self.last}")

    @property
    def days(self) -> int:
        """How many days there are."""
        return (self.last - self.first).days + 1

    def __contains__(self, day: date) -> bool:
        return self.first <= day <= self.last

    def overlaps(self, other: Period) -> bool:
        """Whether there is a day in both."""
        return self.first <= other.last and other.first <= self.last

    def __str__(self) -> str:
        return f"{self.first:%d.%m.%Y} - {self.last:%d.%m.%Y}"


@dataclass(frozen=True)
class InvoiceLine:
    """One line: how many of what, at which price."""

    text: str
    quantity: int
    price: Money
    rate: TaxRate = EXEMPT
    period: Period | None = None
    discount: Money | None = None

    def __post_init__(self) -> None:
        if self.quantity == 0:
            raise ValueError("a line is about at least one thing")
        if not self.text.strip():
            raise ValueError("a line says what it is for")

    @property
    def before_discount(self) -> Money:
        """Quantity times price."""
        return self.price.times(self.quantity)

    @property
    def net(self) -> Money:
        """What the line costs without tax."""
        if self.discount is None:
            return self.before_discount
        return self.before_discount - self.discount

    @property
    def tax(self) -> Money:
        """The tax on the line."""
        return on_top(self.net, self.rate).tax

    @property
    def gross(self) -> Money:
        """What the line costs with tax."""
        return self.net + self.tax

    def credited(self) -> InvoiceLine:
        """The line that takes this one back."""
        discount = None if self.discount is None else -self.discount
        return InvoiceLine(
            self.text, -self.quantity, self.price, self.rate, self.period, discount
        )


@dataclass(frozen=True)
class Payment:
    """Money that came in for an invoice."""

    received: date
    amount: Money
    reference: str = ""
    method: str = "transfer"


@dataclass(frozen=True)
class Note:
    """Something that was noted down about an invoice."""

    day: date
    author: str
    text: str


@dataclass
class Invoice:
    """An invoice, from draft to closed."""

    number: str
    customer: str
    created: date
    currency: str = "EUR"
    address: Address | None = None
    lines: list[InvoiceLine] = field(default_factory=list)
    payments: list[Payment] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    issued: date | None = None
    due: date | None = None
    credited_by: str = ""
    written_off: date | None = None
    order: str = ""

    payment_days = PAYMENT_DAYS

    @property
    def state(self) -> State:
        """Where the invoice is in its life, worked out from what happened to it."""
        if self.issued is None:
            return State.DRAFT
        if self.credited_by:
            return State.CREDITED
        if self.written_off is not None:
            return State.WRITTEN_OFF
        if self.open_amount().minor <= 0:
            return State.PAID
        return State.PARTLY_PAID if self.payments else State.ISSUED

    @property
    def is_open(self) -> bool:
        """Whether somebody still has to pay."""
        return self.state in OPEN

    @property
    def is_closed(self) -> bool:
        """Whether nothing more will happen."""
        return self.state in CLOSED

    def _must_be_draft(self) -> None:
        if self.issued is not None:
            raise NotADraft(f"invoice {self.number} was issued on {self.issued}")

    def _must_be_issued(self) -> None:
        if self.issued is None:
            raise NotIssued(f"invoice {self.number} is a draft")

    def add_line(self, line: InvoiceLine) -> None:
        """Add a line to a draft; all lines are in the invoice's currency."""
        self._must_be_draft()
        if line.price.currency != self.currency:
            raise InvoiceError(f"{line.price.currency} on an invoice in {self.currency}")
        self.lines.append(line)

    def add_lines(self, lines: Iterable[InvoiceLine]) -> None:
        """Add several lines to a draft, in order."""
        for line in lines:
            self.add_line(line)

    def remove_line(self, position: int) -> InvoiceLine:
        """Take a line out of a draft, by its position from 1."""
        self._must_be_draft()
        if not 1 <= position <= len(self.lines):
            raise InvoiceError(f"invoice {self.number} has no line {position}")
        return self.lines.pop(position - 1)

    def net(self) -> Money:
        """The lines added up, without tax."""
        return add_up([line.net for line in self.lines], self.currency)

    def tax(self) -> Money:
        """The tax, rounded once for each rate."""
        return add_up([tax for _, _, tax in self.tax_lines()], self.currency)

    def total(self) -> Money:
        """What the customer has to pay."""
        return self.net() + self.tax()

    def discount(self) -> Money:
        """What all the discounts took off."""
        off = [line.discount for line in self.lines if line.discount is not None]
        return add_up(off, self.currency)

    def rates(self) -> list[TaxRate]:
        """The tax rates of the lines, in the order they first appear."""
        return list(dict.fromkeys(line.rate for line in self.lines))

    def tax_lines(self) -> list[tuple[TaxRate, Money, Money]]:
        """For each rate: the rate, the net amount it applies to, and the tax."""
        result = []
        for rate in self.rates():
            net = add_up([line.net for line in self.lines if line.rate == rate], self.currency)
            result.append((rate, net, on_top(net, rate).tax))
        return result

    def issue(self, day: date, days: int | None = None) -> None:
        """Make the draft an invoice, to be paid within a number of days."""
        self._must_be_draft()
        if not self.lines:
            raise InvoiceError(f"invoice {self.number} has no lines")
        if self.address is not None and not self.address.is_complete():
            raise InvoiceError(f"invoice {self.number} has no complete address")
        wait = self.payment_days if days is None else days
        self.issued = day
        self.due = next_business_day(day + timedelta(days=wait))

    def paid(self) -> Money:
        """What came in so far."""
        return add_up([payment.amount for payment in self.payments], self.currency)

    def open_amount(self) -> Money:
        """What is left to pay; below zero for credit notes."""
        return self.total() - self.paid()

    def pay(self, payment: Payment) -> State:
        """Note a payment, and return the state after it."""
        self._must_be_issued()
        if payment.amount.minor <= 0:
            raise InvoiceError("a payment is more than nothing")
        if self.open_amount() < payment.amount:
            raise Overpaid(f"{payment.amount} for {self.open_amount()} left of {self.number}")
        self.payments.append(payment)
        return self.state

    def unpay(self, reference: str) -> Payment:
        """Take a payment back that the bank returned."""
        for position, payment in enumerate(self.payments):
            if payment.reference == reference:
                return self.payments.pop(position)
        raise InvoiceError(f"invoice {self.number} has no payment {reference}")

    def days_late(self, today: date) -> int:
        """How many days the payment is late; zero while it is not."""
        if not self.is_open or self.due is None:
            return 0
        return max(0, (today - self.due).days)

    def is_overdue(self, today: date) -> bool:
        """Whether the payment is late."""
        return self.days_late(today) > 0

    def extend(self, days: int) -> date:
        """Give the customer more time, and return the new due date."""
        self._must_be_issued()
        if days <= 0:
            raise InvoiceError("more time is at least a day")
        assert self.due is not None
        self.due = next_business_day(self.due + timedelta(days=days))
        return self.due

    def write_off(self, day: date) -> Money:
        """Give up on what is left, and return how much that is."""
        self._must_be_issued()
        if not self.is_open:
            raise InvoiceError(f"invoice {self.number} is {self.state.value}")
        self.written_off = day
        return self.open_amount()

    def credit(self, number: str, day: date) -> Invoice:
        """Take the invoice back: the credit note, issued on the day."""
        self._must_be_issued()
        if self.credited_by:
            raise InvoiceError(f"invoice {self.number} was credited by {self.credited_by}")
        note = Invoice(number, self.customer, day, self.currency, self.address)
        note.add_lines(line.credited() for line in self.lines)
        note.issue(day, 0)
        note.order = self.order
        self.credited_by = number
        return note

    def annotate(self, day: date, author: str, text: str) -> Note:
        """Note something down."""
        note = Note(day, author, text.strip())
        self.notes.append(note)
        return note

    def last_note(self) -> Note | None:
        """What was noted down last."""
        return max(self.notes, key=lambda note: note.day, default=None)

    def is_credit_note(self) -> bool:
        """Whether it gives money back."""
        return self.total().minor < 0

    def copy(self, number: str, day: date) -> Invoice:
        """A draft with the same lines, for a customer who orders the same again."""
        draft = Invoice(number, self.customer, day, self.currency, self.address)
        draft.add_lines(self.lines)
        return draft


class Numbers:
    """Gives out the numbers of invoices: no gaps, none twice, a new series each year."""

    def __init__(self, prefix: str = "", digits: int = NUMBER_DIGITS) -> None:
        self.prefix = prefix
        self.digits = digits
        self.last: dict[int, int] = {}

    def next(self, day: date) -> str:
        """The next number for an invoice of a day."""
        serial = self.last.get(day.year, 0) + 1
        self.last[day.year] = serial
        return self.format(day.year, serial)

    def format(self, year: int, serial: int) -> str:
        """'R2026-0042' for a prefix of R."""
        return f"{self.prefix}{year}-{serial:0{self.digits}d}"

    def parse(self, number: str) -> tuple[int, int]:
        """The year and the serial number in a number."""
        text = number.removeprefix(self.prefix)
        year, separator, serial = text.partition("-")
        if not separator or not year.isdigit() or not serial.isdigit():
            raise ValueError(f"not an invoice number: {number!r}")
        return int(year), int(serial)

    def continue_after(self, number: str) -> None:
        """Go on after a number that another service gave out."""
        year, serial = self.parse(number)
        self.last[year] = max(serial, self.last.get(year, 0))

    def given_out(self, year: int) -> int:
        """How many numbers a year has used."""
        return self.last.get(year, 0)


class Book:
    """All the invoices, by number."""

    def __init__(self, numbers: Numbers | None = None) -> None:
        self.numbers = numbers or Numbers()
        self.invoices: dict[str, Invoice] = {}

    def __len__(self) -> int:
        return len(self.invoices)

    def __iter__(self) -> Iterator[Invoice]:
        return iter(self.invoices.values())

    def __getitem__(self, number: str) -> Invoice:
        return self.invoices[number]

    def draft(self, customer: str, day: date, currency: str = "EUR") -> Invoice:
        """A new draft with the next number."""
        invoice = Invoice(self.numbers.next(day), customer, day, currency)
        self.invoices[invoice.number] = invoice
        return invoice

    def add(self, invoice: Invoice) -> None:
        """Take in an invoice that has a number already."""
        if invoice.number in self.invoices:
            raise InvoiceError(f"there is an invoice {invoice.number}")
        self.invoices[invoice.number] = invoice

    def credit(self, number: str, day: date) -> Invoice:
        """Take an invoice back with the next number."""
        note = self[number].credit(self.numbers.next(day), day)
        self.add(note)
        return note

    def of(self, customer: str) -> list[Invoice]:
        """The invoices of a customer."""
        return [invoice for invoice in self if invoice.customer == customer]

    def in_state(self, *states: State) -> list[Invoice]:
        """The invoices in some states."""
        return [invoice for invoice in self if invoice.state in states]

    def open(self) -> list[Invoice]:
        """The invoices that somebody still has to pay."""
        return [invoice for invoice in self if invoice.is_open]

    def overdue(self, today: date) -> list[Invoice]:
        """The invoices whose payment is late, latest first."""
        late = [invoice for invoice in self if invoice.is_overdue(today)]
        return sorted(late, key=lambda invoice: -invoice.days_late(today))

    def issued_in(self, period: Period) -> list[Invoice]:
        """The invoices issued in a period, in order of number."""
        found = [invoice for invoice in self if invoice.issued and invoice.issued in period]
        return sorted(found, key=lambda invoice: invoice.number)

    def revenue(self, period: Period, currency: str = "EUR") -> Money:
        """What was invoiced in a period without tax, credit notes taken off."""
        found = [item for item in self.issued_in(period) if item.currency == currency]
        return add_up([invoice.net() for invoice in found], currency)

    def outstanding(self, currency: str = "EUR") -> Money:
        """What all customers together still have to pay."""
        found = [item for item in self.open() if item.currency == currency]
        return add_up([invoice.open_amount() for invoice in found], currency)

    def balance(self, customer: str, currency: str = "EUR") -> Money:
        """What a customer still has to pay."""
        found = [item for item in self.of(customer) if item.is_open and item.currency == currency]
        return add_up([invoice.open_amount() for invoice in found], currency)

    def ageing(self, today: date, currency: str = "EUR") -> dict[str, Money]:
        """What is open, by how late it is."""
        result = {name: Money.zero(currency) for name in ("not due", "1-30", "31-60", "over 60")}
        for invoice in self.open():
            if invoice.currency != currency:
                continue
            name = age_group(invoice.days_late(today))
            result[name] = result[name] + invoice.open_amount()
        return result

    def match(self, amount: Money, text: str) -> Invoice | None:
        """The open invoice that a bank transfer is for, if that is certain.

        An invoice whose number the transfer's text names is certain. So is the only open one over
        exactly the amount.
        """
        named = [invoice for invoice in self.open() if invoice.number in text]
        if len(named) == 1:
            return named[0]
        exact = [invoice for invoice in self.open() if invoice.open_amount() == amount]
        return exact[0] if len(exact) == 1 else None

    def customers(self) -> list[str]:
        """Everybody who ever got an invoice, in alphabetical order."""
        return sorted({invoice.customer for invoice in self})

    def gaps(self, year: int) -> list[str]:
        """The numbers of a year that no invoice has: tax offices ask about these."""
        wanted = (
            self.numbers.format(year, serial)
            for serial in range(1, self.numbers.given_out(year) + 1)
        )
        return [number for number in wanted if number not in self.invoices]


def age_group(days: int) -> str:
    """The group of the ageing report that a number of days belongs to."""
    if days <= 0:
        return "not due"
    if days <= 30:
        return "1-30"
    if days <= 60:
        return "31-60"
    return "over 60"


def average_days_to_pay(invoices: Iterable[Invoice]) -> Decimal | None:
    """How long customers take to pay in full, in days; None when nobody has."""
    days = [
        (max(payment.received for payment in invoice.payments) - invoice.issued).days
        for invoice in invoices
        if invoice.state is State.PAID and invoice.payments and invoice.issued
    ]
    if not days:
        return None
    return (Decimal(sum(days)) / len(days)).quantize(Decimal("0.1"))


# What invoices look like as text, for mails and for the archive.


def rule(character: str = "-") -> str:
    """A line across the page."""
    return character * WIDTH


def columns(left: str, right: str) -> str:
    """Text on the left, an amount on the right; the text is cut where it is too long."""
    room = WIDTH - AMOUNT_WIDTH
    if len(left) > room:
        left = left[: room - 3] + "..."
    return left.ljust(room) + right.rjust(AMOUNT_WIDTH)


def centred(text: str) -> str:
    """Text in the middle of the page."""
    return text.center(WIDTH).rstrip()


def long_day(day: date | None) -> str:
    """'2 February 2026', or a dash where there is no day."""
    if day is None:
        return "-"
    return f"{day.day} {day:%B %Y}"


def letterhead() -> list[str]:
    """Who the invoice is from."""
    return [centred(line) for line in SELLER] + ["", rule("=")]


def recipient(invoice: Invoice) -> list[str]:
    """Who the invoice is for."""
    if invoice.address is None:
        return [invoice.customer]
    return invoice.address.lines()


def title(invoice: Invoice) -> str:
    """What kind of document it is, and its number."""
    if invoice.issued is None:
        return f"Draft {invoice.number}"
    if invoice.is_credit_note():
        return f"Credit note {invoice.number}"
    return f"Invoice {invoice.number}"


def facts(invoice: Invoice) -> list[str]:
    """The dates and numbers under the title."""
    pairs = [("Customer", invoice.customer), ("Date", long_day(invoice.issued))]
    if invoice.due is not None and not invoice.is_credit_note():
        pairs.append(("Please pay by", long_day(invoice.due)))
    if invoice.order:
        pairs.append(("Your order", invoice.order))
    return [f"{name + ':':<16}{value}" for name, value in pairs]


def line_text(position: int, line: InvoiceLine) -> list[str]:
    """One line of the invoice, with its period and its discount under it."""
    result = [columns(f"{position:>3}  {line.quantity} x {line.text}", str(line.before_discount))]
    if line.quantity != 1:
        result.append(f"     {line.price} each")
    if line.period is not None:
        result.append(f"     {line.period}")
    if line.discount is not None:
        result.append(columns("     discount", str(-line.discount)))
    return result


def lines_text(invoice: Invoice) -> list[str]:
    """All the lines of the invoice."""
    result: list[str] = []
    for position, line in enumerate(invoice.lines, start=1):
        result.extend(line_text(position, line))
    return result or ["  (no lines yet)"]


def totals_text(invoice: Invoice) -> list[str]:
    """Net, tax by rate, and the total."""
    result = [columns("Net", str(invoice.net()))]
    for rate, net, tax in invoice.tax_lines():
        if rate == EXEMPT:
            result.append(columns("exempt from tax", str(tax)))
        else:
            result.append(columns(f"{describe(rate)} on {net}", str(tax)))
    result.append(rule())
    result.append(columns("Total", str(invoice.total())))
    return result


def payments_text(invoice: Invoice) -> list[str]:
    """What was paid, and what is left."""
    if not invoice.payments:
        return []
    result = [""]
    for payment in invoice.payments:
        text = f"Paid by {payment.method} on {long_day(payment.received)}"
        result.append(columns(text, str(-payment.amount)))
    result.append(columns("Left to pay", str(invoice.open_amount())))
    return result


def closing(invoice: Invoice) -> list[str]:
    """The last words."""
    state = invoice.state
    if state is State.DRAFT:
        return ["This is a draft. Please do not pay yet."]
    if state is State.PAID:
        return ["Paid. Thank you!"]
    if state is State.CREDITED:
        return [f"Taken back by credit note {invoice.credited_by}."]
    if state is State.WRITTEN_OFF:
        return ["Closed."]
    return [f"Please give the number {invoice.number} when you pay."]


def as_text(invoice: Invoice) -> str:
    """The whole invoice as text."""
    parts = [
        letterhead(),
        recipient(invoice),
        ["", title(invoice), ""],
        facts(invoice),
        [rule()],
        lines_text(invoice),
        [rule()],
        totals_text(invoice),
        payments_text(invoice),
        [rule("=")],
        closing(invoice),
    ]
    return "\n".join(line for part in parts for line in part) + "\n"


def as_row(invoice: Invoice) -> dict:
    """The invoice as one row of the export."""
    return {
        "number": invoice.number,
        "customer": invoice.customer,
        "issued": invoice.issued,
        "net": invoice.net(),
        "tax": invoice.tax(),
        "gross": invoice.total(),
        "currency": invoice.currency,
    }


def payment_rows(invoice: Invoice) -> list[dict]:
    """The payments of an invoice as rows of the export."""
    return [
        {
            "reference": payment.reference,
            "invoice": invoice.number,
            "received": payment.received,
            "amount": payment.amount,
            "currency": payment.amount.currency,
        }
        for payment in invoice.payments
    ]


def statement(book: Book, customer: str, today: date) -> str:
    """All that is open between us and a customer, as text."""
    result = [centred(f"Statement for {customer}"), centred(long_day(today)), rule("=")]
    found = [invoice for invoice in book.of(customer) if invoice.is_open]
    for invoice in found:
        late = invoice.days_late(today)
        text = f"{invoice.number}, due {long_day(invoice.due)}"
        if late:
            text += f", {late} days late"
        result.append(columns(text, str(invoice.open_amount())))
    if not found:
        result.append("Nothing is open. Thank you!")
        return "\n".join(result) + "\n"
    result.append(rule())
    result.append(columns("Total", str(book.balance(customer, found[0].currency))))
    return "\n".join(result) + "\n"


def ageing_text(book: Book, today: date, currency: str = "EUR") -> str:
    """The ageing report as text."""
    result = [centred("What is open, by age"), centred(long_day(today)), rule("=")]
    groups = book.ageing(today, currency)
    for name, amount in groups.items():
        label = name if name == "not due" else f"{name} days"
        result.append(columns(label, str(amount)))
    result.append(rule())
    result.append(columns("Total", str(add_up(list(groups.values()), currency))))
    return "\n".join(result) + "\n"


def register_text(book: Book, period: Period) -> str:
    """The register of a period: a line for each invoice, then the totals by currency."""
    result = [centred("Register of invoices"), centred(str(period)), rule("=")]
    totals: dict[str, Money] = {}
    for invoice in book.issued_in(period):
        kind = "C" if invoice.is_credit_note() else "I"
        text = f"{kind} {invoice.number}  {invoice.customer}"
        result.append(columns(text, str(invoice.total())))
        before = totals.get(invoice.currency, Money.zero(invoice.currency))
        totals[invoice.currency] = before + invoice.total()
    result.append(rule())
    for currency in sorted(totals):
        result.append(columns(f"Total {currency}", str(totals[currency])))
    return "\n".join(result) + "\n"


def reminder_text(invoice: Invoice, today: date, fee: Money | None = None) -> str:
    """What a reminder says about an invoice."""
    late = invoice.days_late(today)
    result = [
        f"Invoice {invoice.number} of {long_day(invoice.issued)}",
        f"was due on {long_day(invoice.due)}, {late} days ago.",
        "",
        columns("Left to pay", str(invoice.open_amount())),
    ]
    if fee is not None and fee:
        result.append(columns("Fee for this reminder", str(fee)))
        result.append(columns("Together", str(invoice.open_amount() + fee)))
    return "\n".join(result) + "\n"


# What invoices look like as a page.

STYLE = """
body { font-family: serif; max-width: 48em; margin: 2em auto; }
table { border-collapse: collapse; width: 100%; }
td, th { padding: 0.2em 0.5em; text-align: left; vertical-align: top; }
td.amount, th.amount { text-align: right; white-space: nowrap; }
tr.total td { border-top: 1px solid; font-weight: bold; }
.small { font-size: smaller; color: #555; }
"""

ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}


def escaped(text: str) -> str:
    """Text that is safe inside an element or an attribute, of a page or of XML."""
    return "".join(ENTITIES.get(character, character) for character in text)


def element(name: str, content: str, css: str = "") -> str:
    """An element with content that is markup already."""
    attribute = f' class="{escaped(css)}"' if css else ""
    return f"<{name}{attribute}>{content}</{name}>"


def amount_cell(amount: Money) -> str:
    """A cell with an amount in it."""
    return element("td", escaped(str(amount)), "amount")


def table_row(cells: list[str], css: str = "") -> str:
    """A row of cells that are markup already."""
    return element("tr", "".join(cells), css)


def address_html(invoice: Invoice) -> str:
    """Who the invoice is for, a line each."""
    return element("p", "<br>".join(escaped(line) for line in recipient(invoice)))


def facts_html(invoice: Invoice) -> str:
    """The dates and numbers under the title, as a table."""
    rows = []
    for fact in facts(invoice):
        name, _, value = fact.partition(":")
        cells = [element("th", escaped(name)), element("td", escaped(value.strip()))]
        rows.append(table_row(cells))
    return element("table", "".join(rows))


def line_html(position: int, line: InvoiceLine) -> str:
    """One line of the invoice as a row, with the period and the discount in small print."""
    small = []
    if line.period is not None:
        small.append(str(line.period))
    if line.discount is not None:
        small.append(f"discount {-line.discount}")
    text = escaped(line.text)
    if small:
        text += "<br>" + element("span", escaped(", ".join(small)), "small")
    cells = [
        element("td", str(position)),
        element("td", text),
        element("td", str(line.quantity), "amount"),
        amount_cell(line.price),
        amount_cell(line.net),
    ]
    return table_row(cells)


def totals_html(invoice: Invoice) -> str:
    """Net, tax by rate and the total as rows."""
    rows = [table_row(['<td colspan="4">Net</td>', amount_cell(invoice.net())])]
    for rate, _, tax in invoice.tax_lines():
        label = f'<td colspan="4">{escaped(describe(rate))}</td>'
        rows.append(table_row([label, amount_cell(tax)]))
    rows.append(table_row(['<td colspan="4">Total</td>', amount_cell(invoice.total())], "total"))
    return "".join(rows)


def lines_html(invoice: Invoice) -> str:
    """The lines and the totals as one table."""
    names = ("", "What", "Quantity", "Price", "Net")
    head = table_row([element("th", name) for name in names])
    body = [line_html(position, line) for position, line in enumerate(invoice.lines, start=1)]
    return element("table", head + "".join(body) + totals_html(invoice))


def as_html(invoice: Invoice) -> str:
    """The whole invoice as a page that stands on its own."""
    name = escaped(title(invoice))
    body = [
        element("p", "<br>".join(escaped(line) for line in SELLER), "small"),
        address_html(invoice),
        element("h1", name),
        facts_html(invoice),
        lines_html(invoice),
        element("p", escaped(" ".join(closing(invoice)))),
    ]
    head = f'<meta charset="utf-8"><title>{name}</title><style>{STYLE}</style>'
    return f"<!doctype html>\n<html><head>{head}</head>\n<body>\n" + "\n".join(body) + "\n</body></html>\n"


# What invoices look like to other programs.


def money_data(amount: Money) -> dict:
    """An amount as plain data."""
    return {"amount": amount.plain(), "currency": amount.currency}


def money_from(data: dict) -> Money:
    """An amount from plain data."""
    return Money.parse(data["amount"], data["currency"])


def day_from(text: str | None) -> date | None:
    """A day from plain data."""
    return date.fromisoformat(text) if text else None


def line_data(line: InvoiceLine) -> dict:
    """A line as plain data; what a line does not have is left out."""
    data: dict = {
        "text": line.text,
        "quantity": line.quantity,
        "price": money_data(line.price),
        "rate": {"name": line.rate.name, "percent": str(line.rate.percent)},
    }
    if line.period is not None:
        data["period"] = [line.period.first.isoformat(), line.period.last.isoformat()]
    if line.discount is not None:
        data["discount"] = money_data(line.discount)
    return data


def line_from(data: dict) -> InvoiceLine:
    """A line from plain data."""
    period = None
    if "period" in data:
        first, last = data["period"]
        period = Period(date.fromisoformat(first), date.fromisoformat(last))
    return InvoiceLine(
        data["text"],
        data["quantity"],
        money_from(data["price"]),
        TaxRate(data["rate"]["name"], Decimal(data["rate"]["percent"])),
        period,
        money_from(data["discount"]) if "discount" in data else None,
    )


def payment_data(payment: Payment) -> dict:
    """A payment as plain data."""
    return {
        "received": payment.received.isoformat(),
        "amount": money_data(payment.amount),
        "reference": payment.reference,
        "method": payment.method,
    }


def payment_from(data: dict) -> Payment:
    """A payment from plain data."""
    received = date.fromisoformat(data["received"])
    return Payment(received, money_from(data["amount"]), data["reference"], data["method"])


def as_data(invoice: Invoice) -> dict:
    """The invoice as plain data, for the archive and for JSON."""
    return {
        "number": invoice.number,
        "customer": invoice.customer,
        "created": invoice.created.isoformat(),
        "issued": invoice.issued.isoformat() if invoice.issued else None,
        "due": invoice.due.isoformat() if invoice.due else None,
        "currency": invoice.currency,
        "order": invoice.order,
        "credited_by": invoice.credited_by,
        "lines": [line_data(line) for line in invoice.lines],
        "payments": [payment_data(payment) for payment in invoice.payments],
    }


def from_data(data: dict) -> Invoice:
    """The invoice that was kept as plain data."""
    return Invoice(
        data["number"],
        data["customer"],
        date.fromisoformat(data["created"]),
        data["currency"],
        lines=[line_from(line) for line in data["lines"]],
        payments=[payment_from(payment) for payment in data["payments"]],
        issued=day_from(data["issued"]),
        due=day_from(data["due"]),
        credited_by=data["credited_by"],
        order=data["order"],
    )


def tag(name: str, value: str, indent: int = 1) -> str:
    """An element of the electronic invoice on a line of its own."""
    return f"{'  ' * indent}<{name}>{escaped(value)}</{name}>"


def line_xml(position: int, line: InvoiceLine) -> list[str]:
    """One line of the electronic invoice."""
    return [
        "  <InvoiceLine>",
        tag("ID", str(position), 2),
        tag("Name", line.text, 2),
        tag("InvoicedQuantity", str(line.quantity), 2),
        tag("PriceAmount", line.price.plain(), 2),
        tag("Percent", str(line.rate.percent), 2),
        tag("LineExtensionAmount", line.net.plain(), 2),
        "  </InvoiceLine>",
    ]


def as_xml(invoice: Invoice) -> str:
    """The electronic invoice that public offices ask for; drafts have none."""
    if invoice.issued is None:
        raise NotIssued(f"invoice {invoice.number} is a draft")
    kind = "381" if invoice.is_credit_note() else "380"
    parts = ['<?xml version="1.0" encoding="UTF-8"?>', "<Invoice>"]
    parts.append(tag("ID", invoice.number))
    parts.append(tag("IssueDate", invoice.issued.isoformat()))
    parts.append(tag("InvoiceTypeCode", kind))
    parts.append(tag("DocumentCurrencyCode", invoice.currency))
    parts.append(tag("SellerName", SELLER[0]))
    parts.append(tag("BuyerName", recipient(invoice)[0]))
    for position, line in enumerate(invoice.lines, start=1):
        parts.extend(line_xml(position, line))
    parts.append(tag("TaxAmount", invoice.tax().plain()))
    parts.append(tag("PayableAmount", invoice.total().plain()))
    parts.append("</Invoice>")
    return "\n".join(parts) + "\n"


# What invoices look like in the team's chat and on a receipt printer.


def bold(text: str) -> str:
    """Text that stands out in the chat."""
    return f"*{text}*" if text else ""


def as_chat(invoice: Invoice, today: date) -> str:
    """The invoice in a few lines, for the team's chat."""
    result = [f"{bold(title(invoice))} for {invoice.customer}: {invoice.total()}"]
    if invoice.is_overdue(today):
        result.append(f"{invoice.days_late(today)} days late, {invoice.open_amount()} open")
    elif invoice.is_open:
        result.append(f"due on {long_day(invoice.due)}")
    else:
        result.append(invoice.state.value)
    note = invoice.last_note()
    if note is not None:
        result.append(f"{note.author}: {note.text}")
    return "\n".join(result)


def chat_digest(book: Book, today: date, most: int = 5) -> str:
    """The latest payers in the chat, the worst first."""
    late = book.overdue(today)
    if not late:
        return "Nobody is late."
    result = [bold(f"{len(late)} invoices are late")]
    for invoice in late[:most]:
        days = invoice.days_late(today)
        result.append(f"{invoice.number} {invoice.customer}: {invoice.open_amount()}, {days} days")
    if len(late) > most:
        result.append(f"and {len(late) - most} more")
    return "\n".join(result)


RECEIPT_WIDTH = 32


def receipt_line(left: str, right: str) -> str:
    """Text on the left and an amount on the right of a narrow roll of paper."""
    room = RECEIPT_WIDTH - len(right) - 1
    return f"{left[:room]:<{room}} {right}"


def as_receipt(invoice: Invoice) -> str:
    """The invoice for a receipt printer."""
    result = [line.center(RECEIPT_WIDTH).rstrip() for line in SELLER]
    result.append("=" * RECEIPT_WIDTH)
    for line in invoice.lines:
        result.append(receipt_line(line.text, str(line.net)))
        if line.quantity != 1:
            result.append(f"  {line.quantity} x {line.price}")
    result.append("-" * RECEIPT_WIDTH)
    for rate, _, tax in invoice.tax_lines():
        if rate != EXEMPT:
            result.append(receipt_line(describe(rate), str(tax)))
    result.append(receipt_line("Total", str(invoice.total())))
    for payment in invoice.payments:
        result.append(receipt_line(f"Paid, {payment.method}", str(payment.amount)))
    result.append("=" * RECEIPT_WIDTH)
    result.append(f"{title(invoice)}".center(RECEIPT_WIDTH).rstrip())
    return "\n".join(result) + "\n"


def envelope(invoice: Invoice) -> str:
    """What goes on the envelope: the sender in one line, then the address."""
    if invoice.address is None:
        raise InvoiceError(f"invoice {invoice.number} has no address")
    sender = " - ".join(SELLER)
    return "\n".join([sender, "", *invoice.address.lines()]) + "\n"


def file_name(invoice: Invoice, suffix: str = "txt") -> str:
    """The name of the file in the archive: sorted by name is sorted by day."""
    day = invoice.issued or invoice.created
    kind = "credit-note" if invoice.is_credit_note() else "invoice"
    number = invoice.number.replace("/", "-")
    return f"{day.isoformat()}_{kind}_{number}.{suffix}"


def as_markdown(invoice: Invoice) -> str:
    """The invoice for the team's wiki."""
    result = [f"# {title(invoice)}", ""]
    result.extend(f"- {fact}" for fact in facts(invoice))
    result.extend(["", "| What | Quantity | Net |", "| --- | ---: | ---: |"])
    for line in invoice.lines:
        text = line.text.replace("|", "/")
        result.append(f"| {text} | {line.quantity} | {line.net} |")
    result.append(f"| **Total with tax** | | {invoice.total()} |")
    result.extend(["", *closing(invoice)])
    return "\n".join(result) + "\n"


def thread(invoice: Invoice) -> list[str]:
    """Everything that was noted down, the oldest first."""
    notes = sorted(invoice.notes, key=lambda note: note.day)
    return [f"{note.day.isoformat()} {note.author}: {note.text}" for note in notes]


def in_one_line(invoice: Invoice) -> str:
    """'Invoice 2026-0001, ACME, €37.50, issued', for lists and logs."""
    return f"{title(invoice)}, {invoice.customer}, {invoice.total()}, {invoice.state.value}"
