import type { DetailLine } from "../../output/index.ts";
import { sanitizeLine } from "../../output/sanitize.ts";
import type { Style } from "../../output/style.ts";
import { type Column, formatTable } from "../../output/table.ts";
import type { MeasureWidth } from "../../output/width.ts";
import type { PaneId } from "./view-state.ts";

/** What `x` does to a row: ends it at the server, once the person has confirmed it. */
export type StopAction = {
  /** The key's label at the bottom: `pause`. */
  readonly label: string;
  readonly question: string;
  /** Stops it; the message says what happened. */
  run(): Promise<string>;
};

/** A part of the screen: a table whose rows have details, and maybe something that stops them. */
export type Pane = {
  readonly id: PaneId;
  readonly title: string;
  /** Number of rows, beyond those that were loaded; null before the first load. */
  readonly count: number | null;
  /** Ids of the loaded rows, with the text that filters look at. */
  readonly rows: readonly { readonly id: string; readonly text: string }[];
  /** The text that replaces a table without rows. */
  readonly empty: string;
  /** A line below the table; null for none. */
  readonly note: string | null;
  readonly error: string | null;
  /** Returns the lines of a table with these rows, the header first. */
  format(ids: readonly string[], style: Style, width: number, measure: MeasureWidth): readonly string[];
  details(id: string): readonly DetailLine[];
  /** Returns the address of a row's page on the site; null without one. */
  page(id: string): string | null;
  stop(id: string): StopAction | null;
};

/** The definition of a pane, with rows of one type. */
export type PaneDefinition<Row> = Pick<Pane, "id" | "title" | "empty"> & {
  /** The loaded rows; null before the first load. */
  readonly rows: readonly Row[] | null;
  readonly count?: number;
  readonly note?: string | null;
  readonly error?: string | null;
  readonly columns: readonly Column<Row>[];
  rowId(row: Row): string;
  details(row: Row): readonly DetailLine[];
  page(row: Row): string;
  stop?(row: Row): StopAction | null;
};

/** Turns a definition into a pane, whose rows are known by their ids only, so that all panes have one type. */
export function definePane<Row>(definition: PaneDefinition<Row>): Pane {
  const { id, title, empty, rows, columns, rowId, details, page, stop, note = null, error = null } = definition;
  const byId = new Map((rows ?? []).map((row) => [rowId(row), row]));
  return {
    id,
    title,
    count: rows === null ? null : (definition.count ?? rows.length),
    rows: [...byId].map(([key, row]) => ({ id: key, text: columns.map(({ cell }) => cell(row)).join(" ") })),
    empty,
    note,
    error,
    format: (ids, style, width, measure) =>
      formatTable(
        columns,
        ids.flatMap((key) => byId.get(key) ?? []),
        style,
        width,
        measure,
      ),
    details(key) {
      const row = byId.get(key);
      return row === undefined ? [] : details(row);
    },
    page(key) {
      const row = byId.get(key);
      return row === undefined ? null : page(row);
    },
    stop(key) {
      const row = byId.get(key);
      return row === undefined ? null : (stop?.(row) ?? null);
    },
  };
}

/** Returns details as lines with aligned labels. */
export function formatDetails(lines: readonly DetailLine[], style: Style): readonly string[] {
  const labelWidth = Math.max(0, ...lines.map(([label]) => label.length));
  return lines.map(([label, raw, paint]) => {
    const text = sanitizeLine(raw);
    return `${style.dim(label.padEnd(labelWidth))}  ${paint?.(text, style) ?? text}`;
  });
}
