import { buffer } from "node:stream/consumers";
import { crc32, deflateRawSync } from "node:zlib";
import PDFDocument from "pdfkit";

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END = 0x06054b50;
const VERSION = 20;
const DEFLATE = 8;

type ZipOptions = {
  /** Whether parts are said to need a password. */
  encrypted?: boolean;
  /** The unpacked size that the archive states, in place of the real one. */
  statedBytes?: number;
};

/** Writes a ZIP archive by the specification of PKWARE (APPNOTE 6.3). */
export function zip(
  parts: Readonly<Record<string, string | Buffer>>,
  { encrypted, statedBytes }: ZipOptions = {},
): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, content] of Object.entries(parts)) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const name = Buffer.from(path);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(VERSION, 0);
    shared.writeUInt16LE(encrypted ? 1 : 0, 2);
    shared.writeUInt16LE(DEFLATE, 4);
    shared.writeUInt32LE(crc32(bytes), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(statedBytes ?? bytes.length, 18);
    shared.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([uint32(LOCAL_HEADER), shared, name, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([uint32(CENTRAL_HEADER), Buffer.from([VERSION, 0]), shared, tail, name]));
    bodies.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...bodies, central, uint32(END), end]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

/** Writes a DOCX with this content of its body, and other parts. */
export const docx = (body: string, parts: Readonly<Record<string, string>> = {}): Buffer =>
  zip({
    "[Content_Types].xml": "<Types/>",
    "word/document.xml": `<?xml version="1.0"?><w:document ${WORD}><w:body>${body}</w:body></w:document>`,
    ...parts,
  });

/** Returns a paragraph of a DOCX. */
export const paragraph = (text: string, style?: string): string =>
  `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ""}<w:r><w:t>${text}</w:t></w:r></w:p>`;

type Sheet = { name: string; rows: string; state?: string };
type Workbook = { strings?: readonly string[]; styles?: string; properties?: string };

/** Writes an XLSX with sheets whose rows are XML. */
export function xlsx(sheets: readonly Sheet[], { strings = [], styles, properties = "" }: Workbook = {}): Buffer {
  const listed = sheets.map(
    ({ name, state = "visible" }, index) =>
      `<sheet name="${name}" sheetId="${index + 1}" state="${state}" r:id="rId${index}"/>`,
  );
  const relations = sheets.map((_, index) => `<Relationship Id="rId${index}" Target="worksheets/sheet${index}.xml"/>`);
  return zip({
    "[Content_Types].xml": "<Types/>",
    "xl/workbook.xml": `<workbook xmlns:r="r">${properties}<sheets>${listed.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships>${relations.join("")}</Relationships>`,
    "xl/sharedStrings.xml": `<sst>${strings.map((one) => `<si>${one}</si>`).join("")}</sst>`,
    ...(styles !== undefined && { "xl/styles.xml": styles }),
    ...Object.fromEntries(
      sheets.map(({ rows }, index) => [
        `xl/worksheets/sheet${index}.xml`,
        `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
  });
}

/** Draws a PDF with a text on each page; one without a text is a drawn line. */
export function pdf(pages: readonly string[], options: PDFKit.PDFDocumentOptions = {}): Promise<Buffer> {
  const document = new PDFDocument({ autoFirstPage: false, ...options });
  for (const text of pages) {
    document.addPage();
    if (text === "") document.moveTo(0, 0).lineTo(100, 100).stroke();
    else document.text(text);
  }
  document.end();
  return buffer(document);
}

/** Writes a PDF whose page is drawn with these bytes, compressed with Flate. */
export function pdfOfContent(content: Buffer): Buffer {
  const packed = deflateRawSync(content);
  // The header of a zlib stream; readers of PDFs do not check its sum.
  const stream = Buffer.concat([Buffer.from([0x78, 0x9c]), packed]);
  const head = [
    "%PDF-1.4",
    "1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj",
    "2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj",
    "3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R>> endobj",
    `4 0 obj <</Length ${stream.length} /Filter /FlateDecode>> stream\n`,
  ].join("\n");
  return Buffer.concat([Buffer.from(head), stream, Buffer.from("\nendstream endobj\ntrailer <</Root 1 0 R>>\n%%EOF")]);
}
