import { csvText } from "./csv.ts";
import { count } from "./format.ts";
import type { Io } from "./io.ts";
import { styleOf } from "./io.ts";
import { chosenFields, jsonText, pick } from "./json.ts";
import { type ModeFlags, resolveMode } from "./mode.ts";
import { createProgress, type Progress, SILENT } from "./progress.ts";
import { sanitize, sanitizeLine } from "./sanitize.ts";
import { barbs, type Style } from "./style.ts";
import { type Column, plainLines, tableLines } from "./table.ts";
import type { Measure } from "./width.ts";
import { wrapWords } from "./wrap.ts";

/** How a list is printed. `derived` computes fields of `--json` that rows do not have. */
export type Listing<Row extends object> = {
  readonly columns: readonly Column<Row>[];
  readonly derived?: (row: Row) => Record<string, unknown>;
  id(row: Row): string;
  /** What rows are called, for the line below the table: `models`. */
  readonly noun: string;
  /** Message on stderr when there are no rows. */
  readonly empty: string;
};

/** How one object is printed: as labelled lines. */
export type Sheet<Value extends object> = {
  readonly derived?: (value: Value) => Record<string, unknown>;
  id(value: Value): string;
  lines(value: Value): readonly SheetLine[];
};

/** A label, the unescaped text, and how to colour it. */
export type SheetLine = readonly [label: string, text: string, paint?: (text: string, style: Style) => string];

/** Something that was created or changed. */
export type Change = {
  /** The server's response, for `--json`. */
  readonly value: object;
  readonly id: string;
  /** What happened, for stderr. */
  readonly said: string;
};

/** Flags that decide the form of the output. */
export type OutputFlags = ModeFlags & { readonly color: boolean };

/** What the output needs to know about its command. */
export type OutputOf = {
  readonly now: () => Date;
  /** The command line without the page, for the hint to the next page: `feather models list …`. */
  readonly again: string;
  /** Returns the width of a text; needed for terminals only. */
  readonly measure: Measure;
  /** The filter of `--jq`. */
  readonly filter: ((value: unknown) => string) | undefined;
};

/** Prints results on stdout and messages on stderr, in the mode that flags and terminal ask for. */
export type Output = ReturnType<typeof createOutput>;

const NARROWEST = 20;

/** Creates the output of one command. */
export function createOutput(io: Io, flags: OutputFlags, { now, again, filter, measure }: OutputOf) {
  const tty = io.stdout.isTTY === true;
  const mode = resolveMode(flags, io.env, tty);
  const style = styleOf(io.stdout, io, { color: flags.color && mode === "human" });
  const width = tty ? Math.max(NARROWEST, io.stdout.columns ?? 80) : Number.POSITIVE_INFINITY;
  const print = (text: string): void => void io.stdout.write(`${text}\n`);
  const say = (text: string): void => void io.stderr.write(`${sanitize(text)}\n`);
  const hint = (text: string): void => {
    if (mode === "human" && tty && io.stderr.isTTY === true) say(text);
  };
  const printJson = (value: unknown): void => {
    const text = filter === undefined ? jsonText(value, tty) : sanitize(filter(value));
    if (text !== "" || filter === undefined) print(text);
  };
  const names = (known: readonly string[]) => chosenFields(flags.json ?? true, known);
  let fields: readonly string[] | null = null;
  const shaped = <T extends object>(value: T, chosen: readonly string[], derived?: (value: T) => object) =>
    pick({ ...value, ...derived?.(value) }, chosen);

  return {
    mode,
    tty,
    /** Whether the result is JSON; `printJson` prints it. */
    json: mode === "json",
    quiet: mode === "quiet",
    style,
    /** Columns of the terminal; infinite when there is none. */
    width,
    barbs: (used: number, total: number) => barbs(used, total, io.env.unicode),

    /** Prints a line of a result, with control characters escaped. */
    print: (text: string) => print(sanitize(text)),
    /** Prints a line unchanged: it has colours, and its texts are escaped already. */
    printStyled: print,
    /** Prints a result as JSON, after the filter of `--jq`. */
    printJson,
    /** Prints a message on stderr. */
    say,
    /** Prints a message on stderr for people at a terminal only. */
    hint,
    /** Creates a progress display on stderr. */
    progress: (name: string): Progress => (mode === "quiet" ? SILENT : createProgress(io, name, now, measure)),

    /** Throws `UsageError` for unknown fields of `--json`; called before any request is sent. */
    checkFields(known: readonly string[]): void {
      fields = names(known);
    },

    /** Prints a list; `response` is the server's response, for `--json` without fields. */
    list<Row extends object>(listing: Listing<Row>, rows: readonly Row[], answer: unknown): void {
      const { columns, id, derived } = listing;
      if (mode === "json") {
        const chosen = fields;
        printJson(chosen === null ? answer : rows.map((row) => shaped(row, chosen, derived)));
        return;
      }
      if (mode === "quiet") for (const row of rows) print(sanitizeLine(id(row)));
      else if (mode === "csv") print(csvText(columns, rows));
      else if (rows.length === 0) say(listing.empty);
      else if (mode === "human") for (const line of tableLines(columns, rows, style, width, measure)) print(line);
      else for (const line of plainLines(columns, rows, mode === "agent")) print(line);
      const more = rows.length === 0 ? undefined : footer(listing.noun, rows.length, answer, again);
      if (more === undefined) return;
      if (mode === "agent") say(more);
      else hint(`\n${more}`);
    },

    /** Prints one object. */
    one<Value extends object>(sheet: Sheet<Value>, value: Value): void {
      if (mode === "json") {
        printJson(fields === null ? value : shaped(value, fields, sheet.derived));
        return;
      }
      if (mode === "quiet") {
        print(sanitizeLine(sheet.id(value)));
        return;
      }
      const lines = sheet.lines(value);
      const labels = Math.max(...lines.map(([label]) => label.length));
      for (const [label, raw, paint] of lines) {
        const text = sanitizeLine(raw);
        if (mode !== "human") print(`${label}\t${text}`);
        else {
          const wrapped = wrapWords(text, width - labels - 2, measure).replaceAll("\n", `\n${" ".repeat(labels + 2)}`);
          print(`${style.dim(label.padEnd(labels))}  ${paint?.(wrapped, style) ?? wrapped}`);
        }
      }
    },

    /** Reports a change: a message on stderr, and for programs the id or JSON on stdout. */
    changed({ value, id, said }: Change): void {
      if (mode === "json") {
        printJson(fields === null ? value : shaped(value, fields));
        return;
      }
      if (mode !== "quiet") say(said);
      if (mode !== "human") print(sanitizeLine(id));
    },
  };
}

/** Returns `3 of 139 models. Next page: feather models list … --page 2`; undefined for responses without pages. */
function footer(noun: string, shown: number, answer: unknown, again: string): string | undefined {
  const { pagination } = answer as { pagination?: { current_page: number; total_pages: number; total_items: number } };
  if (pagination === undefined) return undefined;
  const { current_page: page, total_pages: pages, total_items: total } = pagination;
  const counted = `${count(shown)} of ${count(total)} ${noun}.`;
  if (page >= pages) return counted;
  return shown > 100 ? `${counted} All of them: ${again} --all` : `${counted} Next page: ${again} --page ${page + 1}`;
}
