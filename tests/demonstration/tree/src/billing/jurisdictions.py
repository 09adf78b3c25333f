"""Tax rules by country: rates, numbers, thresholds, due dates, and what invoices must say.

The rules are simplified: one standard rate, reduced rates by category of goods, and the few
exceptions that came up with customers. Each country is a class without instances; ask `find` for
the one of a country code.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from decimal import Decimal
from enum import Enum

from billing.calendars import add_months, month_end, next_business_day
from billing.money import Money

CATEGORIES = (
    "books",
    "ebooks",
    "food",
    "hotels",
    "medicine",
    "newspapers",
    "restaurants",
    "services",
    "software",
    "transport",
)


class UnknownJurisdiction(KeyError):
    """We have no rules for a country."""


class Filing(Enum):
    """How often tax is declared."""

    MONTHLY = 1
    TWO_MONTHLY = 2
    QUARTERLY = 3
    YEARLY = 12


def digits(text: str) -> list[int]:
    """The digits in a text, everything else left out."""
    return [int(character) for character in text if character.isdigit()]


def weighted(values: list[int], weights: list[int]) -> int:
    """The sum of the products, as check digits need it."""
    return sum(value * weight for value, weight in zip(values, weights))


def luhn(values: list[int]) -> bool:
    """Whether the digits pass the check that credit cards have."""
    total = 0
    for position, value in enumerate(reversed(values)):
        doubled = value * 2 if position % 2 else value
        total += doubled - 9 if doubled > 9 else doubled
    return total % 10 == 0


class Jurisdiction:
    """What all countries have in common."""

    code = ""
    name = ""
    currency = "EUR"
    tax_name = "VAT"
    standard = Decimal("0")
    reduced: dict[str, Decimal] = {}
    exempt: frozenset[str] = frozenset()
    in_union = False
    number_pattern = re.compile(r".+")
    number_example = ""
    threshold = Money(0, "EUR")
    filing = Filing.MONTHLY
    filing_day = 20
    keep_years = 10
    reverse_charge_note = "Reverse charge"
    past_rates: tuple[tuple[date, Decimal], ...] = ()

    @classmethod
    def rate_for(cls, category: str, day: date) -> Decimal:
        """The rate in percent for a category of goods on a day."""
        if category not in CATEGORIES:
            raise ValueError(f"unknown category: {category!r}")
        if category in cls.exempt:
            return Decimal(0)
        return cls.reduced.get(category, cls.standard_on(day))

    @classmethod
    def standard_on(cls, day: date) -> Decimal:
        """The standard rate of a day; past rates are listed with their last day."""
        for last, rate in cls.past_rates:
            if day <= last:
                return rate
        return cls.standard

    @classmethod
    def clean_number(cls, number: str) -> str:
        """A tax number without what people put in to make it readable."""
        return re.sub(r"[\s./-]", "", number).upper()

    @classmethod
    def is_number(cls, number: str) -> bool:
        """Whether a tax number has the right form and, where we know how, the right check digit."""
        cleaned = cls.clean_number(number)
        return bool(cls.number_pattern.fullmatch(cleaned)) and cls.check_digit(cleaned)

    @classmethod
    def check_digit(cls, number: str) -> bool:
        """Whether the check digit of a cleaned number is right."""
        return True

    @classmethod
    def must_register(cls, sales: Money) -> bool:
        """Whether a year's sales to consumers make us register there."""
        return cls.threshold <= sales

    @classmethod
    def period_end(cls, day: date) -> date:
        """The last day of the period that is declared together with a day."""
        months = cls.filing.value
        first = (day.month - 1) // months * months + 1
        return month_end(date(day.year, first + months - 1, 1))

    @classmethod
    def filing_due(cls, day: date) -> date:
        """The last day to declare the period of a day."""
        after = add_months(cls.period_end(day).replace(day=1), 1)
        return next_business_day(after.replace(day=cls.filing_day))

    @classmethod
    def notes(cls, business: bool) -> list[str]:
        """What an invoice to a customer there must say."""
        return [cls.reverse_charge_note] if business and cls.in_union else []

    @classmethod
    def round_cash(cls, amount: Money) -> Money:
        """What is paid in cash: most countries have coins for every amount."""
        return amount

    @classmethod
    def keep_until(cls, day: date) -> date:
        """How long an invoice of a day has to be kept: years count from the end of the year."""
        return date(day.year + cls.keep_years, 12, 31)


class Austria(Jurisdiction):
    """Austria: USt.

    Two valleys can only be reached through Germany and have the German rate.
    """

    code = "AT"
    name = "Austria"
    currency = "EUR"
    tax_name = "USt"
    standard = Decimal("20")
    reduced = {
        "books": Decimal("10"),
        "ebooks": Decimal("10"),
        "food": Decimal("10"),
        "hotels": Decimal("10"),
        "medicine": Decimal("10"),
        "newspapers": Decimal("10"),
        "restaurants": Decimal("10"),
        "transport": Decimal("10"),
    }
    in_union = True
    number_pattern = re.compile(r"ATU\d{8}")
    number_example = "ATU13585627"
    threshold = Money(5_500_000, "EUR")
    filing = Filing.MONTHLY
    filing_day = 15
    keep_years = 7
    reverse_charge_note = "Übergang der Steuerschuld auf den Leistungsempfänger"

    @classmethod
    def check_digit(cls, number: str) -> bool:
        """The digits are doubled and added crosswise, plus four."""
        values = digits(number)
        total = 4
        for position, value in enumerate(values[:7]):
            product = value * (2 if position % 2 else 1)
            total += product // 10 + product % 10
        return (10 - total % 10) % 10 == values[7]

    @classmethod
    def regional_standard(cls, postcode: str, day: date) -> Decimal:
        """The standard rate at a postcode: Jungholz and Mittelberg have their own."""
        if postcode.startswith(("6691", "6991", "6992", "6993")):
            return Decimal("19")
        return cls.standard_on(day)

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number as people write it there."""
        text = cls.clean_number(number)
        return " ".join([text[:2], text[2:5], text[5:8], text[8:]])

    @classmethod
    def header_lines(cls, business: bool, number: str, total: Money) -> list[str]:
        """What stands at the top of an invoice."""
        if business:
            lines = ["USt-ID: " + number]
        else:
            lines = []
        if total.minor > 15000:
            lines.append(f"USt {cls.standard}%")
        return lines

    @classmethod
    def tax_inside(cls, gross: Money, day: date) -> Money:
        """The tax in a gross price at the standard rate."""
        share = cls.standard_on(day) / (100 + cls.standard_on(day))
        return gross.times(share)


class Belgium(Jurisdiction):
    """Belgium: TVA/BTW.

    Invoices are in the language of the customer's region, or they do not count.
    """

    code = "BE"
    name = "Belgium"
    currency = "EUR"
    tax_name = "TVA/BTW"
    standard = Decimal("21")
    reduced = {
        "books": Decimal("6"),
        "ebooks": Decimal("6"),
        "food": Decimal("6"),
        "hotels": Decimal("6"),
        "medicine": Decimal("6"),
        "restaurants": Decimal("12"),
        "transport": Decimal("6"),
    }
    exempt = frozenset(
        {
            "newspapers",
        }
    )
    in_union = True
    number_pattern = re.compile(r"BE[01]\d{9}")
    number_example = "BE0403019261"
    threshold = Money(2_500_000, "EUR")
    filing = Filing.MONTHLY
    filing_day = 20
    keep_years = 10
    reverse_charge_note = "Autoliquidation"

    @classmethod
    def check_digit(cls, number: str) -> bool:
        """The last two digits are 97 less the rest of a division by it."""
        value = int(number[2:])
        return 97 - value // 100 % 97 == value % 100

    @classmethod
    def notes(cls, business: bool) -> list[str]:
        """What an invoice must say, in all the languages."""
        if not business:
            return []
        return ["Autoliquidation", "Btw verlegd"]

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number in groups."""
        text = cls.clean_number(number)
        parts = (
            text[:2],
            text[2:6],
            text[6:],
        )
        return " ".join(parts)

    @classmethod
    def last_chance(cls, day: date, warned: bool) -> date:
        """The day after which a declaration costs a fine."""
        last = cls.filing_due(day)
        if warned:
            last += timedelta(days=10)
        return next_business_day(last)

    @classmethod
    def is_small_invoice(cls, total: Money) -> bool:
        """Whether an invoice needs no address and no number of the customer."""
        limit = Money(15000, cls.currency)
        return total.currency == cls.currency and total <= limit


class Bulgaria(Jurisdiction):
    """Bulgaria: DDS.

    The euro came in 2026; older invoices are in leva.
    """

    code = "BG"
    name = "Bulgaria"
    currency = "EUR"
    tax_name = "DDS"
    standard = Decimal("20")
    reduced = {
        "books": Decimal("9"),
        "ebooks": Decimal("9"),
        "hotels": Decimal("9"),
    }
    in_union = True
    number_pattern = re.compile(r"BG\d{9,10}")
    number_example = "BG175074752"
    threshold = Money(5_100_000, "EUR")
    filing = Filing.MONTHLY
    filing_day = 14
    keep_years = 10
    reverse_charge_note = "Обратно начисляване"

    @classmethod
    def currency_on(cls, day: date) -> str:
        """The currency of a day."""
        last = date(2025, 12, 31)
        return "BGN" if day <= last else cls.currency

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number as forms show it."""
        text = cls.clean_number(number)
        return " ".join([text[:3], text[3:6], text[6:9], text[9:]])

    @classmethod
    def fine(cls, tax: Money, days_late: int) -> Money:
        """What a late declaration costs: 2 percent for each month begun, with a limit."""
        if days_late <= 0:
            return Money.zero(tax.currency)
        months = (days_late - 1) // 30 + 1
        fine = tax.times(Decimal("2") / 100).times(months)
        most = tax.times(Decimal("50") / 100)
        return min(fine, most, key=lambda amount: amount.minor)

    @classmethod
    def yearly_due(cls, year: int) -> date:
        """The last day for the declaration of a whole year."""
        return next_business_day(date(year + 1, 6, 25))


class Croatia(Jurisdiction):
    """Croatia: PDV.

    Receipts are reported as they are printed.
    """

    code = "HR"
    name = "Croatia"
    currency = "EUR"
    tax_name = "PDV"
    standard = Decimal("25")
    reduced = {
        "books": Decimal("5"),
        "ebooks": Decimal("5"),
        "food": Decimal("13"),
        "hotels": Decimal("13"),
        "medicine": Decimal("5"),
        "newspapers": Decimal("5"),
        "restaurants": Decimal("13"),
    }
    in_union = True
    number_pattern = re.compile(r"HR\d{11}")
    number_example = "HR33392005961"
    threshold = Money(4_000_000, "EUR")
    filing = Filing.MONTHLY
    filing_day = 20
    keep_years = 11
    reverse_charge_note = "Prijenos porezne obveze"

    @classmethod
    def check_digit(cls, number: str) -> bool:
        """ISO 7064, modulo 11 and 10."""
        product = 10
        *body, last = digits(number)
        for value in body:
            total = (value + product) % 10 or 10
            product = total * 2 % 11
        return (11 - product) % 10 == last

    @classmethod
    def currency_on(cls, day: date) -> str:
        """The currency of a day."""
        last = date(2022, 12, 31)
        return "HRK" if day <= last else cls.currency

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number, made readable."""
        text = cls.clean_number(number)
        parts = (
            text[:2],
            text[2:4],
            text[4:7],
            text[7:10],
            text[10:],
        )
        return " ".join(parts)

    @classmethod
    def header_lines(cls, business: bool, number: str, total: Money) -> list[str]:
        """What stands at the top of an invoice."""
        if business:
            lines = ["PDV-ID: " + number]
        else:
            lines = []
        if total.minor > 25000:
            lines.append(f"PDV {cls.standard}%")
        return lines

    @classmethod
    def is_favoured(cls, category: str, day: date) -> bool:
        """Whether a category is taxed less than others, or would be with a receipt."""
        if category in {"books", "food", "medicine"}:
            return True
        return cls.rate_for(category, day) < cls.standard_on(day)


