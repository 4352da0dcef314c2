import { once } from "node:events";
import { formatMoney } from "../../currencies/index.ts";
import type { Amount, BillingDocument, Fact, Party } from "../billing-document.ts";
import { attachFacturX } from "./attach-factur-x.ts";
import { loadFonts, type PdfFonts, toDrawable } from "./pdf-fonts.ts";

type Pdf = PDFKit.PDFDocument;
type Element = PDFKit.PDFStructureElement;

/** What drawing needs: the document, its fonts, and whether a character was replaced so far. */
type Canvas = { pdf: Pdf; fonts: PdfFonts; currency: string; root: Element; hasReplacedCharacters: boolean };

/** Where a text stands, in points. */
type Box = { x: number; width: number; align?: "left" | "right"; bold?: boolean; size?: number; color?: string };

const A4 = { width: 595.28, height: 841.89 };
const MARGIN = 56;
const CONTENT_WIDTH = A4.width - 2 * MARGIN;
const BOTTOM = A4.height - MARGIN - 24;
const AMOUNT_WIDTH = 90;
const LABEL_WIDTH = 110;
const ROW_GAP = 6;
const COLOR = { ink: "#161f30", dim: "#4d5563", line: "#c9ced6" };
const SIZE = { title: 20, text: 9.5, small: 8 };
const REPLACED_NOTE =
  "Characters that the font of this document does not have are drawn as “?”. The text itself has them when it is copied or read aloud, and so has the page of the same document on the site.";

/** Draws a document as a tagged PDF with embedded fonts, on as many A4 pages as it takes. Loads the library when called. */
export async function drawDocument(document: BillingDocument): Promise<Uint8Array> {
  const canvas = await createCanvas(document);
  drawHeading(canvas, document);
  drawParties(canvas, document);
  drawFacts(canvas, document.facts);
  drawItems(canvas, document);
  for (const note of document.notes) drawParagraph(canvas, note);
  if (canvas.hasReplacedCharacters) drawParagraph(canvas, REPLACED_NOTE);
  canvas.root.end();
  drawFooters(canvas, document.number);
  if (document.facturX !== null) attachFacturX(canvas.pdf, document.facturX);
  return readBytes(canvas.pdf);
}

async function createCanvas({ title, issuedAt, currency, facturX }: BillingDocument): Promise<Canvas> {
  const [{ default: PdfDocument }, fonts] = await Promise.all([import("pdfkit"), loadFonts()]);
  const pdf = new PdfDocument({
    size: "A4",
    // The margin at the bottom is kept by `startRow`; pdfkit would add pages for footers below one of its own.
    margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: 0 },
    pdfVersion: "1.7",
    // Factur-X asks for PDF/A-3, the form of PDF for archives that may hold other files.
    ...(facturX !== null && { subset: "PDF/A-3a" as const }),
    tagged: true,
    lang: "en",
    displayTitle: true,
    bufferPages: true,
    font: fonts.regularPath,
    info: { Title: title, CreationDate: issuedAt, Producer: "Feather", Creator: "Feather" },
  });
  const root = pdf.struct("Document");
  pdf.addStructure(root);
  return { pdf, fonts, root, currency, hasReplacedCharacters: false };
}

function drawHeading(canvas: Canvas, { title, isTest }: BillingDocument): void {
  const { pdf, root } = canvas;
  addText(canvas, root, "H1", title, { x: MARGIN, width: CONTENT_WIDTH, bold: true, size: SIZE.title });
  pdf.y += ROW_GAP;
  if (isTest) drawParagraph(canvas, "TEST: from the built-in test driver, no money moves.");
}

