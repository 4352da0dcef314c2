import { LimitedText } from "./limited-text.ts";
import type { Contents, ReadLimits } from "./outcome.ts";
import { UnreadableDocumentError } from "./outcome.ts";
import { type Attributes, parseXml, type XmlHandlers } from "./xml.ts";
import type { Archive } from "./zip.ts";

/** The part with the text. */
export const DOCUMENT_PART = "word/document.xml";
const FOOTNOTES_PART = "word/footnotes.xml";
const STYLES_PART = "word/styles.xml";
const MAX_HEADING_LEVEL = 6;
/** Elements of which nothing is read: what was deleted, the second form of a drawing for old programs, and the places of tab stops. */
const SKIPPED = new Set(["del", "moveFrom", "Fallback", "tabs"]);

/** Reads the text of a DOCX. Headings, lists and tables become Markdown, footnotes follow the text. */
export async function readDocx(archive: Archive, limits: ReadLimits): Promise<Contents> {
  const text = new LimitedText(limits.characters);
  const styleNames = await readStyleNames(archive);
  for (const part of [DOCUMENT_PART, FOOTNOTES_PART])
    if (archive.has(part) && !text.isCut)
      await parseXml(await archive.open(part), createHandlers(text, styleNames), () => text.isCut);
  const read = text.toString();
  if (read === "") throw new UnreadableDocumentError({ kind: "no_text" });
  return {
    type: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    text: read,
    pages: null,
    pagesRead: null,
    cut_at: text.isCut ? "characters" : null,
  };
}

/** A paragraph that is being read. */
type Paragraph = { prefix: string; text: string };
/** The cells of a row of a table that is being read. */
type Row = string[];

/** The names of styles by their ids. */
type StyleNames = ReadonlyMap<string, string>;

/** Returns the names of styles. Those of headings are English in every language, while Word translates the ids. */
async function readStyleNames(archive: Archive): Promise<StyleNames> {
  const names = new Map<string, string>();
  if (!archive.has(STYLES_PART)) return names;
  let id = "";
  await parseXml(await archive.open(STYLES_PART), {
    onOpen(name, { styleId = "", val = "" }) {
      if (name === "style") id = styleId;
      if (name === "name") names.set(id, val);
    },
  });
  return names;
}

type State = {
  styleNames: StyleNames;
  paragraph: Paragraph;
  /** The rows of the tables around the paragraph, the outermost first. */
  rows: Row[];
  /** The number of skipped elements around the place. */
  skipped: number;
  /** Whether the place is in an element whose text is read. */
  isText: boolean;
};

function createHandlers(output: LimitedText, styleNames: StyleNames): XmlHandlers {
  const state: State = { styleNames, paragraph: { prefix: "", text: "" }, rows: [], skipped: 0, isText: false };
  return {
    onOpen(name, attributes) {
      if (SKIPPED.has(name)) state.skipped += 1;
      if (state.skipped === 0) open(state, name, attributes);
    },
    onClose(name) {
      if (state.skipped === 0) close(state, name, output);
      if (SKIPPED.has(name)) state.skipped -= 1;
    },
    onText(text) {
      if (state.isText && state.skipped === 0) state.paragraph.text += text;
    },
  };
}

function open(state: State, name: string, attributes: Attributes): void {
  const { styleNames, paragraph, rows } = state;
  const { val = "", id = "" } = attributes;
  if (name === "t") state.isText = true;
  else if (name === "tab") paragraph.text += "\t";
  else if (name === "br" || name === "cr") paragraph.text += "\n";
  else if (name === "pStyle") paragraph.prefix = toHeading(styleNames.get(val) ?? val) ?? paragraph.prefix;
  else if (name === "numPr" && paragraph.prefix === "") paragraph.prefix = "- ";
  else if (name === "footnoteReference") paragraph.text += `[^${id}]`;
  else if (name === "footnote") paragraph.prefix = `[^${id}]: `;
  else if (name === "tr") rows.push([]);
  else if (name === "tc") rows.at(-1)?.push("");
}

function close(state: State, name: string, output: LimitedText): void {
  if (name === "t") state.isText = false;
  else if (name === "p") endParagraph(state, output);
  else if (name === "tr") endRow(state, output);
}

/** Returns the mark of a style that is a heading, by its name or, where the file names no styles, its id; null for others. */
function toHeading(style: string): string | null {
  if (style === "Title") return "# ";
  const [, level] = /^heading ?([1-9])$/i.exec(style) ?? [];
  return level === undefined ? null : `${"#".repeat(Math.min(Number(level), MAX_HEADING_LEVEL))} `;
}

function endParagraph(state: State, output: LimitedText): void {
  const { prefix, text } = state.paragraph;
  state.paragraph = { prefix: "", text: "" };
  if (text.trim() === "") return;
  const row = state.rows.at(-1);
  if (row === undefined) output.add(`${prefix}${text}\n\n`);
  else row.push(`${row.pop() ?? ""} ${text.trim().replaceAll("\n", " ")}`.trim());
}

/** A table in a cell becomes a part of the cell's text. */
function endRow({ rows }: State, output: LimitedText): void {
  const cells = rows.pop() ?? [];
  const line = cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ");
  const outer = rows.at(-1);
  if (outer === undefined) output.add(`| ${line} |\n`);
  else outer.push(`${outer.pop() ?? ""} ${line}`.trim());
}