class Cyprus(Jurisdiction):
    """Cyprus: FPA.

    Declared by quarter, with ten days more than elsewhere.
    """

    code = "CY"
    name = "Cyprus"
    currency = "EUR"
    tax_name = "FPA"
    standard = Decimal("19")
    reduced = {
        "books": Decimal("3"),
        "food": Decimal("5"),
        "hotels": Decimal("9"),
        "medicine": Decimal("5"),
        "newspapers": Decimal("5"),
        "restaurants": Decimal("9"),
        "transport": Decimal("9"),
    }
    in_union = True
    number_pattern = re.compile(r"CY\d{8}[A-Z]")
    number_example = "CY10259033P"
    threshold = Money(1_560_000, "EUR")
    filing = Filing.QUARTERLY
    filing_day = 10
    keep_years = 6
    reverse_charge_note = "Reverse charge"

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number as people write it there."""
        text = cls.clean_number(number)
        return " ".join([text[:2], text[2:5], text[5:8], text[8:]])

    @classmethod
    def last_chance(cls, day: date, warned: bool) -> date:
        """The day after which a declaration costs a fine."""
        last = cls.filing_due(day)
        if warned:
            last += timedelta(days=7)
        return next_business_day(last)

    @classmethod
    def tax_inside(cls, gross: Money, day: date) -> Money:
        """The tax in a gross price at the standard rate."""
        share = cls.standard_on(day) / (100 + cls.standard_on(day))
        return gross.times(share)


class Czechia(Jurisdiction):
    """Czechia: DPH.

    Books have no tax at all since 2024.
    """

    code = "CZ"
    name = "Czechia"
    currency = "CZK"
    tax_name = "DPH"
    standard = Decimal("21")
    reduced = {
        "food": Decimal("12"),
        "hotels": Decimal("12"),
        "medicine": Decimal("12"),
        "newspapers": Decimal("12"),
        "restaurants": Decimal("12"),
        "transport": Decimal("12"),
    }
    exempt = frozenset(
        {
            "books",
        }
    )
    in_union = True
    number_pattern = re.compile(r"CZ\d{8,10}")
    number_example = "CZ25123891"
    threshold = Money(200_000_000, "CZK")
    filing = Filing.MONTHLY
    filing_day = 25
    keep_years = 10
    reverse_charge_note = "Daň odvede zákazník"
    past_rates = (
        (date(2012, 12, 31), Decimal("20")),
    )

    @classmethod
    def check_digit(cls, number: str) -> bool:
        """Companies have eight digits with a check; people have more, without one we know."""
        values = digits(number)
        if len(values) != 8:
            return True
        rest = weighted(values, [8, 7, 6, 5, 4, 3, 2]) % 11
        return (11 - rest) % 10 == values[7]

    @classmethod
    def round_cash(cls, amount: Money) -> Money:
        """What is paid in cash: the smallest coin is 1 CZK."""
        coin = 100
        steps = (abs(amount.minor) + coin // 2) // coin
        minor = steps * coin
        return Money(-minor if amount.minor < 0 else minor, amount.currency)

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number in groups."""
        text = cls.clean_number(number)
        parts = (
            text[:2],
            text[2:6],
            text[6:],
        )
        return " ".join(parts)

    @classmethod
    def fine(cls, tax: Money, days_late: int) -> Money:
        """What a late declaration costs: 0.5 percent for each month begun, with a limit."""
        if days_late <= 0:
            return Money.zero(tax.currency)
        months = (days_late - 1) // 30 + 1
        fine = tax.times(Decimal("0.5") / 100).times(months)
        most = tax.times(Decimal("50") / 100)
        return min(fine, most, key=lambda amount: amount.minor)

    @classmethod
    def is_small_invoice(cls, total: Money) -> bool:
        """Whether an invoice needs no address and no number of the customer."""
        limit = Money(30000, cls.currency)
        return total.currency == cls.currency and total <= limit