/** Draws seller and buyer beside each other. */
function drawParties(canvas: Canvas, { seller, buyer }: BillingDocument): void {
  const { pdf } = canvas;
  const top = pdf.y + ROW_GAP;
  const width = CONTENT_WIDTH / 2 - ROW_GAP;
  drawParty(canvas, "From", seller, { x: MARGIN, width }, top);
  const sellerBottom = pdf.y;
  drawParty(canvas, "To", buyer, { x: MARGIN + CONTENT_WIDTH / 2, width }, top);
  pdf.y = Math.max(sellerBottom, pdf.y) + 3 * ROW_GAP;
}

function drawParty(canvas: Canvas, label: string, { name, details }: Party, box: Box, top: number): void {
  const { pdf, root } = canvas;
  const section = pdf.struct("Sect");
  root.add(section);
  pdf.y = top;
  addText(canvas, section, "H2", label, { ...box, color: COLOR.dim, size: SIZE.small });
  addText(canvas, section, "P", name, { ...box, bold: true });
  for (const line of details) addText(canvas, section, "P", line, box);
  section.end();
}

function drawFacts(canvas: Canvas, facts: readonly Fact[]): void {
  const { pdf, root } = canvas;
  const table = pdf.struct("Table");
  root.add(table);
  for (const { label, text } of facts) {
    const row = startRow(canvas, table, [label, text], CONTENT_WIDTH - LABEL_WIDTH);
    const top = pdf.y;
    addCell(canvas, row, "TH", label, { x: MARGIN, width: LABEL_WIDTH, color: COLOR.dim });
    pdf.y = top;
    addCell(canvas, row, "TD", text, { x: MARGIN + LABEL_WIDTH, width: CONTENT_WIDTH - LABEL_WIDTH });
    row.end();
  }
  table.end();
  pdf.y += 3 * ROW_GAP;
}

/** Draws the table of lines and sums. Its heading row is repeated at the top of each further page. */
function drawItems(canvas: Canvas, { lines, totals, total, settlement }: BillingDocument): void {
  const { pdf, root } = canvas;
  const table = pdf.struct("Table");
  root.add(table);
  const heading = startRow(canvas, table, ["Item"], CONTENT_WIDTH);
  drawHeadingRow(canvas, heading);
  heading.end();
  for (const line of lines) drawAmountRow(canvas, table, line, "normal");
  for (const line of totals) drawAmountRow(canvas, table, line, "sum");
  drawAmountRow(canvas, table, total, "total");
  for (const line of settlement) drawAmountRow(canvas, table, line, "sum");
  table.end();
  pdf.y += 2 * ROW_GAP;
}

function drawHeadingRow(canvas: Canvas, row: Element | null): void {
  const { pdf } = canvas;
  const [item, amount] = amountBoxes({ color: COLOR.dim, size: SIZE.small });
  const top = pdf.y;
  const draw = (text: string, box: Box) =>
    row
      ? addCell(canvas, row, "TH", text, box, "Column")
      : drawArtifact(pdf, "Pagination", () => drawText(canvas, text, box));
  draw("Item", item);
  pdf.y = top;
  draw(`Amount in ${canvas.currency}`, amount);
  drawRule(canvas);
}

function drawAmountRow(
  canvas: Canvas,
  table: Element,
  { label, cents }: Amount,
  kind: "normal" | "sum" | "total",
): void {
  const { pdf } = canvas;
  const [labelBox, amountBox] = amountBoxes({ bold: kind === "total" });
  const row = startRow(canvas, table, [label], labelBox.width, () => drawHeadingRow(canvas, null));
  const top = pdf.y;
  addCell(canvas, row, kind === "normal" ? "TD" : "TH", label, labelBox);
  const bottom = pdf.y;
  pdf.y = top;
  addCell(canvas, row, "TD", formatMoney(cents, canvas.currency), amountBox);
  pdf.y = bottom;
  row.end();
  drawRule(canvas);
}

function amountBoxes(style: Partial<Box>): [Box, Box] {
  const width = CONTENT_WIDTH - AMOUNT_WIDTH;
  return [
    { ...style, x: MARGIN, width: width - ROW_GAP },
    { ...style, x: MARGIN + width, width: AMOUNT_WIDTH, align: "right" },
  ];
}

