"""Half of a module of 1,000 lines moves to a new one."""

from tests.demonstration.history import TOMAS, Append, Change, Commit, Cut, Replace, Shape, at

HEADER = '''"""What invoices look like: as text, as a page, for other programs, in the chat and on a receipt.

Nothing here changes an invoice.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from billing.invoices import (
    Book,
    Invoice,
    InvoiceError,
    InvoiceLine,
    NotIssued,
    Payment,
    Period,
    State,
)
from billing.money import Money, add_up
from billing.tax import EXEMPT, TaxRate, describe

WIDTH = 72
AMOUNT_WIDTH = 14

SELLER = (
    "Shop Example Ltd",
    "12 Harbour Street",
    "20457 Hamburg",
)


'''

CHANGE = Change(
    number=186,
    shape=Shape.PULL_REQUEST,
    branch="tomas/invoice-documents",
    author=TOMAS,
    merged=at("2026-06-16 15:15"),
    title="Move what invoices look like to a module of its own",
    body="""
`invoices` has more than a thousand lines, half of which are about what invoices look like. Move everything
from "What invoices look like as text" on, unchanged, to a new module `billing.invoice_documents`, with the
constants `WIDTH`, `AMOUNT_WIDTH` and `SELLER`. `invoices` keeps the invoice itself, its numbers and the
book, and none of the moved names. It must not import the new module.

While at it, add a table of the formats: `FORMATS`, a dictionary from "txt", "html", "xml" and "md" to
`as_text`, `as_html`, `as_xml` and `as_markdown`, and `render(invoice, suffix)`, which uses it and raises
`ValueError("unknown format: 'pdf'")` for others.
""",
    commits=(
        Commit(
            "Move what invoices look like to a module of its own",
            (
                Cut(
                    "src/billing/invoices.py",
                    "# What invoices look like as text",
                    "src/billing/invoice_documents.py",
                    HEADER,
                ),
                Replace(
                    "src/billing/invoices.py",
                    '''"""Invoices and credit notes: their lines, their states, and how they look as text.
''',
                    '''"""Invoices and credit notes: their lines, their states, and the book they are in.
''',
                ),
                Replace(
                    "src/billing/invoices.py",
                    "from billing.tax import EXEMPT, TaxRate, describe, on_top\n",
                    "from billing.tax import EXEMPT, TaxRate, on_top\n",
                ),
                Replace(
                    "src/billing/invoices.py",
                    """WIDTH = 72
AMOUNT_WIDTH = 14
NUMBER_DIGITS = 4

SELLER = (
    "Shop Example Ltd",
    "12 Harbour Street",
    "20457 Hamburg",
)
""",
                    """NUMBER_DIGITS = 4
""",
                ),
                Replace(
                    "tests/test_invoices.py",
                    "from billing import invoices\n",
                    "from billing import invoice_documents\n",
                ),
                Replace(
                    "tests/test_invoices.py",
                    "    assert invoices.line_from(invoices.line_data(line)) == line\n"
                    '    assert "code" not in invoices.line_data(InvoiceLine("Hosting", 1, euros(1)))\n',
                    """\
    assert invoice_documents.line_from(invoice_documents.line_data(line)) == line
    assert "code" not in invoice_documents.line_data(InvoiceLine("Hosting", 1, euros(1)))
""",
                ),
                Replace(
                    "tests/test_invoice_texts.py",
                    "from billing import invoices\n",
                    "from billing import invoice_documents as invoices\n",
                ),
                Replace(
                    "README.md",
                    "| `invoices` | documents, their lines, states and text form |\n",
                    "| `invoices` | documents, their lines and states |\n"
                    "| `invoice_documents` | what invoices look like |\n",
                ),
            ),
        ),
        Commit(
            "Render by format",
            (
                Append(
                    "src/billing/invoice_documents.py",
                    '''FORMATS = {
    "txt": as_text,
    "html": as_html,
    "xml": as_xml,
    "md": as_markdown,
}


def render(invoice: Invoice, suffix: str) -> str:
    """The invoice in the format of a file name's suffix."""
    if suffix not in FORMATS:
        raise ValueError(f"unknown format: {suffix!r}")
    return FORMATS[suffix](invoice)
''',
                ),
                Append(
                    "tests/test_invoice_texts.py",
                    """def test_formats_by_suffix():
    assert invoices.render(invoice(), "txt") == invoices.as_text(invoice())
    assert invoices.render(invoice(), "md").startswith("# Invoice 2026-0001")
    with pytest.raises(ValueError, match="unknown format: 'pdf'"):
        invoices.render(invoice(), "pdf")


def test_the_invoice_does_not_know_what_it_looks_like():
    names = ("as_text", "as_html", "SELLER", "WIDTH", "in_one_line")
    assert not [name for name in names if hasattr(billing.invoices, name)]
""",
                ),
                Replace(
                    "tests/test_invoice_texts.py",
                    "from datetime import date\n\nfrom billing import",
                    """\
from datetime import date

import pytest

import billing.invoices
from billing import""",
                ),
            ),
        ),
    ),
)