class Denmark(Jurisdiction):
    """Denmark: Moms.

    One rate for everything but newspapers, which is why it is the example of every textbook.
    """

    code = "DK"
    name = "Denmark"
    currency = "DKK"
    tax_name = "Moms"
    standard = Decimal("25")
    in_union = True
    number_pattern = re.compile(r"DK\d{8}")
    number_example = "DK13585628"
    threshold = Money(5_000_000, "DKK")
    filing = Filing.QUARTERLY
    filing_day = 1
    keep_years = 5
    reverse_charge_note = "Omvendt betalingspligt"

    @classmethod
    def check_digit(cls, number: str) -> bool:
        """The weighted sum can be divided by eleven."""
        return weighted(digits(number), [2, 7, 6, 5, 4, 3, 2, 1]) % 11 == 0

    @classmethod
    def round_cash(cls, amount: Money) -> Money:
        """What is paid in cash: the smallest coin is 0.5 DKK."""
        coin = 50
        steps = (abs(amount.minor) + coin // 2) // coin
        minor = steps * coin
        return Money(-minor if amount.minor < 0 else minor, amount.currency)

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number as forms show it."""
        text = cls.clean_number(number)
        return " ".join([text[:3], text[3:6], text[6:9], text[9:]])

    @classmethod
    def header_lines(cls, business: bool, number: str, total: Money) -> list[str]:
        """What stands at the top of an invoice."""
        if business:
            lines = ["Moms-ID: " + number]
        else:
            lines = []
        if total.minor > 15000:
            lines.append(f"Moms {cls.standard}%")
        return lines

    @classmethod
    def yearly_due(cls, year: int) -> date:
        """The last day for the declaration of a whole year."""
        return next_business_day(date(year + 1, 4, 15))


class Estonia(Jurisdiction):
    """Estonia: KM.

    The standard rate went up twice in two years.
    """

    code = "EE"
    name = "Estonia"
    currency = "EUR"
    tax_name = "KM"
    standard = Decimal("24")
    reduced = {
        "books": Decimal("9"),
        "ebooks": Decimal("9"),
        "hotels": Decimal("13"),
        "medicine": Decimal("9"),
        "newspapers": Decimal("9"),
    }
    in_union = True
    number_pattern = re.compile(r"EE\d{9}")
    number_example = "EE100931558"
    threshold = Money(4_000_000, "EUR")
    filing = Filing.MONTHLY
    filing_day = 20
    keep_years = 7
    reverse_charge_note = "Pöördmaksustamine"
    past_rates = (
        (date(2023, 12, 31), Decimal("20")),
        (date(2025, 6, 30), Decimal("22")),
    )

    @classmethod
    def check_digit(cls, number: str) -> bool:
        """Weights of three, seven and one, over and over."""
        return weighted(digits(number), [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 == 0

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number, made readable."""
        text = cls.clean_number(number)
        parts = (
            text[:2],
            text[2:4],
            text[4:7],
            text[7:10],
            text[10:],
        )
        return " ".join(parts)

    @classmethod
    def last_chance(cls, day: date, warned: bool) -> date:
        """The day after which a declaration costs a fine."""
        last = cls.filing_due(day)
        if warned:
            last += timedelta(days=30)
        return next_business_day(last)

    @classmethod
    def is_favoured(cls, category: str, day: date) -> bool:
        """Whether a category is taxed less than others, or would be with a receipt."""
        if category in {"books", "food", "medicine"}:
            return True
        return cls.rate_for(category, day) < cls.standard_on(day)


class Finland(Jurisdiction):
    """Finland: ALV.

    The only standard rate with a half in it.
    """

    code = "FI"
    name = "Finland"
    currency = "EUR"
    tax_name = "ALV"
    standard = Decimal("25.5")
    reduced = {
        "books": Decimal("13.5"),
        "ebooks": Decimal("13.5"),
        "food": Decimal("13.5"),
        "hotels": Decimal("13.5"),
        "medicine": Decimal("13.5"),
        "newspapers": Decimal("10"),
        "restaurants": Decimal("13.5"),
        "transport": Decimal("13.5"),
    }
    in_union = True
    number_pattern = re.compile(r"FI\d{8}")
    number_example = "FI20774740"
    threshold = Money(2_000_000, "EUR")
    filing = Filing.MONTHLY
    filing_day = 12
    keep_years = 6
    reverse_charge_note = "Käännetty verovelvollisuus"
    past_rates = (
        (date(2024, 8, 31), Decimal("24")),
    )

    @classmethod
    def check_digit(cls, number: str) -> bool:
        """The weighted sum can be divided by eleven."""
        return weighted(digits(number), [7, 9, 10, 5, 8, 4, 2, 1]) % 11 == 0

    @classmethod
    def round_cash(cls, amount: Money) -> Money:
        """What is paid in cash: the smallest coin is 0.05 EUR."""
        coin = 5
        steps = (abs(amount.minor) + coin // 2) // coin
        minor = steps * coin
        return Money(-minor if amount.minor < 0 else minor, amount.currency)

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number as people write it there."""
        text = cls.clean_number(number)
        return " ".join([text[:2], text[2:5], text[5:8], text[8:]])

    @classmethod
    def fine(cls, tax: Money, days_late: int) -> Money:
        """What a late declaration costs: 5 percent for each month begun, with a limit."""
        if days_late <= 0:
            return Money.zero(tax.currency)
        months = (days_late - 1) // 30 + 1
        fine = tax.times(Decimal("5") / 100).times(months)
        most = tax.times(Decimal("50") / 100)
        return min(fine, most, key=lambda amount: amount.minor)

    @classmethod
    def tax_inside(cls, gross: Money, day: date) -> Money:
        """The tax in a gross price at the standard rate."""
        share = cls.standard_on(day) / (100 + cls.standard_on(day))
        return gross.times(share)


class France(Jurisdiction):
    """France: TVA.

    A late payer owes forty euros at once, and the invoice has to say so.
    """

    code = "FR"
    name = "France"
    currency = "EUR"
    tax_name = "TVA"
    standard = Decimal("20")
    reduced = {
        "books": Decimal("5.5"),
        "ebooks": Decimal("5.5"),
        "food": Decimal("5.5"),
        "hotels": Decimal("10"),
        "medicine": Decimal("10"),
        "newspapers": Decimal("2.1"),
        "restaurants": Decimal("10"),
        "transport": Decimal("10"),
    }
    in_union = True
    number_pattern = re.compile(r"FR[0-9A-Z]{2}\d{9}")
    number_example = "FR40303265045"
    threshold = Money(8_500_000, "EUR")
    filing = Filing.MONTHLY
    filing_day = 19
    keep_years = 10
    reverse_charge_note = "Autoliquidation"
    past_rates = (
        (date(2013, 12, 31), Decimal("19.6")),
    )

    @classmethod
    def check_digit(cls, number: str) -> bool:
        """The first two places are worked out from the rest; letters in them we do not check."""
        head, siren = number[2:4], int(number[4:])
        if not head.isdigit():
            return True
        return int(head) == (12 + 3 * (siren % 97)) % 97

    @classmethod
    def regional_standard(cls, postcode: str, day: date) -> Decimal:
        """The standard rate at a postcode: Corsica has its own."""
        if postcode.startswith(("20",)):
            return Decimal("10")
        return cls.standard_on(day)

    @classmethod
    def late_fee(cls, days: int) -> Money:
        """What a business owes at once when it pays late."""
        return Money(4000 if days > 0 else 0, cls.currency)

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number in groups."""
        text = cls.clean_number(number)
        parts = (
            text[:2],
            text[2:6],
            text[6:],
        )
        return " ".join(parts)

    @classmethod
    def header_lines(cls, business: bool, number: str, total: Money) -> list[str]:
        """What stands at the top of an invoice."""
        if business:
            lines = ["TVA-ID: " + number]
        else:
            lines = []
        if total.minor > 25000:
            lines.append(f"TVA {cls.standard}%")
        return lines

    @classmethod
    def is_small_invoice(cls, total: Money) -> bool:
        """Whether an invoice needs no address and no number of the customer."""
        limit = Money(10000, cls.currency)
        return total.currency == cls.currency and total <= limit


class Germany(Jurisdiction):
    """Germany: USt.

    For half a year in 2020 the rate was lower.
    """

    code = "DE"
    name = "Germany"
    currency = "EUR"
    tax_name = "USt"
    standard = Decimal("19")
    reduced = {
        "books": Decimal("7"),
        "ebooks": Decimal("7"),
        "food": Decimal("7"),
        "hotels": Decimal("7"),
        "newspapers": Decimal("7"),
        "restaurants": Decimal("7"),
        "transport": Decimal("7"),
    }
    in_union = True
    number_pattern = re.compile(r"DE\d{9}")
    number_example = "DE136695976"
    threshold = Money(2_500_000, "EUR")
    filing = Filing.MONTHLY
    filing_day = 10
    keep_years = 8
    reverse_charge_note = "Steuerschuldnerschaft des Leistungsempfängers"
    past_rates = (
        (date(2006, 12, 31), Decimal("16")),
    )

    @classmethod
    def check_digit(cls, number: str) -> bool:
        """ISO 7064, modulo 11 and 10."""
        product = 10
        *body, last = digits(number)
        for value in body:
            total = (value + product) % 10 or 10
            product = total * 2 % 11
        return (11 - product) % 10 == last

    @classmethod
    def standard_on(cls, day: date) -> Decimal:
        """The standard rate of a day; it was 16 percent from 2020-07-01 to 2020-12-31."""
        if date(2020, 7, 1) <= day <= date(2020, 12, 31):
            return Decimal("16")
        return super().standard_on(day)

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number as forms show it."""
        text = cls.clean_number(number)
        return " ".join([text[:3], text[3:6], text[6:9], text[9:]])

    @classmethod
    def last_chance(cls, day: date, warned: bool) -> date:
        """The day after which a declaration costs a fine."""
        last = cls.filing_due(day)
        if warned:
            last += timedelta(days=14)
        return next_business_day(last)

    @classmethod
    def yearly_due(cls, year: int) -> date:
        """The last day for the declaration of a whole year."""
        return next_business_day(date(year + 1, 5, 20))


class Greece(Jurisdiction):
    """Greece: FPA.

    Numbers begin with EL although the country is GR.
    """

    code = "GR"
    name = "Greece"
    currency = "EUR"
    tax_name = "FPA"
    standard = Decimal("24")
    reduced = {
        "books": Decimal("6"),
        "ebooks": Decimal("6"),
        "food": Decimal("13"),
        "hotels": Decimal("13"),
        "medicine": Decimal("6"),
        "newspapers": Decimal("6"),
        "restaurants": Decimal("13"),
    }
    in_union = True
    number_pattern = re.compile(r"EL\d{9}")
    number_example = "EL094259216"
    threshold = Money(1_000_000, "EUR")
    filing = Filing.MONTHLY
    filing_day = 26
    keep_years = 5
    reverse_charge_note = "Αντίστροφη επιβάρυνση"

    @classmethod
    def check_digit(cls, number: str) -> bool:
        """Powers of two as weights."""
        values = digits(number)
        weights = [2**power for power in range(8, 0, -1)]
        return weighted(values, weights) % 11 % 10 == values[8]

    @classmethod
    def regional_standard(cls, postcode: str, day: date) -> Decimal:
        """The standard rate at a postcode: the eastern islands have their own."""
        if postcode.startswith(("811", "821", "831", "851", "854")):
            return Decimal("17")
        return cls.standard_on(day)

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number, made readable."""
        text = cls.clean_number(number)
        parts = (
            text[:2],
            text[2:4],
            text[4:7],
            text[7:10],
            text[10:],
        )
        return " ".join(parts)

    @classmethod
    def fine(cls, tax: Money, days_late: int) -> Money:
        """What a late declaration costs: 1 percent for each month begun, with a limit."""
        if days_late <= 0:
            return Money.zero(tax.currency)
        months = (days_late - 1) // 30 + 1
        fine = tax.times(Decimal("1") / 100).times(months)
        most = tax.times(Decimal("50") / 100)
        return min(fine, most, key=lambda amount: amount.minor)

    @classmethod
    def is_favoured(cls, category: str, day: date) -> bool:
        """Whether a category is taxed less than others, or would be with a receipt."""
        if category in {"books", "food", "medicine"}:
            return True
        return cls.rate_for(category, day) < cls.standard_on(day)


class Hungary(Jurisdiction):
    """Hungary: ÁFA.

    The highest rate of all.
    """

    code = "HU"
    name = "Hungary"
    currency = "HUF"
    tax_name = "ÁFA"
    standard = Decimal("27")
    reduced = {
        "books": Decimal("5"),
        "food": Decimal("18"),
        "hotels": Decimal("5"),
        "medicine": Decimal("5"),
        "newspapers": Decimal("5"),
        "restaurants": Decimal("5"),
    }
    in_union = True
    number_pattern = re.compile(r"HU\d{8}")
    number_example = "HU12892312"
    threshold = Money(1_200_000_000, "HUF")
    filing = Filing.MONTHLY
    filing_day = 20
    keep_years = 8
    reverse_charge_note = "Fordított adózás"

    @classmethod
    def check_digit(cls, number: str) -> bool:
        """Weights of nine, seven, three and one, over and over."""
        return weighted(digits(number), [9, 7, 3, 1, 9, 7, 3, 1]) % 10 == 0

    @classmethod
    def round_cash(cls, amount: Money) -> Money:
        """What is paid in cash: the smallest coin is 5 HUF."""
        coin = 500
        steps = (abs(amount.minor) + coin // 2) // coin
        minor = steps * coin
        return Money(-minor if amount.minor < 0 else minor, amount.currency)

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number as people write it there."""
        text = cls.clean_number(number)
        return " ".join([text[:2], text[2:5], text[5:8], text[8:]])

    @classmethod
    def header_lines(cls, business: bool, number: str, total: Money) -> list[str]:
        """What stands at the top of an invoice."""
        if business:
            lines = ["ÁFA-ID: " + number]
        else:
            lines = []
        if total.minor > 15000:
            lines.append(f"ÁFA {cls.standard}%")
        return lines

    @classmethod
    def tax_inside(cls, gross: Money, day: date) -> Money:
        """The tax in a gross price at the standard rate."""
        share = cls.standard_on(day) / (100 + cls.standard_on(day))
        return gross.times(share)


class Ireland(Jurisdiction):
    """Ireland: VAT.

    Declared every two months.
    """

    code = "IE"
    name = "Ireland"
    currency = "EUR"
    tax_name = "VAT"
    standard = Decimal("23")
    reduced = {
        "ebooks": Decimal("9"),
        "hotels": Decimal("13.5"),
        "newspapers": Decimal("9"),
        "restaurants": Decimal("13.5"),
    }
    exempt = frozenset(
        {
            "books",
            "food",
            "medicine",
            "transport",
        }
    )
    in_union = True
    number_pattern = re.compile(r"IE\d[A-Z0-9+*]\d{5}[A-Z]{1,2}")
    number_example = "IE6433435F"
    threshold = Money(4_000_000, "EUR")
    filing = Filing.TWO_MONTHLY
    filing_day = 19
    keep_years = 6
    reverse_charge_note = "Reverse charge"

    @classmethod
    def check_digit(cls, number: str) -> bool:
        """A letter stands for the rest of a division by 23."""
        if not number[3].isdigit():
            return True
        letters = "WABCDEFGHIJKLMNOPQRSTUV"
        total = weighted(digits(number[2:9]), [8, 7, 6, 5, 4, 3, 2])
        if len(number) == 11:
            total += 9 * (ord(number[10]) - ord("A") + 1)
        return letters[total % 23] == number[9]

    @classmethod
    def round_cash(cls, amount: Money) -> Money:
        """What is paid in cash: the smallest coin is 0.05 EUR."""
        coin = 5
        steps = (abs(amount.minor) + coin // 2) // coin
        minor = steps * coin
        return Money(-minor if amount.minor < 0 else minor, amount.currency)

    @classmethod
    def standard_on(cls, day: date) -> Decimal:
        """The standard rate of a day; it was 21 percent from 2020-09-01 to 2021-02-28."""
        if date(2020, 9, 1) <= day <= date(2021, 2, 28):
            return Decimal("21")
        return super().standard_on(day)

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number in groups."""
        text = cls.clean_number(number)
        parts = (
            text[:2],
            text[2:6],
            text[6:],
        )
        return " ".join(parts)

    @classmethod
    def last_chance(cls, day: date, warned: bool) -> date:
        """The day after which a declaration costs a fine."""
        last = cls.filing_due(day)
        if warned:
            last += timedelta(days=10)
        return next_business_day(last)

    @classmethod
    def is_small_invoice(cls, total: Money) -> bool:
        """Whether an invoice needs no address and no number of the customer."""
        limit = Money(15000, cls.currency)
        return total.currency == cls.currency and total <= limit


class Italy(Jurisdiction):
    """Italy: IVA.

    Invoices without tax carry a stamp of two euros.
    """

    code = "IT"
    name = "Italy"
    currency = "EUR"
    tax_name = "IVA"
    standard = Decimal("22")
    reduced = {
        "books": Decimal("4"),
        "ebooks": Decimal("4"),
        "food": Decimal("10"),
        "hotels": Decimal("10"),
        "medicine": Decimal("10"),
        "newspapers": Decimal("4"),
        "restaurants": Decimal("10"),
        "transport": Decimal("10"),
    }
    in_union = True
    number_pattern = re.compile(r"IT\d{11}")
    number_example = "IT00743110157"
    threshold = Money(6_500_000, "EUR")
    filing = Filing.MONTHLY
    filing_day = 16
    keep_years = 10
    reverse_charge_note = "Inversione contabile"
    past_rates = (
        (date(2011, 9, 16), Decimal("20")),
        (date(2013, 9, 30), Decimal("21")),
    )

    @classmethod
    def check_digit(cls, number: str) -> bool:
        """The check that credit cards have."""
        return luhn(digits(number))

    @classmethod
    def stamp_duty(cls, amount: Money, taxed: bool) -> Money:
        """The stamp on an invoice without tax, above a limit."""
        needed = not taxed and amount.minor > 7747
        return Money(200 if needed else 0, cls.currency)

    @classmethod
    def round_cash(cls, amount: Money) -> Money:
        """What is paid in cash: the smallest coin is 0.05 EUR."""
        coin = 5
        steps = (abs(amount.minor) + coin // 2) // coin
        minor = steps * coin
        return Money(-minor if amount.minor < 0 else minor, amount.currency)

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number as forms show it."""
        text = cls.clean_number(number)
        return " ".join([text[:3], text[3:6], text[6:9], text[9:]])

    @classmethod
    def fine(cls, tax: Money, days_late: int) -> Money:
        """What a late declaration costs: 10 percent for each month begun, with a limit."""
        if days_late <= 0:
            return Money.zero(tax.currency)
        months = (days_late - 1) // 30 + 1
        fine = tax.times(Decimal("10") / 100).times(months)
        most = tax.times(Decimal("50") / 100)
        return min(fine, most, key=lambda amount: amount.minor)

    @classmethod
    def yearly_due(cls, year: int) -> date:
        """The last day for the declaration of a whole year."""
        return next_business_day(date(year + 1, 6, 25))


class Latvia(Jurisdiction):
    """Latvia: PVN.

    Fresh fruit that grows there was cheaper for some years.
    """

    code = "LV"
    name = "Latvia"
    currency = "EUR"
    tax_name = "PVN"
    standard = Decimal("21")
    reduced = {
        "books": Decimal("5"),
        "hotels": Decimal("12"),
        "medicine": Decimal("12"),
        "newspapers": Decimal("5"),
        "transport": Decimal("12"),
    }
    in_union = True
    number_pattern = re.compile(r"LV\d{11}")
    number_example = "LV40003521600"
    threshold = Money(5_000_000, "EUR")
    filing = Filing.MONTHLY
    filing_day = 20
    keep_years = 10
    reverse_charge_note = "Nodokļa apgrieztā maksāšana"

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number, made readable."""
        text = cls.clean_number(number)
        parts = (
            text[:2],
            text[2:4],
            text[4:7],
            text[7:10],
            text[10:],
        )
        return " ".join(parts)

    @classmethod
    def header_lines(cls, business: bool, number: str, total: Money) -> list[str]:
        """What stands at the top of an invoice."""
        if business:
            lines = ["PVN-ID: " + number]
        else:
            lines = []
        if total.minor > 25000:
            lines.append(f"PVN {cls.standard}%")
        return lines

    @classmethod
    def is_favoured(cls, category: str, day: date) -> bool:
        """Whether a category is taxed less than others, or would be with a receipt."""
        if category in {"books", "food", "medicine"}:
            return True
        return cls.rate_for(category, day) < cls.standard_on(day)


class Lithuania(Jurisdiction):
    """Lithuania: PVM.

    Numbers have nine digits, or twelve for those who registered for a while.
    """

    code = "LT"
    name = "Lithuania"
    currency = "EUR"
    tax_name = "PVM"
    standard = Decimal("21")
    reduced = {
        "books": Decimal("5"),
        "hotels": Decimal("12"),
        "medicine": Decimal("5"),
        "newspapers": Decimal("5"),
        "transport": Decimal("12"),
    }
    in_union = True
    number_pattern = re.compile(r"LT(\d{9}|\d{12})")
    number_example = "LT119511515"
    threshold = Money(4_500_000, "EUR")
    filing = Filing.MONTHLY
    filing_day = 25
    keep_years = 10
    reverse_charge_note = "Atvirkštinis apmokestinimas"

    @classmethod
    def round_cash(cls, amount: Money) -> Money:
        """What is paid in cash: the smallest coin is 0.05 EUR."""
        coin = 5
        steps = (abs(amount.minor) + coin // 2) // coin
        minor = steps * coin
        return Money(-minor if amount.minor < 0 else minor, amount.currency)

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number as people write it there."""
        text = cls.clean_number(number)
        return " ".join([text[:2], text[2:5], text[5:8], text[8:]])

    @classmethod
    def last_chance(cls, day: date, warned: bool) -> date:
        """The day after which a declaration costs a fine."""
        last = cls.filing_due(day)
        if warned:
            last += timedelta(days=7)
        return next_business_day(last)

    @classmethod
    def tax_inside(cls, gross: Money, day: date) -> Money:
        """The tax in a gross price at the standard rate."""
        share = cls.standard_on(day) / (100 + cls.standard_on(day))
        return gross.times(share)


class Luxembourg(Jurisdiction):
    """Luxembourg: TVA.

    The lowest standard rate of the union.
    """

    code = "LU"
    name = "Luxembourg"
    currency = "EUR"
    tax_name = "TVA"
    standard = Decimal("17")
    reduced = {
        "books": Decimal("3"),
        "ebooks": Decimal("3"),
        "food": Decimal("3"),
        "hotels": Decimal("3"),
        "medicine": Decimal("3"),
        "newspapers": Decimal("3"),
        "restaurants": Decimal("3"),
        "transport": Decimal("3"),
    }
    in_union = True
    number_pattern = re.compile(r"LU\d{8}")
    number_example = "LU15027442"
    threshold = Money(5_000_000, "EUR")
    filing = Filing.YEARLY
    filing_day = 1
    keep_years = 10
    reverse_charge_note = "Autoliquidation"
    past_rates = (
        (date(2014, 12, 31), Decimal("15")),
    )

    @classmethod
    def check_digit(cls, number: str) -> bool:
        """The last two digits are the rest of a division by 89."""
        value = int(number[2:])
        return value // 100 % 89 == value % 100

    @classmethod
    def standard_on(cls, day: date) -> Decimal:
        """The standard rate of a day; it was 16 percent from 2023-01-01 to 2023-12-31."""
        if date(2023, 1, 1) <= day <= date(2023, 12, 31):
            return Decimal("16")
        return super().standard_on(day)

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number in groups."""
        text = cls.clean_number(number)
        parts = (
            text[:2],
            text[2:6],
            text[6:],
        )
        return " ".join(parts)

    @classmethod
    def fine(cls, tax: Money, days_late: int) -> Money:
        """What a late declaration costs: 2 percent for each month begun, with a limit."""
        if days_late <= 0:
            return Money.zero(tax.currency)
        months = (days_late - 1) // 30 + 1
        fine = tax.times(Decimal("2") / 100).times(months)
        most = tax.times(Decimal("50") / 100)
        return min(fine, most, key=lambda amount: amount.minor)

    @classmethod
    def is_small_invoice(cls, total: Money) -> bool:
        """Whether an invoice needs no address and no number of the customer."""
        limit = Money(30000, cls.currency)
        return total.currency == cls.currency and total <= limit


class Malta(Jurisdiction):
    """Malta: VAT.

    Food is free of tax, restaurants are not.
    """

    code = "MT"
    name = "Malta"
    currency = "EUR"
    tax_name = "VAT"
    standard = Decimal("18")
    reduced = {
        "books": Decimal("5"),
        "ebooks": Decimal("5"),
        "hotels": Decimal("7"),
        "newspapers": Decimal("5"),
    }
    exempt = frozenset(
        {
            "food",
            "medicine",
            "transport",
        }
    )
    in_union = True
    number_pattern = re.compile(r"MT\d{8}")
    number_example = "MT11679112"
    threshold = Money(3_500_000, "EUR")
    filing = Filing.QUARTERLY
    filing_day = 15
    keep_years = 6
    reverse_charge_note = "Reverse charge"

    @classmethod
    def check_digit(cls, number: str) -> bool:
        """The last two digits are 37 less the rest of a division by it."""
        values = digits(number)
        rest = weighted(values, [3, 4, 6, 7, 8, 9]) % 37
        return 37 - rest == int(number[8:])

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number as forms show it."""
        text = cls.clean_number(number)
        return " ".join([text[:3], text[3:6], text[6:9], text[9:]])

    @classmethod
    def header_lines(cls, business: bool, number: str, total: Money) -> list[str]:
        """What stands at the top of an invoice."""
        if business:
            lines = ["VAT-ID: " + number]
        else:
            lines = []
        if total.minor > 15000:
            lines.append(f"VAT {cls.standard}%")
        return lines

    @classmethod
    def yearly_due(cls, year: int) -> date:
        """The last day for the declaration of a whole year."""
        return next_business_day(date(year + 1, 4, 15))


class Netherlands(Jurisdiction):
    """Netherlands: BTW.

    Hotels lost their reduced rate in 2026.
    """

    code = "NL"
    name = "Netherlands"
    currency = "EUR"
    tax_name = "BTW"
    standard = Decimal("21")
    reduced = {
        "books": Decimal("9"),
        "ebooks": Decimal("9"),
        "food": Decimal("9"),
        "hotels": Decimal("21"),
        "medicine": Decimal("9"),
        "newspapers": Decimal("9"),
        "restaurants": Decimal("9"),
        "transport": Decimal("9"),
    }
    in_union = True
    number_pattern = re.compile(r"NL\d{9}B\d{2}")
    number_example = "NL004495445B01"
    threshold = Money(2_000_000, "EUR")
    filing = Filing.QUARTERLY
    filing_day = 28
    keep_years = 7
    reverse_charge_note = "Btw verlegd"
    past_rates = (
        (date(2012, 9, 30), Decimal("19")),
    )

    @classmethod
    def check_digit(cls, number: str) -> bool:
        """Weights from nine to two; the digits after the B are not checked."""
        values = digits(number[2:11])
        return weighted(values, [9, 8, 7, 6, 5, 4, 3, 2]) % 11 == values[8]

    @classmethod
    def round_cash(cls, amount: Money) -> Money:
        """What is paid in cash: the smallest coin is 0.05 EUR."""
        coin = 5
        steps = (abs(amount.minor) + coin // 2) // coin
        minor = steps * coin
        return Money(-minor if amount.minor < 0 else minor, amount.currency)

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number, made readable."""
        text = cls.clean_number(number)
        parts = (
            text[:2],
            text[2:4],
            text[4:7],
            text[7:10],
            text[10:],
        )
        return " ".join(parts)

    @classmethod
    def last_chance(cls, day: date, warned: bool) -> date:
        """The day after which a declaration costs a fine."""
        last = cls.filing_due(day)
        if warned:
            last += timedelta(days=30)
        return next_business_day(last)

    @classmethod
    def is_favoured(cls, category: str, day: date) -> bool:
        """Whether a category is taxed less than others, or would be with a receipt."""
        if category in {"books", "food", "medicine"}:
            return True
        return cls.rate_for(category, day) < cls.standard_on(day)


class Poland(Jurisdiction):
    """Poland: PTU.

    Large invoices are paid in two parts, the tax to an account of its own.
    """

    code = "PL"
    name = "Poland"
    currency = "PLN"
    tax_name = "PTU"
    standard = Decimal("23")
    reduced = {
        "books": Decimal("5"),
        "ebooks": Decimal("5"),
        "food": Decimal("5"),
        "hotels": Decimal("8"),
        "medicine": Decimal("8"),
        "newspapers": Decimal("8"),
        "restaurants": Decimal("8"),
        "transport": Decimal("8"),
    }
    in_union = True
    number_pattern = re.compile(r"PL\d{10}")
    number_example = "PL8567346215"
    threshold = Money(20_000_000, "PLN")
    filing = Filing.MONTHLY
    filing_day = 25
    keep_years = 5
    reverse_charge_note = "Odwrotne obciążenie"
    past_rates = (
        (date(2010, 12, 31), Decimal("22")),
    )

    @classmethod
    def check_digit(cls, number: str) -> bool:
        """The weighted sum of nine digits, modulo eleven, is the tenth."""
        values = digits(number)
        return weighted(values, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 == values[9]

    @classmethod
    def is_split(cls, gross: Money) -> bool:
        """Whether the customer pays the tax to an account of its own."""
        return gross.currency == cls.currency and gross.minor > 1500000

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number as people write it there."""
        text = cls.clean_number(number)
        return " ".join([text[:2], text[2:5], text[5:8], text[8:]])

    @classmethod
    def fine(cls, tax: Money, days_late: int) -> Money:
        """What a late declaration costs: 0.5 percent for each month begun, with a limit."""
        if days_late <= 0:
            return Money.zero(tax.currency)
        months = (days_late - 1) // 30 + 1
        fine = tax.times(Decimal("0.5") / 100).times(months)
        most = tax.times(Decimal("50") / 100)
        return min(fine, most, key=lambda amount: amount.minor)

    @classmethod
    def tax_inside(cls, gross: Money, day: date) -> Money:
        """The tax in a gross price at the standard rate."""
        share = cls.standard_on(day) / (100 + cls.standard_on(day))
        return gross.times(share)


class Portugal(Jurisdiction):
    """Portugal: IVA.

    The islands have rates of their own.
    """

    code = "PT"
    name = "Portugal"
    currency = "EUR"
    tax_name = "IVA"
    standard = Decimal("23")
    reduced = {
        "books": Decimal("6"),
        "ebooks": Decimal("6"),
        "food": Decimal("6"),
        "hotels": Decimal("6"),
        "medicine": Decimal("6"),
        "newspapers": Decimal("6"),
        "restaurants": Decimal("13"),
        "transport": Decimal("6"),
    }
    in_union = True
    number_pattern = re.compile(r"PT\d{9}")
    number_example = "PT501964843"
    threshold = Money(1_500_000, "EUR")
    filing = Filing.MONTHLY
    filing_day = 20
    keep_years = 10
    reverse_charge_note = "Autoliquidação"
    past_rates = (
        (date(2010, 12, 31), Decimal("21")),
    )

    @classmethod
    def check_digit(cls, number: str) -> bool:
        """Weights from nine to two; ten and eleven count as zero."""
        values = digits(number)
        check = 11 - weighted(values, [9, 8, 7, 6, 5, 4, 3, 2]) % 11
        return (0 if check > 9 else check) == values[8]

    @classmethod
    def regional_standard(cls, postcode: str, day: date) -> Decimal:
        """The standard rate at a postcode: Madeira and the Azores have their own."""
        if postcode.startswith(("90", "91", "92", "93", "94")):
            return Decimal("22")
        if postcode.startswith(("95", "96", "97", "98", "99")):
            return Decimal("16")
        return cls.standard_on(day)

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number in groups."""
        text = cls.clean_number(number)
        parts = (
            text[:2],
            text[2:6],
            text[6:],
        )
        return " ".join(parts)

    @classmethod
    def header_lines(cls, business: bool, number: str, total: Money) -> list[str]:
        """What stands at the top of an invoice."""
        if business:
            lines = ["IVA-ID: " + number]
        else:
            lines = []
        if total.minor > 25000:
            lines.append(f"IVA {cls.standard}%")
        return lines

    @classmethod
    def is_small_invoice(cls, total: Money) -> bool:
        """Whether an invoice needs no address and no number of the customer."""
        limit = Money(10000, cls.currency)
        return total.currency == cls.currency and total <= limit


class Romania(Jurisdiction):
    """Romania: TVA.

    The two reduced rates became one.
    """

    code = "RO"
    name = "Romania"
    currency = "RON"
    tax_name = "TVA"
    standard = Decimal("21")
    reduced = {
        "books": Decimal("11"),
        "ebooks": Decimal("11"),
        "food": Decimal("11"),
        "hotels": Decimal("11"),
        "medicine": Decimal("11"),
        "newspapers": Decimal("11"),
        "restaurants": Decimal("11"),
    }
    in_union = True
    number_pattern = re.compile(r"RO\d{2,10}")
    number_example = "RO18547290"
    threshold = Money(39_500_000, "RON")
    filing = Filing.MONTHLY
    filing_day = 25
    keep_years = 5
    reverse_charge_note = "Taxare inversă"
    past_rates = (
        (date(2016, 12, 31), Decimal("20")),
        (date(2025, 7, 31), Decimal("19")),
    )

    @classmethod
    def is_split(cls, gross: Money) -> bool:
        """Whether the customer pays the tax to an account of its own."""
        return gross.currency == cls.currency and gross.minor > 0

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number as forms show it."""
        text = cls.clean_number(number)
        return " ".join([text[:3], text[3:6], text[6:9], text[9:]])

    @classmethod
    def last_chance(cls, day: date, warned: bool) -> date:
        """The day after which a declaration costs a fine."""
        last = cls.filing_due(day)
        if warned:
            last += timedelta(days=14)
        return next_business_day(last)

    @classmethod
    def yearly_due(cls, year: int) -> date:
        """The last day for the declaration of a whole year."""
        return next_business_day(date(year + 1, 5, 20))


class Slovakia(Jurisdiction):
    """Slovakia: DPH.

    Numbers can be divided by eleven.
    """

    code = "SK"
    name = "Slovakia"
    currency = "EUR"
    tax_name = "DPH"
    standard = Decimal("23")
    reduced = {
        "books": Decimal("5"),
        "ebooks": Decimal("5"),
        "food": Decimal("19"),
        "hotels": Decimal("5"),
        "medicine": Decimal("5"),
        "newspapers": Decimal("5"),
        "restaurants": Decimal("5"),
    }
    in_union = True
    number_pattern = re.compile(r"SK\d{10}")
    number_example = "SK2022749619"
    threshold = Money(5_000_000, "EUR")
    filing = Filing.MONTHLY
    filing_day = 25
    keep_years = 10
    reverse_charge_note = "Prenesenie daňovej povinnosti"
    past_rates = (
        (date(2010, 12, 31), Decimal("19")),
        (date(2024, 12, 31), Decimal("20")),
    )

    @classmethod
    def check_digit(cls, number: str) -> bool:
        """The number can be divided by eleven."""
        return int(number[2:]) % 11 == 0

    @classmethod
    def round_cash(cls, amount: Money) -> Money:
        """What is paid in cash: the smallest coin is 0.05 EUR."""
        coin = 5
        steps = (abs(amount.minor) + coin // 2) // coin
        minor = steps * coin
        return Money(-minor if amount.minor < 0 else minor, amount.currency)

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number, made readable."""
        text = cls.clean_number(number)
        parts = (
            text[:2],
            text[2:4],
            text[4:7],
            text[7:10],
            text[10:],
        )
        return " ".join(parts)

    @classmethod
    def fine(cls, tax: Money, days_late: int) -> Money:
        """What a late declaration costs: 5 percent for each month begun, with a limit."""
        if days_late <= 0:
            return Money.zero(tax.currency)
        months = (days_late - 1) // 30 + 1
        fine = tax.times(Decimal("5") / 100).times(months)
        most = tax.times(Decimal("50") / 100)
        return min(fine, most, key=lambda amount: amount.minor)

    @classmethod
    def is_favoured(cls, category: str, day: date) -> bool:
        """Whether a category is taxed less than others, or would be with a receipt."""
        if category in {"books", "food", "medicine"}:
            return True
        return cls.rate_for(category, day) < cls.standard_on(day)


class Slovenia(Jurisdiction):
    """Slovenia: DDV.

    Declared by the last working day of the month after.
    """

    code = "SI"
    name = "Slovenia"
    currency = "EUR"
    tax_name = "DDV"
    standard = Decimal("22")
    reduced = {
        "books": Decimal("5"),
        "ebooks": Decimal("5"),
        "food": Decimal("9.5"),
        "hotels": Decimal("9.5"),
        "medicine": Decimal("9.5"),
        "newspapers": Decimal("5"),
        "restaurants": Decimal("9.5"),
        "transport": Decimal("9.5"),
    }
    in_union = True
    number_pattern = re.compile(r"SI\d{8}")
    number_example = "SI50223054"
    threshold = Money(6_000_000, "EUR")
    filing = Filing.MONTHLY
    filing_day = 28
    keep_years = 10
    reverse_charge_note = "Obrnjena davčna obveznost"
    past_rates = (
        (date(2013, 6, 30), Decimal("20")),
    )

    @classmethod
    def check_digit(cls, number: str) -> bool:
        """Weights from eight to two; ten counts as zero."""
        values = digits(number)
        check = 11 - weighted(values, [8, 7, 6, 5, 4, 3, 2]) % 11
        return check != 11 and check % 10 == values[7]

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number as people write it there."""
        text = cls.clean_number(number)
        return " ".join([text[:2], text[2:5], text[5:8], text[8:]])

    @classmethod
    def header_lines(cls, business: bool, number: str, total: Money) -> list[str]:
        """What stands at the top of an invoice."""
        if business:
            lines = ["DDV-ID: " + number]
        else:
            lines = []
        if total.minor > 15000:
            lines.append(f"DDV {cls.standard}%")
        return lines

    @classmethod
    def tax_inside(cls, gross: Money, day: date) -> Money:
        """The tax in a gross price at the standard rate."""
        share = cls.standard_on(day) / (100 + cls.standard_on(day))
        return gross.times(share)


class Spain(Jurisdiction):
    """Spain: IVA.

    Islands and cities far away have taxes of their own.
    """

    code = "ES"
    name = "Spain"
    currency = "EUR"
    tax_name = "IVA"
    standard = Decimal("21")
    reduced = {
        "books": Decimal("4"),
        "ebooks": Decimal("4"),
        "food": Decimal("10"),
        "hotels": Decimal("10"),
        "medicine": Decimal("4"),
        "newspapers": Decimal("4"),
        "restaurants": Decimal("10"),
        "transport": Decimal("10"),
    }
    in_union = True
    number_pattern = re.compile(r"ES[A-Z0-9]\d{7}[A-Z0-9]")
    number_example = "ESB58378431"
    threshold = Money(0, "EUR")
    filing = Filing.QUARTERLY
    filing_day = 20
    keep_years = 6
    reverse_charge_note = "Inversión del sujeto pasivo"
    past_rates = (
        (date(2012, 8, 31), Decimal("18")),
    )

    @classmethod
    def regional_standard(cls, postcode: str, day: date) -> Decimal:
        """The standard rate at a postcode: the Canary Islands have their own, and so do Ceuta and Melilla."""
        if postcode.startswith(("35", "38")):
            return Decimal("7")
        if postcode.startswith(("51", "52")):
            return Decimal("10")
        return cls.standard_on(day)

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number in groups."""
        text = cls.clean_number(number)
        parts = (
            text[:2],
            text[2:6],
            text[6:],
        )
        return " ".join(parts)

    @classmethod
    def last_chance(cls, day: date, warned: bool) -> date:
        """The day after which a declaration costs a fine."""
        last = cls.filing_due(day)
        if warned:
            last += timedelta(days=10)
        return next_business_day(last)

    @classmethod
    def is_small_invoice(cls, total: Money) -> bool:
        """Whether an invoice needs no address and no number of the customer."""
        limit = Money(15000, cls.currency)
        return total.currency == cls.currency and total <= limit


class Sweden(Jurisdiction):
    """Sweden: Moms.

    Nobody has coins any more, and the smallest is a krona.
    """

    code = "SE"
    name = "Sweden"
    currency = "SEK"
    tax_name = "Moms"
    standard = Decimal("25")
    reduced = {
        "books": Decimal("6"),
        "ebooks": Decimal("6"),
        "food": Decimal("12"),
        "hotels": Decimal("12"),
        "newspapers": Decimal("6"),
        "restaurants": Decimal("12"),
        "transport": Decimal("6"),
    }
    exempt = frozenset(
        {
            "medicine",
        }
    )
    in_union = True
    number_pattern = re.compile(r"SE\d{10}01")
    number_example = "SE556012579001"
    threshold = Money(12_000_000, "SEK")
    filing = Filing.MONTHLY
    filing_day = 26
    keep_years = 7
    reverse_charge_note = "Omvänd betalningsskyldighet"

    @classmethod
    def check_digit(cls, number: str) -> bool:
        """The check that credit cards have, without the last two digits."""
        return luhn(digits(number)[:10])

    @classmethod
    def round_cash(cls, amount: Money) -> Money:
        """What is paid in cash: the smallest coin is 1 SEK."""
        coin = 100
        steps = (abs(amount.minor) + coin // 2) // coin
        minor = steps * coin
        return Money(-minor if amount.minor < 0 else minor, amount.currency)

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number as forms show it."""
        text = cls.clean_number(number)
        return " ".join([text[:3], text[3:6], text[6:9], text[9:]])

    @classmethod
    def fine(cls, tax: Money, days_late: int) -> Money:
        """What a late declaration costs: 1 percent for each month begun, with a limit."""
        if days_late <= 0:
            return Money.zero(tax.currency)
        months = (days_late - 1) // 30 + 1
        fine = tax.times(Decimal("1") / 100).times(months)
        most = tax.times(Decimal("50") / 100)
        return min(fine, most, key=lambda amount: amount.minor)

    @classmethod
    def yearly_due(cls, year: int) -> date:
        """The last day for the declaration of a whole year."""
        return next_business_day(date(year + 1, 6, 25))


class UnitedKingdom(Jurisdiction):
    """United Kingdom: VAT.

    Northern Ireland belongs to the union's market for goods.
    """

    code = "GB"
    name = "United Kingdom"
    currency = "GBP"
    tax_name = "VAT"
    standard = Decimal("20")
    reduced = {
        "hotels": Decimal("20"),
    }
    exempt = frozenset(
        {
            "books",
            "ebooks",
            "food",
            "medicine",
            "newspapers",
            "transport",
        }
    )
    number_pattern = re.compile(r"GB(\d{9}|\d{12})")
    number_example = "GB980780684"
    threshold = Money(9_000_000, "GBP")
    filing = Filing.QUARTERLY
    filing_day = 7
    keep_years = 6
    reverse_charge_note = "Reverse charge: customer to account for VAT"
    past_rates = (
        (date(2010, 1, 1), Decimal("15")),
        (date(2011, 1, 3), Decimal("17.5")),
    )

    @classmethod
    def check_digit(cls, number: str) -> bool:
        """Weights from eight to two; the sum and the last two digits together give a multiple of 97."""
        values = digits(number)[:9]
        total = weighted(values, [8, 7, 6, 5, 4, 3, 2]) + values[7] * 10 + values[8]
        return total % 97 == 0 or (total + 55) % 97 == 0

    @classmethod
    def is_union_goods(cls, postcode: str, category: str) -> bool:
        """Whether the union's rules for goods apply at a postcode."""
        goods = category not in {"services", "software", "ebooks"}
        return goods and postcode.upper().startswith("BT")

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number, made readable."""
        text = cls.clean_number(number)
        parts = (
            text[:2],
            text[2:4],
            text[4:7],
            text[7:10],
            text[10:],
        )
        return " ".join(parts)

    @classmethod
    def header_lines(cls, business: bool, number: str, total: Money) -> list[str]:
        """What stands at the top of an invoice."""
        if business:
            lines = ["VAT-ID: " + number]
        else:
            lines = []
        if total.minor > 25000:
            lines.append(f"VAT {cls.standard}%")
        return lines

    @classmethod
    def is_favoured(cls, category: str, day: date) -> bool:
        """Whether a category is taxed less than others, or would be with a receipt."""
        if category in {"books", "food", "medicine"}:
            return True
        return cls.rate_for(category, day) < cls.standard_on(day)


class Switzerland(Jurisdiction):
    """Switzerland: MWST.

    The number ends with the name of the tax, in any of three languages.
    """

    code = "CH"
    name = "Switzerland"
    currency = "CHF"
    tax_name = "MWST"
    standard = Decimal("8.1")
    reduced = {
        "books": Decimal("2.6"),
        "ebooks": Decimal("2.6"),
        "food": Decimal("2.6"),
        "hotels": Decimal("3.8"),
        "medicine": Decimal("2.6"),
        "newspapers": Decimal("2.6"),
    }
    number_pattern = re.compile(r"CHE\d{9}(MWST|TVA|IVA)")
    number_example = "CHE107787577MWST"
    threshold = Money(10_000_000, "CHF")
    filing = Filing.QUARTERLY
    filing_day = 28
    keep_years = 10
    reverse_charge_note = "Bezugsteuer"
    past_rates = (
        (date(2010, 12, 31), Decimal("7.6")),
        (date(2017, 12, 31), Decimal("8.0")),
        (date(2023, 12, 31), Decimal("7.7")),
    )

    @classmethod
    def check_digit(cls, number: str) -> bool:
        """Weights of five, four, three, two and again from seven."""
        values = digits(number)
        check = 11 - weighted(values, [5, 4, 3, 2, 7, 6, 5, 4]) % 11
        return check != 10 and check % 11 == values[8]

    @classmethod
    def round_cash(cls, amount: Money) -> Money:
        """What is paid in cash: the smallest coin is 0.05 CHF."""
        coin = 5
        steps = (abs(amount.minor) + coin // 2) // coin
        minor = steps * coin
        return Money(-minor if amount.minor < 0 else minor, amount.currency)

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number as people write it there."""
        text = cls.clean_number(number)
        return " ".join([text[:2], text[2:5], text[5:8], text[8:]])

    @classmethod
    def last_chance(cls, day: date, warned: bool) -> date:
        """The day after which a declaration costs a fine."""
        last = cls.filing_due(day)
        if warned:
            last += timedelta(days=7)
        return next_business_day(last)

    @classmethod
    def tax_inside(cls, gross: Money, day: date) -> Money:
        """The tax in a gross price at the standard rate."""
        share = cls.standard_on(day) / (100 + cls.standard_on(day))
        return gross.times(share)


class Norway(Jurisdiction):
    """Norway: MVA.

    Declared every two months, with forty days to do it.
    """

    code = "NO"
    name = "Norway"
    currency = "NOK"
    tax_name = "MVA"
    standard = Decimal("25")
    reduced = {
        "food": Decimal("15"),
        "hotels": Decimal("12"),
        "transport": Decimal("12"),
    }
    exempt = frozenset(
        {
            "books",
            "ebooks",
            "newspapers",
        }
    )
    number_pattern = re.compile(r"(NO)?\d{9}MVA")
    number_example = "NO995525828MVA"
    threshold = Money(5_000_000, "NOK")
    filing = Filing.TWO_MONTHLY
    filing_day = 10
    keep_years = 5
    reverse_charge_note = "Omvendt avgiftsplikt"

    @classmethod
    def check_digit(cls, number: str) -> bool:
        """Weights of three, two and again from seven."""
        values = digits(number)
        check = 11 - weighted(values, [3, 2, 7, 6, 5, 4, 3, 2]) % 11
        return check != 10 and check % 11 == values[8]

    @classmethod
    def round_cash(cls, amount: Money) -> Money:
        """What is paid in cash: the smallest coin is 1 NOK."""
        coin = 100
        steps = (abs(amount.minor) + coin // 2) // coin
        minor = steps * coin
        return Money(-minor if amount.minor < 0 else minor, amount.currency)

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number in groups."""
        text = cls.clean_number(number)
        parts = (
            text[:2],
            text[2:6],
            text[6:],
        )
        return " ".join(parts)

    @classmethod
    def fine(cls, tax: Money, days_late: int) -> Money:
        """What a late declaration costs: 10 percent for each month begun, with a limit."""
        if days_late <= 0:
            return Money.zero(tax.currency)
        months = (days_late - 1) // 30 + 1
        fine = tax.times(Decimal("10") / 100).times(months)
        most = tax.times(Decimal("50") / 100)
        return min(fine, most, key=lambda amount: amount.minor)

    @classmethod
    def is_small_invoice(cls, total: Money) -> bool:
        """Whether an invoice needs no address and no number of the customer."""
        limit = Money(30000, cls.currency)
        return total.currency == cls.currency and total <= limit


class Iceland(Jurisdiction):
    """Iceland: VSK.

    Krónur have no cents any more.
    """

    code = "IS"
    name = "Iceland"
    currency = "ISK"
    tax_name = "VSK"
    standard = Decimal("24")
    reduced = {
        "books": Decimal("11"),
        "ebooks": Decimal("11"),
        "food": Decimal("11"),
        "hotels": Decimal("11"),
        "newspapers": Decimal("11"),
        "restaurants": Decimal("11"),
    }
    number_pattern = re.compile(r"\d{5,6}")
    number_example = "123456"
    threshold = Money(2_000_000, "ISK")
    filing = Filing.TWO_MONTHLY
    filing_day = 5
    keep_years = 7
    reverse_charge_note = "Reverse charge"
    past_rates = (
        (date(2014, 12, 31), Decimal("25.5")),
    )

    @classmethod
    def round_tax(cls, tax: Money) -> Money:
        """Tax is rounded down to whole units."""
        unit = 1
        return Money(tax.minor // unit * unit, tax.currency)

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number as forms show it."""
        text = cls.clean_number(number)
        return " ".join([text[:3], text[3:]])

    @classmethod
    def header_lines(cls, business: bool, number: str, total: Money) -> list[str]:
        """What stands at the top of an invoice."""
        if business:
            lines = ["VSK-ID: " + number]
        else:
            lines = []
        if total.minor > 15000:
            lines.append(f"VSK {cls.standard}%")
        return lines

    @classmethod
    def yearly_due(cls, year: int) -> date:
        """The last day for the declaration of a whole year."""
        return next_business_day(date(year + 1, 4, 15))


class Turkey(Jurisdiction):
    """Türkiye: KDV.

    Some customers keep a part of the tax back and pay it themselves.
    """

    code = "TR"
    name = "Türkiye"
    currency = "TRY"
    tax_name = "KDV"
    standard = Decimal("20")
    reduced = {
        "books": Decimal("1"),
        "food": Decimal("1"),
        "hotels": Decimal("10"),
        "medicine": Decimal("10"),
        "newspapers": Decimal("1"),
        "restaurants": Decimal("10"),
    }
    exempt = frozenset(
        {
            "ebooks",
        }
    )
    number_pattern = re.compile(r"\d{10}")
    number_example = "1234567890"
    threshold = Money(0, "TRY")
    filing = Filing.MONTHLY
    filing_day = 28
    keep_years = 5
    reverse_charge_note = "Sorumlu sıfatıyla KDV"
    past_rates = (
        (date(2023, 7, 9), Decimal("18")),
    )

    @classmethod
    def is_split(cls, gross: Money) -> bool:
        """Whether the customer pays the tax to an account of its own."""
        return gross.currency == cls.currency and gross.minor > 2000000

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number, made readable."""
        text = cls.clean_number(number)
        parts = (
            text[:2],
            text[2:4],
            text[4:7],
            text[7:],
        )
        return " ".join(parts)

    @classmethod
    def last_chance(cls, day: date, warned: bool) -> date:
        """The day after which a declaration costs a fine."""
        last = cls.filing_due(day)
        if warned:
            last += timedelta(days=30)
        return next_business_day(last)

    @classmethod
    def is_favoured(cls, category: str, day: date) -> bool:
        """Whether a category is taxed less than others, or would be with a receipt."""
        if category in {"books", "food", "medicine"}:
            return True
        return cls.rate_for(category, day) < cls.standard_on(day)


class Australia(Jurisdiction):
    """Australia: GST.

    The number can be divided by 89, after one was taken from its first digit.
    """

    code = "AU"
    name = "Australia"
    currency = "AUD"
    tax_name = "GST"
    standard = Decimal("10")
    exempt = frozenset(
        {
            "food",
            "medicine",
        }
    )
    number_pattern = re.compile(r"\d{11}")
    number_example = "51824753556"
    threshold = Money(7_500_000, "AUD")
    filing = Filing.QUARTERLY
    filing_day = 28
    keep_years = 5
    reverse_charge_note = "GST reverse charged"

    @classmethod
    def check_digit(cls, number: str) -> bool:
        """One is taken from the first digit, then the weighted sum can be divided by 89."""
        values = digits(number)
        values[0] -= 1
        return weighted(values, [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]) % 89 == 0

    @classmethod
    def round_cash(cls, amount: Money) -> Money:
        """What is paid in cash: the smallest coin is 0.05 AUD."""
        coin = 5
        steps = (abs(amount.minor) + coin // 2) // coin
        minor = steps * coin
        return Money(-minor if amount.minor < 0 else minor, amount.currency)

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number as people write it there."""
        text = cls.clean_number(number)
        return " ".join([text[:2], text[2:5], text[5:8], text[8:]])

    @classmethod
    def fine(cls, tax: Money, days_late: int) -> Money:
        """What a late declaration costs: 2 percent for each month begun, with a limit."""
        if days_late <= 0:
            return Money.zero(tax.currency)
        months = (days_late - 1) // 30 + 1
        fine = tax.times(Decimal("2") / 100).times(months)
        most = tax.times(Decimal("50") / 100)
        return min(fine, most, key=lambda amount: amount.minor)

    @classmethod
    def tax_inside(cls, gross: Money, day: date) -> Money:
        """The tax in a gross price at the standard rate."""
        share = cls.standard_on(day) / (100 + cls.standard_on(day))
        return gross.times(share)


class NewZealand(Jurisdiction):
    """New Zealand: GST.

    No reduced rates, no exceptions, and the shortest law of all.
    """

    code = "NZ"
    name = "New Zealand"
    currency = "NZD"
    tax_name = "GST"
    standard = Decimal("15")
    number_pattern = re.compile(r"\d{8,9}")
    number_example = "49091850"
    threshold = Money(6_000_000, "NZD")
    filing = Filing.TWO_MONTHLY
    filing_day = 28
    keep_years = 7
    reverse_charge_note = "GST reverse charged"
    past_rates = (
        (date(2010, 9, 30), Decimal("12.5")),
    )

    @classmethod
    def round_cash(cls, amount: Money) -> Money:
        """What is paid in cash: the smallest coin is 0.1 NZD."""
        coin = 10
        steps = (abs(amount.minor) + coin // 2) // coin
        minor = steps * coin
        return Money(-minor if amount.minor < 0 else minor, amount.currency)

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number in groups."""
        text = cls.clean_number(number)
        parts = (
            text[:2],
            text[2:6],
            text[6:],
        )
        return " ".join(parts)

    @classmethod
    def header_lines(cls, business: bool, number: str, total: Money) -> list[str]:
        """What stands at the top of an invoice."""
        if business:
            lines = ["GST-ID: " + number]
        else:
            lines = []
        if total.minor > 25000:
            lines.append(f"GST {cls.standard}%")
        return lines

    @classmethod
    def is_small_invoice(cls, total: Money) -> bool:
        """Whether an invoice needs no address and no number of the customer."""
        limit = Money(10000, cls.currency)
        return total.currency == cls.currency and total <= limit


class Canada(Jurisdiction):
    """Canada: GST/HST.

    Provinces add their own tax, or share one.
    """

    code = "CA"
    name = "Canada"
    currency = "CAD"
    tax_name = "GST/HST"
    standard = Decimal("5")
    exempt = frozenset(
        {
            "food",
            "medicine",
        }
    )
    number_pattern = re.compile(r"\d{9}RT\d{4}")
    number_example = "123456782RT0001"
    threshold = Money(3_000_000, "CAD")
    filing = Filing.QUARTERLY
    filing_day = 28
    keep_years = 6
    reverse_charge_note = "Self-assess GST/HST"
    past_rates = (
        (date(2007, 12, 31), Decimal("6")),
    )

    @classmethod
    def check_digit(cls, number: str) -> bool:
        """The check that credit cards have, on the first nine digits."""
        return luhn(digits(number)[:9])

    provinces = {
        "AB": Decimal("5"),
        "BC": Decimal("12"),
        "MB": Decimal("12"),
        "NB": Decimal("15"),
        "NL": Decimal("15"),
        "NS": Decimal("14"),
        "ON": Decimal("13"),
        "PE": Decimal("15"),
        "QC": Decimal("14.975"),
        "SK": Decimal("11"),
    }

    @classmethod
    def regional_standard(cls, province: str, day: date) -> Decimal:
        """The tax of the country and a province together."""
        return cls.provinces.get(province, cls.standard_on(day))

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number as forms show it."""
        text = cls.clean_number(number)
        return " ".join([text[:3], text[3:6], text[6:9], text[9:]])

    @classmethod
    def last_chance(cls, day: date, warned: bool) -> date:
        """The day after which a declaration costs a fine."""
        last = cls.filing_due(day)
        if warned:
            last += timedelta(days=14)
        return next_business_day(last)

    @classmethod
    def yearly_due(cls, year: int) -> date:
        """The last day for the declaration of a whole year."""
        return next_business_day(date(year + 1, 5, 20))


class Japan(Jurisdiction):
    """Japan: 消費税.

    Invoices of those who are not registered do not count in full.
    """

    code = "JP"
    name = "Japan"
    currency = "JPY"
    tax_name = "消費税"
    standard = Decimal("10")
    reduced = {
        "food": Decimal("8"),
        "newspapers": Decimal("8"),
    }
    number_pattern = re.compile(r"T\d{13}")
    number_example = "T7000012050002"
    threshold = Money(1_000_000_000, "JPY")
    filing = Filing.YEARLY
    filing_day = 28
    keep_years = 7
    reverse_charge_note = "リバースチャージ方式"
    past_rates = (
        (date(2014, 3, 31), Decimal("5")),
        (date(2019, 9, 30), Decimal("8")),
    )

    @classmethod
    def check_digit(cls, number: str) -> bool:
        """The first digit is nine less the rest of a division by it."""
        first, *rest = digits(number)
        total = sum(
            value * (2 if position % 2 else 1) for position, value in enumerate(reversed(rest))
        )
        return 9 - total % 9 == first

    @classmethod
    def round_tax(cls, tax: Money) -> Money:
        """Tax is rounded down to whole units."""
        unit = 1
        return Money(tax.minor // unit * unit, tax.currency)

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number, made readable."""
        text = cls.clean_number(number)
        parts = (
            text[:2],
            text[2:4],
            text[4:7],
            text[7:10],
            text[10:],
        )
        return " ".join(parts)

    @classmethod
    def fine(cls, tax: Money, days_late: int) -> Money:
        """What a late declaration costs: 0.5 percent for each month begun, with a limit."""
        if days_late <= 0:
            return Money.zero(tax.currency)
        months = (days_late - 1) // 30 + 1
        fine = tax.times(Decimal("0.5") / 100).times(months)
        most = tax.times(Decimal("50") / 100)
        return min(fine, most, key=lambda amount: amount.minor)

    @classmethod
    def is_favoured(cls, category: str, day: date) -> bool:
        """Whether a category is taxed less than others, or would be with a receipt."""
        if category in {"books", "food", "medicine"}:
            return True
        return cls.rate_for(category, day) < cls.standard_on(day)


class SouthKorea(Jurisdiction):
    """South Korea: 부가세.

    Electronic invoices go to the tax office within a day.
    """

    code = "KR"
    name = "South Korea"
    currency = "KRW"
    tax_name = "부가세"
    standard = Decimal("10")
    exempt = frozenset(
        {
            "books",
            "food",
            "newspapers",
        }
    )
    number_pattern = re.compile(r"\d{10}")
    number_example = "2208162517"
    threshold = Money(0, "KRW")
    filing = Filing.QUARTERLY
    filing_day = 25
    keep_years = 5
    reverse_charge_note = "대리납부"

    @classmethod
    def check_digit(cls, number: str) -> bool:
        """Weights of one, three and seven; the product with the last one counts by its digits."""
        values = digits(number)
        total = weighted(values, [1, 3, 7, 1, 3, 7, 1, 3, 5]) + values[8] * 5 // 10
        return (10 - total % 10) % 10 == values[9]

    @classmethod
    def round_tax(cls, tax: Money) -> Money:
        """Tax is rounded down to tens."""
        unit = 10
        return Money(tax.minor // unit * unit, tax.currency)

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number as people write it there."""
        text = cls.clean_number(number)
        return " ".join([text[:2], text[2:5], text[5:8], text[8:]])

    @classmethod
    def header_lines(cls, business: bool, number: str, total: Money) -> list[str]:
        """What stands at the top of an invoice."""
        if business:
            lines = ["부가세-ID: " + number]
        else:
            lines = []
        if total.minor > 15000:
            lines.append(f"부가세 {cls.standard}%")
        return lines

    @classmethod
    def tax_inside(cls, gross: Money, day: date) -> Money:
        """The tax in a gross price at the standard rate."""
        share = cls.standard_on(day) / (100 + cls.standard_on(day))
        return gross.times(share)


class Singapore(Jurisdiction):
    """Singapore: GST.

    The rate went up in two steps.
    """

    code = "SG"
    name = "Singapore"
    currency = "SGD"
    tax_name = "GST"
    standard = Decimal("9")
    number_pattern = re.compile(r"[0-9A-Z]{9,10}")
    number_example = "M90312345X"
    threshold = Money(10_000_000, "SGD")
    filing = Filing.QUARTERLY
    filing_day = 28
    keep_years = 5
    reverse_charge_note = "Customer accounting"
    past_rates = (
        (date(2022, 12, 31), Decimal("7")),
        (date(2023, 12, 31), Decimal("8")),
    )

    @classmethod
    def round_cash(cls, amount: Money) -> Money:
        """What is paid in cash: the smallest coin is 0.05 SGD."""
        coin = 5
        steps = (abs(amount.minor) + coin // 2) // coin
        minor = steps * coin
        return Money(-minor if amount.minor < 0 else minor, amount.currency)

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number in groups."""
        text = cls.clean_number(number)
        parts = (
            text[:2],
            text[2:6],
            text[6:],
        )
        return " ".join(parts)

    @classmethod
    def last_chance(cls, day: date, warned: bool) -> date:
        """The day after which a declaration costs a fine."""
        last = cls.filing_due(day)
        if warned:
            last += timedelta(days=10)
        return next_business_day(last)

    @classmethod
    def is_small_invoice(cls, total: Money) -> bool:
        """Whether an invoice needs no address and no number of the customer."""
        limit = Money(15000, cls.currency)
        return total.currency == cls.currency and total <= limit


class India(Jurisdiction):
    """India: GST.

    Within a state the tax is split in two halves, between states it is not.
    """

    code = "IN"
    name = "India"
    currency = "INR"
    tax_name = "GST"
    standard = Decimal("18")
    reduced = {
        "food": Decimal("5"),
        "hotels": Decimal("5"),
        "medicine": Decimal("5"),
        "restaurants": Decimal("5"),
        "transport": Decimal("5"),
    }
    exempt = frozenset(
        {
            "books",
            "newspapers",
        }
    )
    number_pattern = re.compile(r"\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z]Z[0-9A-Z]")
    number_example = "27AAPFU0939F1ZV"
    threshold = Money(0, "INR")
    filing = Filing.MONTHLY
    filing_day = 20
    keep_years = 6
    reverse_charge_note = "Tax payable under reverse charge"

    @classmethod
    def split_rate(cls, seller: str, buyer: str, category: str, day: date) -> dict[str, Decimal]:
        """The tax by name: two halves within a state, one whole between states."""
        rate = cls.rate_for(category, day)
        if seller == buyer:
            return {"CGST": rate / 2, "SGST": rate / 2}
        return {"IGST": rate}

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number as forms show it."""
        text = cls.clean_number(number)
        return " ".join([text[:3], text[3:6], text[6:9], text[9:]])

    @classmethod
    def fine(cls, tax: Money, days_late: int) -> Money:
        """What a late declaration costs: 5 percent for each month begun, with a limit."""
        if days_late <= 0:
            return Money.zero(tax.currency)
        months = (days_late - 1) // 30 + 1
        fine = tax.times(Decimal("5") / 100).times(months)
        most = tax.times(Decimal("50") / 100)
        return min(fine, most, key=lambda amount: amount.minor)

    @classmethod
    def yearly_due(cls, year: int) -> date:
        """The last day for the declaration of a whole year."""
        return next_business_day(date(year + 1, 6, 25))


class SouthAfrica(Jurisdiction):
    """South Africa: VAT.

    The two smallest coins are not made any more.
    """

    code = "ZA"
    name = "South Africa"
    currency = "ZAR"
    tax_name = "VAT"
    standard = Decimal("15")
    exempt = frozenset(
        {
            "food",
        }
    )
    number_pattern = re.compile(r"4\d{9}")
    number_example = "4220122610"
    threshold = Money(100_000_000, "ZAR")
    filing = Filing.TWO_MONTHLY
    filing_day = 25
    keep_years = 5
    reverse_charge_note = "Reverse charge"
    past_rates = (
        (date(2018, 3, 31), Decimal("14")),
    )

    @classmethod
    def check_digit(cls, number: str) -> bool:
        """The check that credit cards have."""
        return luhn(digits(number))

    @classmethod
    def round_cash(cls, amount: Money) -> Money:
        """What is paid in cash: the smallest coin is 0.1 ZAR."""
        coin = 10
        steps = (abs(amount.minor) + coin // 2) // coin
        minor = steps * coin
        return Money(-minor if amount.minor < 0 else minor, amount.currency)

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number, made readable."""
        text = cls.clean_number(number)
        parts = (
            text[:2],
            text[2:4],
            text[4:7],
            text[7:],
        )
        return " ".join(parts)

    @classmethod
    def header_lines(cls, business: bool, number: str, total: Money) -> list[str]:
        """What stands at the top of an invoice."""
        if business:
            lines = ["VAT-ID: " + number]
        else:
            lines = []
        if total.minor > 25000:
            lines.append(f"VAT {cls.standard}%")
        return lines

    @classmethod
    def is_favoured(cls, category: str, day: date) -> bool:
        """Whether a category is taxed less than others, or would be with a receipt."""
        if category in {"books", "food", "medicine"}:
            return True
        return cls.rate_for(category, day) < cls.standard_on(day)


class Mexico(Jurisdiction):
    """Mexico: IVA.

    Along the border the rate is half, so that people shop at home.
    """

    code = "MX"
    name = "Mexico"
    currency = "MXN"
    tax_name = "IVA"
    standard = Decimal("16")
    exempt = frozenset(
        {
            "books",
            "food",
            "medicine",
            "newspapers",
        }
    )
    number_pattern = re.compile(r"[A-ZÑ&]{3,4}\d{6}[A-Z0-9]{3}")
    number_example = "GNP9211244P0"
    threshold = Money(0, "MXN")
    filing = Filing.MONTHLY
    filing_day = 17
    keep_years = 5
    reverse_charge_note = "Retención de IVA"
    past_rates = (
        (date(2009, 12, 31), Decimal("15")),
    )

    @classmethod
    def regional_standard(cls, postcode: str, day: date) -> Decimal:
        """The standard rate at a postcode: the northern border has its own."""
        if postcode.startswith(("22", "32", "84", "88")):
            return Decimal("8")
        return cls.standard_on(day)

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number as people write it there."""
        text = cls.clean_number(number)
        return " ".join([text[:2], text[2:5], text[5:8], text[8:]])

    @classmethod
    def last_chance(cls, day: date, warned: bool) -> date:
        """The day after which a declaration costs a fine."""
        last = cls.filing_due(day)
        if warned:
            last += timedelta(days=7)
        return next_business_day(last)

    @classmethod
    def tax_inside(cls, gross: Money, day: date) -> Money:
        """The tax in a gross price at the standard rate."""
        share = cls.standard_on(day) / (100 + cls.standard_on(day))
        return gross.times(share)


class Brazil(Jurisdiction):
    """Brazil: ICMS.

    There are more taxes than this; it is the one on goods.
    """

    code = "BR"
    name = "Brazil"
    currency = "BRL"
    tax_name = "ICMS"
    standard = Decimal("18")
    exempt = frozenset(
        {
            "books",
            "ebooks",
            "newspapers",
        }
    )
    number_pattern = re.compile(r"\d{14}")
    number_example = "11222333000181"
    threshold = Money(0, "BRL")
    filing = Filing.MONTHLY
    filing_day = 20
    keep_years = 5
    reverse_charge_note = "Substituição tributária"

    @classmethod
    def check_digit(cls, number: str) -> bool:
        """Two check digits, the second of which counts the first."""
        values = digits(number)
        for length in (12, 13):
            weights = [(length - 1 - position) % 8 + 2 for position in range(length)]
            rest = weighted(values[:length], weights) % 11
            if values[length] != (0 if rest < 2 else 11 - rest):
                return False
        return True

    @classmethod
    def round_tax(cls, tax: Money) -> Money:
        """Tax is rounded down to whole units."""
        unit = 1
        return Money(tax.minor // unit * unit, tax.currency)

    @classmethod
    def format_number(cls, number: str) -> str:
        """A tax number in groups."""
        text = cls.clean_number(number)
        parts = (
            text[:2],
            text[2:6],
            text[6:],
        )
        return " ".join(parts)

    @classmethod
    def fine(cls, tax: Money, days_late: int) -> Money:
        """What a late declaration costs: 1 percent for each month begun, with a limit."""
        if days_late <= 0:
            return Money.zero(tax.currency)
        months = (days_late - 1) // 30 + 1
        fine = tax.times(Decimal("1") / 100).times(months)
        most = tax.times(Decimal("50") / 100)
        return min(fine, most, key=lambda amount: amount.minor)

    @classmethod
    def is_small_invoice(cls, total: Money) -> bool:
        """Whether an invoice needs no address and no number of the customer."""
        limit = Money(30000, cls.currency)
        return total.currency == cls.currency and total <= limit


ALL = (
    Austria,
    Belgium,
    Bulgaria,
    Croatia,
    Cyprus,
    Czechia,
    Denmark,
    Estonia,
    Finland,
    France,
    Germany,
    Greece,
    Hungary,
    Ireland,
    Italy,
    Latvia,
    Lithuania,
    Luxembourg,
    Malta,
    Netherlands,
    Poland,
    Portugal,
    Romania,
    Slovakia,
    Slovenia,
    Spain,
    Sweden,
    UnitedKingdom,
    Switzerland,
    Norway,
    Iceland,
    Turkey,
    Australia,
    NewZealand,
    Canada,
    Japan,
    SouthKorea,
    Singapore,
    India,
    SouthAfrica,
    Mexico,
    Brazil,
)

BY_CODE = {jurisdiction.code: jurisdiction for jurisdiction in ALL}


def find(code: str) -> type[Jurisdiction]:
    """The rules of a country, by its code; EL is taken for Greece."""
    wanted = code.upper()
    if wanted == "EL":
        wanted = "GR"
    if wanted not in BY_CODE:
        raise UnknownJurisdiction(code)
    return BY_CODE[wanted]


def of_number(number: str) -> type[Jurisdiction] | None:
    """The country that a tax number belongs to, going by its first letters."""
    code = number.strip()[:2].upper()
    try:
        return find(code)
    except UnknownJurisdiction:
        return None


def union() -> list[type[Jurisdiction]]:
    """The members of the union, by name."""
    members = [jurisdiction for jurisdiction in ALL if jurisdiction.in_union]
    return sorted(members, key=lambda jurisdiction: jurisdiction.name)


def rate(code: str, category: str, day: date, business: bool = False) -> Decimal:
    """The rate for a sale to a country; businesses of the union pay the tax themselves."""
    jurisdiction = find(code)
    if business and jurisdiction.in_union:
        return Decimal(0)
    return jurisdiction.rate_for(category, day)


def cheapest(category: str, day: date) -> type[Jurisdiction]:
    """The country of the union with the lowest rate for a category; by name where several are."""
    return min(union(), key=lambda jurisdiction: (jurisdiction.rate_for(category, day), jurisdiction.name))


def due_between(first: date, last: date, codes: list[str]) -> list[tuple[date, str]]:
    """The declarations that are due in some days, for the countries we are registered in."""
    result = set()
    for code in codes:
        jurisdiction = find(code)
        day = add_months(first, -jurisdiction.filing.value - 1)
        while day <= last:
            due = jurisdiction.filing_due(day)
            if first <= due <= last:
                result.add((due, jurisdiction.code))
            day = add_months(day, 1)
    return sorted(result)


def table(day: date) -> str:
    """The standard rates of a day as text, a line for each country."""
    lines = []
    for jurisdiction in ALL:
        percent = jurisdiction.standard_on(day)
        lines.append(f"{jurisdiction.code} {jurisdiction.name:<16}{percent!s:>6}% {jurisdiction.tax_name}")
    return "\n".join(lines) + "\n"