/** Adds a row to a table, on the next page where there is no room left for its texts; `onNewPage` is then drawn first. */
function startRow(
  canvas: Canvas,
  table: Element,
  texts: readonly string[],
  width: number,
  onNewPage?: () => void,
): Element {
  const { pdf } = canvas;
  if (startPageIfFull(canvas, texts, width)) onNewPage?.();
  const row = pdf.struct("TR");
  table.add(row);
  return row;
}

/** Starts a page if the texts do not fit on this one; returns whether it did. */
function startPageIfFull({ pdf, fonts }: Canvas, texts: readonly string[], width: number): boolean {
  pdf.font(fonts.boldPath).fontSize(SIZE.text);
  const height = Math.max(...texts.map((text) => pdf.heightOfString(text, { width })));
  if (pdf.y + height + ROW_GAP <= BOTTOM) return false;
  pdf.addPage();
  return true;
}

function drawParagraph(canvas: Canvas, text: string): void {
  startPageIfFull(canvas, [text], CONTENT_WIDTH);
  addText(canvas, canvas.root, "P", text, { x: MARGIN, width: CONTENT_WIDTH, color: COLOR.dim });
  canvas.pdf.y += ROW_GAP;
}

function addCell(canvas: Canvas, row: Element, tag: "TH" | "TD", text: string, box: Box, scope = "Row"): void {
  addText(canvas, row, tag, text, box, tag === "TH" ? scope : undefined);
}

/** Draws a text as an element of the structure, which names the characters that the font lacks. */
function addText(canvas: Canvas, parent: Element, tag: string, text: string, box: Box, scope?: string): void {
  const { pdf, fonts } = canvas;
  const { actual } = toDrawable(text, fonts.regular);
  if (actual !== null) canvas.hasReplacedCharacters = true;
  const options = { ...(actual !== null && { actual }), ...(scope !== undefined && { scope }) };
  parent.add(pdf.struct(tag, options, [() => drawText(canvas, text, box)]));
}

function drawText({ pdf, fonts }: Canvas, text: string, { x, width, align, bold, size, color }: Box): void {
  pdf
    .font(bold ? fonts.boldPath : fonts.regularPath)
    .fontSize(size ?? SIZE.text)
    .fillColor(color ?? COLOR.ink)
    .text(toDrawable(text, fonts.regular).text, x, pdf.y, { width, align: align ?? "left" });
}

function drawRule({ pdf }: Canvas): void {
  const y = pdf.y + ROW_GAP / 2;
  drawArtifact(pdf, "Layout", () =>
    pdf
      .moveTo(MARGIN, y)
      .lineTo(MARGIN + CONTENT_WIDTH, y)
      .lineWidth(0.5)
      .strokeColor(COLOR.line)
      .stroke(),
  );
  pdf.y = y + ROW_GAP / 2;
}

/** Draws what is no part of the text, and is not read aloud. */
function drawArtifact(pdf: Pdf, type: "Layout" | "Pagination", draw: () => void): void {
  pdf.markContent("Artifact", { type });
  draw();
  pdf.endMarkedContent();
}

/** Draws the number and the page at the bottom of each page. */
function drawFooters(canvas: Canvas, number: string): void {
  const { pdf } = canvas;
  const { start, count } = pdf.bufferedPageRange();
  for (let index = 0; index < count; index++) {
    pdf.switchToPage(start + index);
    pdf.y = A4.height - MARGIN;
    const text = `${number}, page ${index + 1} of ${count}`;
    const box: Box = { x: MARGIN, width: CONTENT_WIDTH, align: "right", color: COLOR.dim, size: SIZE.small };
    drawArtifact(pdf, "Pagination", () => drawText(canvas, text, box));
  }
}

async function readBytes(pdf: Pdf): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  pdf.on("data", (chunk: Uint8Array) => chunks.push(chunk));
  const ended = once(pdf, "end");
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
}
