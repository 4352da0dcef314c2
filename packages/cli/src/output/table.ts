import { sanitizeLine } from "./sanitize.ts";
import type { Style } from "./style.ts";
import type { MeasureWidth } from "./width.ts";

/** A column of a list. */
export type Column<Row> = {
  readonly header: string;
  /** The text for people. */
  cell(row: Row): string;
  /** The exact value for pipes, where it differs. */
  plain?(row: Row): string;
  /** Colours the cell. */
  paint?(text: string, style: Style, row: Row): string;
  readonly align?: "right";
  /** On a narrow terminal, the column with the highestDropOrder number is dropped first; columns without one are never dropped. */
  readonly dropOrder?: number;
};

const GAP = "  ";

/** Returns the lines of an aligned table that fits into `width`: first columns are dropped, then texts are cut, the first column's at first. */
export function formatTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  style: Style,
  width: number,
  measure: MeasureWidth,
): string[] {
  const all = columns.map((column) => ({ column, cells: rows.map((row) => sanitizeLine(column.cell(row))) }));
  const measured = all.map((entry) => ({
    ...entry,
    width: Math.max(measure(entry.column.header), ...entry.cells.map((cell) => measure(cell))),
  }));
  const visible = fitColumns(measured, width);
  const line = (texts: readonly string[]) => texts.join(GAP).trimEnd();
  const head = line(
    visible.map(({ column, width }) =>
      style.dim(pad(truncateStart(column.header, width, style, measure), width, measure, column.align)),
    ),
  );
  const body = rows.map((row, index) =>
    line(
      visible.map(({ column, cells, width }) => {
        const text = truncateStart(cells[index] ?? "", width, style, measure);
        return pad(text, width, measure, column.align, column.paint?.(text, style, row));
      }),
    ),
  );
  return [head, ...body];
}

/** Returns lines of tab-separated values, with a header on request. */
export function formatPlainRows<Row>(columns: readonly Column<Row>[], rows: readonly Row[], head = false): string[] {
  const lines = rows.map((row) =>
    columns.map((column) => sanitizeLine(column.plain?.(row) ?? column.cell(row))).join("\t"),
  );
  return head ? [columns.map(({ header }) => header).join("\t"), ...lines] : lines;
}

type MeasuredColumn<Row> = { column: Column<Row>; cells: string[]; width: number };

function fitColumns<Row>(columns: MeasuredColumn<Row>[], width: number): MeasuredColumn<Row>[] {
  const total = columns.reduce((sum, column) => sum + column.width, GAP.length * (columns.length - 1));
  if (total <= width) return columns;
  const nonEmpty = columns.filter(({ cells }) => cells.some((cell) => cell !== ""));
  if (nonEmpty.length > 0 && nonEmpty.length < columns.length) return fitColumns(nonEmpty, width);
  const highestDropOrder = Math.max(...columns.map(({ column }) => column.dropOrder ?? 0));
  if (highestDropOrder > 0)
    return fitColumns(
      columns.filter(({ column }) => (column.dropOrder ?? 0) !== highestDropOrder),
      width,
    );
  return cutColumns(columns, total - width);
}

/** The least widths of columns that are cut: short texts, such as times, only when longer ones are as short. */
const MIN_CUT_WIDTHS = [16, 8] as const;

/** Makes columns narrower by the given number of characters in total, beginning with the first column. */
function cutColumns<Row>(columns: MeasuredColumn<Row>[], excess: number): MeasuredColumn<Row>[] {
  let left = excess;
  let cut = columns;
  for (const least of MIN_CUT_WIDTHS)
    cut = cut.map((column) => {
      const characters = Math.min(left, Math.max(0, column.width - least));
      left -= characters;
      return { ...column, width: column.width - characters };
    });
  return cut;
}

/** Cuts a text to `width` at its start, because names differ at their end. */
function truncateStart(text: string, width: number, style: Style, measure: MeasureWidth): string {
  if (measure(text) <= width) return text;
  const mark = style.unicode ? "…" : "~";
  const characters = [...text];
  while (characters.length > 0 && measure(characters.join("")) > width - 1) characters.shift();
  return mark + characters.join("");
}

function pad(text: string, width: number, measure: MeasureWidth, align?: "right", painted: string = text): string {
  const space = " ".repeat(Math.max(0, width - measure(text)));
  return align === "right" ? space + painted : painted + space;
}
