import { expect, test } from "vitest";
import { LimitedText } from "./limited-text.ts";
import { readDocument } from "./read-document.ts";

const LIMITS = { pages: 10, characters: 1_000, unpackedBytes: 1_000_000 };
const read = (bytes: Buffer | string, name: string, limits = LIMITS) => readDocument(Buffer.from(bytes), name, limits);
const utf16be = (text: string) => Buffer.from(text, "utf16le").swap16();

const TEXT = "Größe, €5\nZeile 2";
test.each([
  ["UTF-8", Buffer.from(TEXT)],
  ["UTF-8 with a mark", Buffer.from(`\ufeff${TEXT}`)],
  ["UTF-16 of Windows with a mark", Buffer.from(`\ufeff${TEXT}`, "utf16le")],
  ["UTF-16 of Windows without a mark", Buffer.from(TEXT, "utf16le")],
  ["big-endian UTF-16 with a mark", utf16be(`\ufeff${TEXT}`)],
  ["big-endian UTF-16 without a mark", utf16be(TEXT)],
  ["Windows-1252", Buffer.from(TEXT.replace("€", "\u0080"), "latin1")],
])("a text in %s is read", async (_encoding, bytes) => {
  expect(await read(bytes, "notes.txt")).toEqual({
    contents: { type: "text/plain", text: TEXT, pages: null, pagesRead: null, cut_at: null },
  });
});

test.each([
  ["table.csv", "text/csv"],
  ["table.TSV", "text/csv"],
  ["README.md", "text/markdown"],
  ["main.ts", "text/plain"],
  ["Makefile", "text/plain"],
])("the text %s is said to be %s", async (name, type) => {
  expect(await read("a,b\r\n1,2\r\n", name)).toMatchObject({ contents: { type, text: "a,b\n1,2" } });
});

test.each([
  ["a PDF by its name alone", "plain words", "report.pdf", "it is called .pdf, but its content is not of that kind"],
  ["a DOCX by its name alone", "plain words", "report.DOCX", "it is called .DOCX, but its content is not of that kind"],
  ["a picture", "\u0089PNG\r\n", "bird.txt", "it is no PDF, DOCX, XLSX or text"],
  ["a program", "\u007fELF\u0002", "run", "it is no PDF, DOCX, XLSX or text"],
  ["RTF", "{\\rtf1 words}", "letter.rtf", "it is no PDF, DOCX, XLSX or text"],
  ["bytes with zeros", "ab\u0000\u0001cd", "data.bin", "it is no PDF, DOCX, XLSX or text"],
  [
    "a workbook of an old Office program",
    "\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1 Workbook",
    "old.xls",
    "it is a file of an old Office program. Save it as DOCX, XLSX or PDF",
  ],
])("%s is refused with a reason", async (_what, content, name, reason) => {
  expect(await read(Buffer.from(content, "latin1"), name)).toEqual({ problem: { kind: "not_supported", reason } });
});

test("a text that mentions the mark of PDFs is a text, unless its name says PDF", async () => {
  const text = 'const PDF_MARK = "%PDF-";';
  expect(await read(text, "file-type.ts")).toMatchObject({ contents: { type: "text/plain", text } });
  expect(await read(text, "file-type.pdf")).toEqual({ problem: { kind: "damaged" } });
});

test("an Office document with a password is said to be encrypted", async () => {
  const mark = Buffer.from("d0cf11e0a1b11ae1", "hex");
  const bytes = Buffer.concat([mark, Buffer.alloc(512), Buffer.from("EncryptedPackage", "utf16le")]);
  expect(await read(bytes, "secret.docx")).toEqual({ problem: { kind: "encrypted" } });
});

test.each(["", " \n\t\n"])("a file with only %j is said to hold no text", async (content) => {
  expect(await read(content, "empty.txt")).toEqual({ problem: { kind: "no_text" } });
});

test("a text that is too long ends at the limit and says so", async () => {
  const cut = await read("x".repeat(1_500), "long.txt");
  expect(cut).toMatchObject({ contents: { text: "x".repeat(1_000), cut_at: "characters" } });
});

test("a character of two units is left out when the limit is in its middle", () => {
  const text = new LimitedText(3);
  text.add("ab");
  expect([text.toString(), text.isCut]).toEqual(["ab", false]);
  text.add("😀");
  text.add("c");
  expect([text.toString(), text.isCut]).toEqual(["ab", true]);
});
