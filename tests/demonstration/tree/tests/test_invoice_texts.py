from datetime import date

from billing import invoices
from billing.invoices import Invoice, InvoiceLine
from billing.money import Money
from billing.tax import TaxRate

DAY = date(2026, 2, 2)


def invoice():
    made = Invoice("2026-0001", "ACME", DAY)
    made.add_line(InvoiceLine("Hosting <small>", 3, Money(1250, "EUR"), TaxRate.of("VAT", "19")))
    made.issue(DAY)
    return made


def test_text_has_lines_and_total():
    text = invoices.as_text(invoice())
    assert "  1  3 x Hosting <small>" in text
    assert text.splitlines()[-3].split() == ["Total", "€44.63"]


def test_pages_are_escaped():
    assert "Hosting &lt;small&gt;" in invoices.as_html(invoice())


def test_data_is_the_same_invoice():
    assert invoices.from_data(invoices.as_data(invoice())) == invoice()


def test_xml_says_what_kind_of_document_it_is():
    assert "<InvoiceTypeCode>380</InvoiceTypeCode>" in invoices.as_xml(invoice())


def test_receipts_are_narrow():
    assert max(map(len, invoices.as_receipt(invoice()).splitlines())) <= 32


def test_file_names_sort_by_day():
    assert invoices.file_name(invoice()) == "2026-02-02_invoice_2026-0001.txt"
