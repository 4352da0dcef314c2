import { LimitedText } from "./limited-text.ts";
import { formatDate, isDateFormat } from "./number-formats.ts";
import type { Contents, ReadLimits } from "./outcome.ts";
import { UnreadableDocumentError } from "./outcome.ts";
import { type Attributes, parseXml, type XmlHandlers } from "./xml.ts";
import type { Archive } from "./zip.ts";

/** The part that lists the sheets. */
export const WORKBOOK_PART = "xl/workbook.xml";
const RELATIONS_PART = "xl/_rels/workbook.xml.rels";
const STRINGS_PART = "xl/sharedStrings.xml";
const STYLES_PART = "xl/styles.xml";
/** Excel has no more columns. */
const MAX_COLUMNS = 16_384;

type Sheet = { name: string; relation: string; isHidden: boolean };
type Workbook = { sheets: readonly Sheet[]; is1904: boolean };
/** What the cells of a workbook refer to. */
type Shared = { strings: readonly string[]; dateStyles: ReadonlySet<number>; is1904: boolean };

/** Reads the cells of a workbook as CSV, sheet by sheet. Cells have the values that were last computed, dates are ISO 8601. */
export async function readXlsx(archive: Archive, limits: ReadLimits): Promise<Contents> {
  const { sheets, is1904 } = await readWorkbook(archive);
  const targets = await readRelations(archive);
  const shared = { strings: await readStrings(archive), dateStyles: await readDateStyles(archive), is1904 };
  const text = new LimitedText(limits.characters);
  let pagesRead = 0;
  let hasCells = false;
  for (const { name, relation, isHidden } of sheets.slice(0, limits.pages)) {
    if (text.isCut) break;
    pagesRead += 1;
    text.add(`--- sheet ${pagesRead} of ${sheets.length}: ${name}${isHidden ? " (hidden)" : ""} ---\n`);
    const path = targets.get(relation);
    // A sheet that holds a chart has no cells.
    if (path !== undefined && archive.has(path)) hasCells = (await readSheet(archive, path, shared, text)) || hasCells;
    text.add("\n");
  }
  if (!hasCells) throw new UnreadableDocumentError({ kind: "no_text" });
  return {
    type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    text: text.toString(),
    pages: sheets.length,
    pagesRead,
    cut_at: text.isCut ? "characters" : pagesRead < sheets.length ? "pages" : null,
  };
}

async function readWorkbook(archive: Archive): Promise<Workbook> {
  const sheets: Sheet[] = [];
  let is1904 = false;
  await parseXml(await archive.open(WORKBOOK_PART), {
    onOpen(element, { name = "", id = "", state = "visible", date1904 = "" }) {
      if (element === "workbookPr") is1904 = date1904 === "1" || date1904 === "true";
      // A line break in a name would end the line by which the sheet's passages are found.
      if (element === "sheet")
        sheets.push({ name: name.replace(/\s+/g, " "), relation: id, isHidden: state !== "visible" });
    },
  });
  return { sheets, is1904 };
}

/** Returns the path of the part of each relation of the workbook. */
async function readRelations(archive: Archive): Promise<ReadonlyMap<string, string>> {
  const targets = new Map<string, string>();
  await parseXml(await archive.open(RELATIONS_PART), {
    onOpen(_element, { Id: id, Target: target }) {
      if (id === undefined || target === undefined) return;
      targets.set(id, target.startsWith("/") ? target.slice(1) : `xl/${target}`);
    },
  });
  return targets;
}

/** Returns the texts that cells refer to by number. How they are pronounced is left out. */
async function readStrings(archive: Archive): Promise<readonly string[]> {
  const strings: string[] = [];
  if (!archive.has(STRINGS_PART)) return strings;
  const collector = createTextCollector();
  await parseXml(await archive.open(STRINGS_PART), {
    ...collector.handlers,
    onClose(name) {
      collector.handlers.onClose(name);
      if (name === "si") strings.push(collector.take());
    },
  });
  return strings;
}

