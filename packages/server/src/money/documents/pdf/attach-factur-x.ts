import type { EInvoice } from "../e-invoice/e-invoice.ts";
import { toFacturX } from "../e-invoice/factur-x.ts";

const FILE_NAME = "factur-x.xml";
const FACTUR_X_SCHEMA = "urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#";

/** The properties of Factur-X, which PDF/A asks to be described in the metadata that uses them. */
const PROPERTIES = [
  ["DocumentFileName", "The name of the embedded XML document"],
  ["DocumentType", "The type of the hybrid document"],
  ["Version", "The version of the standard of the embedded XML document"],
  ["ConformanceLevel", "The profile of the embedded XML document"],
] as const;

/** Embeds an invoice as Factur-X XML in its PDF, and says so in the metadata. */
export function attachFacturX(pdf: PDFKit.PDFDocument, invoice: EInvoice): void {
  const options = {
    name: FILE_NAME,
    type: "text/xml",
    description: "The invoice as Factur-X",
    relationship: "Alternative",
    creationDate: invoice.issuedAt,
    modifiedDate: invoice.issuedAt,
  };
  pdf.file(Buffer.from(toFacturX(invoice)), options);
  pdf.appendXML(METADATA);
}

const METADATA = `
<rdf:Description xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#" rdf:about="">
  <pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
    <pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
    <pdfaSchema:namespaceURI>${FACTUR_X_SCHEMA}</pdfaSchema:namespaceURI>
    <pdfaSchema:prefix>fx</pdfaSchema:prefix>
    <pdfaSchema:property><rdf:Seq>${PROPERTIES.map(describeProperty).join("")}</rdf:Seq></pdfaSchema:property>
  </rdf:li></rdf:Bag></pdfaExtension:schemas>
</rdf:Description>
<rdf:Description xmlns:fx="${FACTUR_X_SCHEMA}" rdf:about="">
  <fx:DocumentType>INVOICE</fx:DocumentType>
  <fx:DocumentFileName>${FILE_NAME}</fx:DocumentFileName>
  <fx:Version>1.0</fx:Version>
  <fx:ConformanceLevel>BASIC</fx:ConformanceLevel>
</rdf:Description>
`;

function describeProperty([name, description]: (typeof PROPERTIES)[number]): string {
  return `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${name}</pdfaProperty:name><pdfaProperty:valueType>Text</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category><pdfaProperty:description>${description}</pdfaProperty:description></rdf:li>`;
}
