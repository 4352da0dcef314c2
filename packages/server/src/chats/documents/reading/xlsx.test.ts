import { expect, test } from "vitest";
import { xlsx, zip } from "../testing/sample-documents.ts";
import { formatDate, isDateFormat } from "./number-formats.ts";
import { readDocument } from "./read-document.ts";

const LIMITS = { pages: 10, characters: 10_000, unpackedBytes: 100_000_000 };
const read = (bytes: Buffer, limits = LIMITS) => readDocument(bytes, "costs.xlsx", limits);
const rowsOf = async (rows: string, workbook?: Parameters<typeof xlsx>[1]) => {
  const outcome = await read(xlsx([{ name: "A", rows }], workbook));
  return "contents" in outcome ? outcome.contents.text.split("\n").slice(1).join("\n") : outcome.problem;
};
const cell = (reference: string, value: string | number) => `<c r="${reference}"><v>${value}</v></c>`;
const row = (...cells: string[]) => `<row>${cells.join("")}</row>`;

test("a workbook is read sheet by sheet as CSV, hidden sheets included", async () => {
  const bytes = xlsx([
    { name: "Costs", rows: row(cell("A1", 1), cell("B1", 2)) + row(cell("A2", 3)) },
    { name: "Notes &amp; more", rows: row(cell("A1", 4)), state: "hidden" },
  ]);
  expect(await read(bytes)).toEqual({
    contents: {
      type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      text: "--- sheet 1 of 2: Costs ---\n1,2\n3\n\n--- sheet 2 of 2: Notes & more (hidden) ---\n4",
      pages: 2,
      pagesRead: 2,
      cut_at: null,
    },
  });
});

test("a name of a sheet with line breaks is one line", async () => {
  const name = "Costs&#10;--- sheet 2 of 2 ---&#x2028;of 2026";
  const outcome = await read(xlsx([{ name, rows: row(cell("A1", 1)) }]));
  expect(outcome).toMatchObject({ contents: { text: "--- sheet 1 of 1: Costs --- sheet 2 of 2 --- of 2026 ---\n1" } });
});

test.each([
  ["empty cells between others", row(cell("B1", 1), cell("D1", 2)), ",1,,2"],
  ["cells without references", "<row><c><v>1</v></c><c><v>2</v></c></row>", "1,2"],
  ["columns of two letters", row(cell("AB1", 1)), `${",".repeat(27)}1`],
  ["truth values", '<row><c t="b"><v>1</v></c><c t="b"><v>0</v></c></row>', "TRUE,FALSE"],
  ["errors", '<row><c t="e"><v>#DIV/0!</v></c></row>', "#DIV/0!"],
  ["texts in cells", '<row><c t="inlineStr"><is><t>a, "b"</t></is></c></row>', '"a, ""b"""'],
  ["formulas by their value", "<row><c><f>SUM(A1:A9)</f><v>45</v></c></row>", "45"],
  ["formulas that nothing computed", "<row><c><f>SUM(A1:A9)</f></c></row>", "=SUM(A1:A9)"],
  ["texts of formulas", '<row><c t="str"><f>A1&amp;B1</f><v>ab</v></c></row>', "ab"],
])("%s are read", async (_what, rows, expected) => {
  expect(await rowsOf(rows)).toBe(expected);
});

test("shared texts are read without how they are pronounced", async () => {
  const strings = ["<t>plain</t>", "<r><t>in </t></r><r><t>pieces</t></r>", "<t>東京</t><rPh><t>トウキョウ</t></rPh>"];
  const rows = '<row><c t="s"><v>1</v></c><c t="s"><v>0</v></c><c t="s"><v>2</v></c><c t="s"><v>9</v></c></row>';
  expect(await rowsOf(rows, { strings })).toBe("in pieces,plain,東京");
});

