import { expect, test } from "vitest";
import { docx, paragraph, zip } from "../testing/sample-documents.ts";
import { readDocument } from "./read-document.ts";

const LIMITS = { pages: 10, characters: 10_000, unpackedBytes: 1_000_000 };
const read = (bytes: Buffer, limits = LIMITS) => readDocument(bytes, "letter.docx", limits);
const textOf = async (bytes: Buffer) => {
  const outcome = await read(bytes);
  return "contents" in outcome ? outcome.contents.text : outcome.problem;
};

test("a DOCX is read with its type, and has no pages", async () => {
  expect(await read(docx(paragraph("Hello")))).toEqual({
    contents: {
      type: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      text: "Hello",
      pages: null,
      pagesRead: null,
      cut_at: null,
    },
  });
});

test.each([
  [
    "headings",
    paragraph("Report", "Title") + paragraph("Part", "Heading2") + paragraph("a"),
    "# Report\n\n## Part\n\na",
  ],
  ["deep headings", paragraph("Deep", "Heading9"), "###### Deep"],
  ["lists", "<w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>one</w:t></w:r></w:p>", "- one"],
  [
    "a paragraph in several pieces",
    "<w:p><w:r><w:t>a</w:t></w:r><w:r><w:t xml:space='preserve'> b</w:t></w:r></w:p>",
    "a b",
  ],
  ["line breaks and tabs", "<w:p><w:r><w:t>a</w:t><w:br/><w:t>b</w:t><w:tab/><w:t>c</w:t></w:r></w:p>", "a\nb\tc"],
  [
    "the text, not the tab stops,",
    '<w:p><w:pPr><w:tabs><w:tab w:val="left" w:pos="1"/></w:tabs></w:pPr><w:r><w:t>a</w:t></w:r></w:p>',
    "a",
  ],
  ["the text without characters of the code 0, which messages may not hold,", paragraph("a\0b"), "ab"],
  ["characters of XML", paragraph("a &lt; b &amp;&amp; &#8364;&#x31;"), "a < b && €1"],
  ["text without deleted words", `<w:p><w:del><w:r><w:t>no</w:t></w:r></w:del><w:r><w:t>yes</w:t></w:r></w:p>`, "yes"],
  [
    "a drawing in one of its two forms",
    "<w:p><mc:AlternateContent><mc:Choice><w:t>box</w:t></mc:Choice><mc:Fallback><w:t>box</w:t></mc:Fallback></mc:AlternateContent></w:p>",
    "box",
  ],
])("%s of a DOCX are read", async (_what, body, expected) => {
  expect(await textOf(docx(body))).toBe(expected);
});

test("headings are recognized by the names of styles, since Word translates the ids", async () => {
  const style = (id: string, name: string) => `<w:style w:styleId="${id}"><w:name w:val="${name}"/></w:style>`;
  const styles = `<w:styles xmlns:w="w">${style("Titel", "Title")}${style("berschrift2", "heading 2")}${style("a", "Body")}</w:styles>`;
  const body = paragraph("Bericht", "Titel") + paragraph("Teil", "berschrift2") + paragraph("x", "a");
  expect(await textOf(docx(body, { "word/styles.xml": styles }))).toBe("# Bericht\n\n## Teil\n\nx");
});

const cell = (content: string) => `<w:tc>${content}</w:tc>`;
test("a table becomes rows with bars, and a table in a cell a part of the cell", async () => {
  const inner = `<w:tbl><w:tr>${cell(paragraph("x"))}${cell(paragraph("y"))}</w:tr></w:tbl>`;
  const rows = [
    `<w:tr>${cell(paragraph("Name"))}${cell(paragraph("a|b"))}</w:tr>`,
    `<w:tr>${cell(paragraph("two") + paragraph("lines"))}${cell(inner)}</w:tr>`,
  ];
  expect(await textOf(docx(`<w:tbl>${rows.join("")}</w:tbl>${paragraph("end")}`))).toBe(
    "| Name | a\\|b |\n| two lines | x \\| y |\nend",
  );
});

test("footnotes follow the text with their numbers", async () => {
  const body = `<w:p><w:r><w:t>Claim</w:t><w:footnoteReference w:id="2"/></w:r></w:p>`;
  const notes = `<w:footnotes xmlns:w="w"><w:footnote w:id="2">${paragraph("Source")}</w:footnote></w:footnotes>`;
  expect(await textOf(docx(body, { "word/footnotes.xml": notes }))).toBe("Claim[^2]\n\n[^2]: Source");
});

test("a long DOCX ends at the limit of characters", async () => {
  const outcome = await read(docx(paragraph("word ".repeat(100)).repeat(100)), { ...LIMITS, characters: 50 });
  expect(outcome).toMatchObject({ contents: { cut_at: "characters", text: "word ".repeat(10).trim() } });
});

test("an empty DOCX is said to hold no text", async () => {
  expect(await textOf(docx("<w:p/>"))).toEqual({ kind: "no_text" });
});

const XML = "word/document.xml";
test.each([
  ["whose XML ends in the middle", zip({ [XML]: "<w:document><w:p><w:t>words" })],
  ["with an entity of its own", zip({ [XML]: "<w:document><w:t>&words;</w:t></w:document>" })],
  [
    "that defines entities which grow",
    zip({
      [XML]: `<!DOCTYPE w [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><w:document><w:p><w:t>&b;</w:t></w:p></w:document>`,
    }),
  ],
  [
    "that says less than it unpacks to",
    zip({ [XML]: `<w:document>${paragraph("x")}</w:document>` }, { statedBytes: 5 }),
  ],
  ["whose archive is cut", docx(paragraph("x")).subarray(0, 100)],
  ["whose directory of parts is cut", docx(paragraph("x")).subarray(0, -30)],
])("a DOCX %s is said to be damaged", async (_what, bytes) => {
  expect(await textOf(bytes)).toEqual({ kind: "damaged" });
});

test("a part that needs a password is said to be encrypted", async () => {
  expect(await textOf(zip({ [XML]: "<x/>" }, { encrypted: true }))).toEqual({ kind: "encrypted" });
});

test("a DOCX that unpacks to more than the limit is refused before it is unpacked", async () => {
  const bomb = docx(paragraph(" ".repeat(20_000_000)));
  expect(bomb.length).toBeLessThan(50_000);
  expect(await read(bomb)).toEqual({ problem: { kind: "too_large", reason: "it takes more than 0 MB unpacked" } });
  expect(await read(bomb, { ...LIMITS, unpackedBytes: 8 * 1024 * 1024 })).toEqual({
    problem: { kind: "too_large", reason: "it takes more than 8 MB unpacked" },
  });
});

test("parts that are not read do not count, such as pictures", async () => {
  const bytes = docx(paragraph("Text"), { "word/media/image1.bmp": "x".repeat(5_000_000) });
  expect(await textOf(bytes)).toBe("Text");
});

test.each([
  ["a ZIP archive of other files", zip({ "a.txt": "x" })],
  ["a presentation", zip({ "[Content_Types].xml": "<Types/>", "ppt/presentation.xml": "<p/>" })],
])("%s is refused with a reason", async (_what, bytes) => {
  expect(await textOf(bytes)).toEqual({
    kind: "not_supported",
    reason: "it is a ZIP archive that is no DOCX and no XLSX",
  });
});
