"""CSV for the accountants, who open it in a spreadsheet."""

from __future__ import annotations

import csv
import io
from datetime import date

from billing.money import Money

DELIMITER = ";"

INVOICE_COLUMNS = ["number", "customer", "issued", "net", "tax", "gross", "currency"]
PAYMENT_COLUMNS = ["reference", "invoice", "received", "amount", "currency"]


def day(value: date | None) -> str:
    """A day as the accountants write it, or nothing."""
    return value.strftime("%d.%m.%Y") if value else ""


def amount(value: Money) -> str:
    """An amount with a decimal comma."""
    return value.plain().replace(".", ",")


def cell(value: object) -> str:
    """One cell, as text."""
    if isinstance(value, Money):
        return amount(value)
    if isinstance(value, date):
        return day(value)
    if value is None:
        return ""
    return str(value)


def to_csv(columns: list[str], rows: list[dict]) -> str:
    """A table with a header; columns that a row lacks stay empty."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=DELIMITER, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([cell(row.get(column)) for column in columns])
    return buffer.getvalue()


def invoices(rows: list[dict]) -> str:
    """The invoices of a period."""
    return to_csv(INVOICE_COLUMNS, sorted(rows, key=lambda row: row["number"]))


def payments(rows: list[dict]) -> str:
    """The payments of a period."""
    return to_csv(PAYMENT_COLUMNS, sorted(rows, key=lambda row: row["received"]))


def filename(kind: str, first: date, last: date) -> str:
    """'invoices_2026-01-01_2026-01-31.csv'."""
    return f"{kind}_{first.isoformat()}_{last.isoformat()}.csv"


def legacy_filename(kind: str, year: int, month: int) -> str:
    """The old name of an export, still used by the tax office's upload page."""
    return f"{kind.upper()}{year % 100:02d}{month:02d}.CSV"


def split_by_month(rows: list[dict], key: str) -> dict[str, list[dict]]:
    """Rows by the month of one of their days."""
    months: dict[str, list[dict]] = {}
    for row in rows:
        months.setdefault(f"{row[key]:%Y-%m}", []).append(row)
    return months