const STYLES =
  '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="yyyy\\-mm"/><numFmt numFmtId="171" formatCode="0.0 &quot;days&quot;"/></numFmts>' +
  '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs></styleSheet>';
test("numbers that are shown as dates are read as dates", async () => {
  const styled = [0, 1, 2, 3].map((style) => `<c s="${style}"><v>46356</v></c>`).join("");
  expect(await rowsOf(`<row>${styled}</row>`, { styles: STYLES })).toBe("46356,2026-11-30,2026-11-30,46356");
});

test("days of a workbook of old Macs are counted from 1904", async () => {
  const rows = '<row><c s="1"><v>44894</v></c></row>';
  expect(await rowsOf(rows, { styles: STYLES, properties: '<workbookPr date1904="1"/>' })).toBe("2026-11-30");
});

test.each([
  ["46356", "2026-11-30"],
  ["46356.75", "2026-11-30 18:00:00"],
  ["0.5", "12:00:00"],
  ["-1", "-1"],
  ["99999999", "99999999"],
  ["soon", "soon"],
])("the day number %s is written as %s", (value, expected) => {
  expect(formatDate(value, false)).toBe(expected);
});

test.each([
  [14, undefined, true],
  [2, undefined, false],
  [170, "[$-409]d. mmm", true],
  [170, "[Red]0.00", false],
  [170, '"months" 0', false],
  [170, "General", false],
  [170, "[h]:mm", true],
])("the format %s %s shows a date: %s", (id, code, expected) => {
  expect(isDateFormat(id, code)).toBe(expected);
});

test("a sheet with a million empty rows costs no text", async () => {
  const rows = '<row r="1" spans="1:1"/>'.repeat(1_000_000) + row(cell("A1000001", 7));
  expect(await rowsOf(rows)).toBe("7");
});

test("a workbook without cells is said to hold no text", async () => {
  expect(await read(xlsx([{ name: "A", rows: "<row/>" }]))).toEqual({ problem: { kind: "no_text" } });
});

test("a workbook with many sheets is read to the limit of pages", async () => {
  const sheets = [1, 2, 3].map((number) => ({ name: `S${number}`, rows: row(cell("A1", number)) }));
  const outcome = await read(xlsx(sheets), { ...LIMITS, pages: 2 });
  expect(outcome).toMatchObject({ contents: { pages: 3, pagesRead: 2, cut_at: "pages" } });
});

test("a long sheet ends at the limit of characters, and the rest is not parsed", async () => {
  // The end of the sheet is no XML, which only matters to who reads that far.
  const rows = row(cell("A1", "1234567")).repeat(100_000);
  const outcome = await read(xlsx([{ name: "A", rows: `${rows}<` }]), { ...LIMITS, characters: 100 });
  expect(outcome).toMatchObject({ contents: { pagesRead: 1, cut_at: "characters" } });
});

test("a sheet that the archive lacks, such as a chart, is passed over", async () => {
  const bytes = zip({
    "xl/workbook.xml": '<workbook xmlns:r="r"><sheet name="Chart" r:id="c"/><sheet name="Data" r:id="d"/></workbook>',
    "xl/_rels/workbook.xml.rels":
      '<R><Relationship Id="c" Target="chartsheets/1.xml"/><Relationship Id="d" Target="/xl/data.xml"/></R>',
    "xl/data.xml": row(cell("A1", 5)),
  });
  expect(await read(bytes)).toMatchObject({
    contents: { text: "--- sheet 1 of 2: Chart ---\n\n--- sheet 2 of 2: Data ---\n5" },
  });
});

test.each([
  ["without the list of its parts", zip({ "xl/workbook.xml": "<workbook/>" })],
  ["whose workbook is no XML", zip({ "xl/workbook.xml": "{}", "xl/_rels/workbook.xml.rels": "<R/>" })],
])("a workbook %s is said to be damaged", async (_what, bytes) => {
  expect(await read(bytes)).toEqual({ problem: { kind: "damaged" } });
});
