import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { expect, test } from "vitest";
import type { BillingDocument } from "../billing-document.ts";
import { toFacturX } from "../e-invoice/factur-x.ts";
import { STANDARD } from "../e-invoice/samples.ts";
import { drawDocument } from "./draw-document.ts";

const DOCUMENT: BillingDocument = {
  title: "Invoice F-2026-0041",
  number: "F-2026-0041",
  isTest: false,
  currency: "USD",
  issuedAt: new Date("2026-11-19T14:01:02Z"),
  seller: { name: "Plume GmbH", details: ["Straße 1", "10115 Berlin", "Germany"] },
  buyer: { name: "Åsa & Söhne", details: ["asa@example.com"] },
  facts: [{ label: "Date", text: "19 Nov 2026" }],
  lines: [{ label: "Premium, 19 Nov 2026 to 19 Dec 2026", cents: 2500 }],
  totals: [{ label: "Subtotal", cents: 2500 }],
  total: { label: "Total in USD", cents: 2500 },
  settlement: [{ label: "Paid", cents: 2500 }],
  notes: [],
  facturX: null,
  ubl: null,
};

/** Reads a drawn document with pdf.js: the text and the tags of each page, and what the file says of itself. */
async function readPdf(changes: Partial<BillingDocument> = {}) {
  const bytes = await drawDocument({ ...DOCUMENT, ...changes });
  const source = Buffer.from(bytes).toString("latin1");
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0 });
  const pdf = await task.promise;
  const pages = await Promise.all(
    Array.from({ length: pdf.numPages }, async (_, index) => {
      const page = await pdf.getPage(index + 1);
      const { items, lang } = await page.getTextContent();
      return {
        text: items.map((item) => ("str" in item ? item.str : "")).join(" "),
        lang,
        tags: await page.getStructTree(),
      };
    }),
  );
  const { info } = await pdf.getMetadata();
  const markInfo = await pdf.getMarkInfo();
  await task.destroy();
  return { bytes, source, pages, info, markInfo };
}

/** Returns the tags of a tree in the order in which they are read. */
function listTags(node: unknown): string[] {
  if (typeof node !== "object" || node === null || !("children" in node)) return [];
  const { role, children } = node as { role?: string; children: unknown[] };
  return [...(role === undefined ? [] : [role]), ...children.flatMap(listTags)];
}

test("a PDF has the texts and amounts of the document, in its order", async () => {
  const { pages } = await readPdf();
  expect(pages).toHaveLength(1);
  expect(pages[0]?.text.replaceAll(/ +/g, " ")).toBe(
    "Invoice F-2026-0041 From Plume GmbH Straße 1 10115 Berlin Germany To Åsa & Söhne asa@example.com Date 19 Nov 2026 " +
      "Item Amount in USD Premium, 19 Nov 2026 to 19 Dec 2026 $25.00 Subtotal $25.00 Total in USD $25.00 Paid $25.00 " +
      "F-2026-0041, page 1 of 1",
  );
});

test("a PDF is tagged with headings and tables, and names its language and title", async () => {
  const { pages, info, markInfo, source } = await readPdf();
  expect(markInfo instanceof Map && markInfo.get("Marked")).toBe(true);
  expect(pages[0]?.lang).toBe("en");
  expect(info).toMatchObject({ Title: "Invoice F-2026-0041", Language: "en" });
  expect(source).toContain("/DisplayDocTitle true");
  expect(listTags(pages[0]?.tags)).toEqual([
    "Root",
    "Document",
    "H1",
    ...["Sect", "H2", "P", "P", "P", "P"],
    ...["Sect", "H2", "P", "P"],
    ...["Table", "TR", "TH", "TD"],
    ...["Table", "TR", "TH", "TH", "TR", "TD", "TD", "TR", "TH", "TD", "TR", "TH", "TD", "TR", "TH", "TD"],
  ]);
});