/** Collects the text of `t` elements; `rPh` has how a text is pronounced. */
function createTextCollector() {
  let text = "";
  let isText = false;
  let isPronunciation = false;
  return {
    take() {
      const taken = text;
      text = "";
      return taken;
    },
    handlers: {
      onOpen(name: string) {
        if (name === "t") isText = true;
        if (name === "rPh") isPronunciation = true;
      },
      onClose(name: string) {
        if (name === "t") isText = false;
        if (name === "rPh") isPronunciation = false;
      },
      onText(part: string) {
        if (isText && !isPronunciation) text += part;
      },
    },
  };
}

/** Returns the numbers of the cell styles that show dates. */
async function readDateStyles(archive: Archive): Promise<ReadonlySet<number>> {
  const styles = new Set<number>();
  if (!archive.has(STYLES_PART)) return styles;
  const codes = new Map<number, string>();
  let isCellStyle = false;
  let count = 0;
  await parseXml(await archive.open(STYLES_PART), {
    onOpen(name, { numFmtId = "0", formatCode = "" }) {
      if (name === "numFmt") codes.set(Number(numFmtId), formatCode);
      if (name === "cellXfs") isCellStyle = true;
      if (name !== "xf" || !isCellStyle) return;
      if (isDateFormat(Number(numFmtId), codes.get(Number(numFmtId)))) styles.add(count);
      count += 1;
    },
    onClose(name) {
      if (name === "cellXfs") isCellStyle = false;
    },
  });
  return styles;
}

/** Adds the rows of a sheet that have cells. Returns whether there are any. */
async function readSheet(archive: Archive, path: string, shared: Shared, output: LimitedText): Promise<boolean> {
  let hasCells = false;
  const handlers = createSheetHandlers(shared, (cells) => {
    hasCells = true;
    output.add(`${cells.map(quote).join(",")}\n`);
  });
  await parseXml(await archive.open(path), handlers, () => output.isCut);
  return hasCells;
}

type Cell = { column: number; type: string; style: number; value: string; formula: string };

function createSheetHandlers(shared: Shared, onRow: (cells: readonly string[]) => void): XmlHandlers {
  const inline = createTextCollector();
  let row: string[] = [];
  let cell: Cell = toCell({}, 0);
  let field: "value" | "formula" | null = null;
  return {
    onOpen(name, attributes) {
      inline.handlers.onOpen(name);
      if (name === "row") row = [];
      if (name === "c") cell = toCell(attributes, row.length);
      if (name === "v") field = "value";
      if (name === "f") field = "formula";
    },
    onText(text) {
      inline.handlers.onText(text);
      if (field !== null) cell[field] += text;
    },
    onClose(name) {
      inline.handlers.onClose(name);
      if (name === "v" || name === "f") field = null;
      if (name === "c") {
        const text = cell.type === "inlineStr" ? inline.take() : toText(cell, shared);
        if (text === "" || cell.column >= MAX_COLUMNS) return;
        while (row.length < cell.column) row.push("");
        row[cell.column] = text;
      }
      if (name === "row" && row.length > 0) onRow(row);
    },
  };
}

/** A cell without a reference follows the one before it. */
function toCell({ r: reference = "", t: type = "n", s: style = "" }: Attributes, next: number): Cell {
  const [letters] = /^[A-Z]{1,3}/.exec(reference) ?? [];
  return {
    column: letters === undefined ? next : toColumn(letters),
    type,
    style: Number(style),
    value: "",
    formula: "",
  };
}

/** Returns the number of a column from 0: `A` is 0 and `AA` is 26. */
function toColumn(letters: string): number {
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

/** Returns the text of a cell. A formula that no program has computed is shown itself. */
function toText({ type, style, value, formula }: Cell, { strings, dateStyles, is1904 }: Shared): string {
  if (value === "") return formula === "" ? "" : `=${formula}`;
  if (type === "s") return strings[Number(value)] ?? "";
  if (type === "b") return value === "1" ? "TRUE" : "FALSE";
  return type === "n" && dateStyles.has(style) ? formatDate(value, is1904) : value;
}

const quote = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