test("a PDF embeds each of its fonts, as a subset", async () => {
  const { source, bytes } = await readPdf();
  const fonts = source.match(/\/BaseFont \/\S+/g) ?? [];
  expect(new Set(fonts)).toEqual(
    new Set([expect.stringMatching(/\+NotoSans/), expect.stringMatching(/\+NotoSans.*SemiBold/i)]),
  );
  expect(source.match(/\/Type \/FontDescriptor/g)).toHaveLength(2);
  expect(source.match(/\/FontFile2 /g)).toHaveLength(2);
  expect(bytes.length).toBeLessThan(60_000);
});

test("a PDF draws Latin, Greek and Cyrillic names as they are", async () => {
  const name = "Łódź Ελληνικά Кириллица ﬁ ß €";
  const { pages } = await readPdf({ buyer: { name, details: [] } });
  expect(pages[0]?.text.normalize("NFKC")).toContain(name.normalize("NFKC"));
  expect(pages[0]?.text).not.toContain("?");
});

test("a PDF replaces characters that its font lacks by question marks, says so, and keeps the text for copying", async () => {
  const name = "株式会社 Feather";
  const { pages, source } = await readPdf({ buyer: { name, details: [] } });
  expect(pages[0]?.text).toContain("???? Feather");
  expect(pages[0]?.text).toContain("does not have are drawn as “?”");
  const utf16 = Buffer.from(`\ufeff${name}`, "utf16le").swap16().toString("latin1");
  expect(source).toContain(`/ActualText (${utf16}`);
});

test("a long PDF goes on over pages with a heading row and page numbers, and each line stands on one of them", async () => {
  const lines = Array.from({ length: 90 }, (_, index) => ({ label: `Line ${index + 1} of many`, cents: index }));
  const { pages } = await readPdf({ lines });
  expect(pages).toHaveLength(3);
  for (const [index, { text }] of pages.entries()) {
    expect(text).toContain(`F-2026-0041, page ${index + 1} of 3`);
    expect(text.match(/Item\s+Amount in USD/g)).toHaveLength(1);
  }
  const text = pages.map((page) => page.text).join(" ");
  for (const { label } of lines) expect(text.split(label)).toHaveLength(2);
  // The tree of the first page has the rows of all pages. Repeated heading rows are no part of the table that is read aloud.
  expect(listTags(pages[0]?.tags).filter((tag) => tag === "TR")).toHaveLength(1 + 1 + 90 + 3);
});

test("a PDF of the same document is the same, byte by byte", async () => {
  const [first, second] = [await drawDocument(DOCUMENT), await drawDocument(DOCUMENT)];
  expect(Buffer.compare(first, second)).toBe(0);
});

test("a PDF says that a test invoice moves no money", async () => {
  const { pages } = await readPdf({ isTest: true });
  expect(pages[0]?.text).toContain("TEST: from the built-in test driver, no money moves.");
});

test("a PDF holds an e-invoice as attached XML, and says so in metadata of PDF/A-3", async () => {
  const { bytes, source } = await readPdf({ facturX: STANDARD });
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0 });
  const pdf = await task.promise;
  const [[id = "", file] = []] = [...((await pdf.getAttachments()) ?? [])];
  expect(file?.filename).toBe("factur-x.xml");
  const content: unknown = await pdf.getAttachmentContent(id);
  expect(Buffer.from(content instanceof Uint8Array ? content : []).toString()).toBe(toFacturX(STANDARD));
  await task.destroy();
  for (const part of [
    "/AFRelationship /Alternative",
    "<pdfaid:part>3</pdfaid:part>",
    "<pdfaid:conformance>A</pdfaid:conformance>",
    "<fx:ConformanceLevel>BASIC</fx:ConformanceLevel>",
    "<fx:DocumentFileName>factur-x.xml</fx:DocumentFileName>",
  ])
    expect(source).toContain(part);
  expect((await readPdf()).source).not.toContain("pdfaid");
});
