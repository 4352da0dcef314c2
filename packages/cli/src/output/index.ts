import { UsageError } from "../errors.ts";
import type { Io, OutputFlags } from "./io.ts";
import { styleOf } from "./io.ts";
import { chosenFields, jsonText, pick } from "./json.ts";
import { sanitize, sanitizeLine } from "./sanitize.ts";
import { barbs, type Style } from "./style.ts";
import { type Column, plainLines, tableLines } from "./table.ts";
import { wrapWords } from "./wrap.ts";

/** A list to print. `fields` are the names that `--json` takes; `derived` computes those that rows do not have. */
export type Listing<Row extends object> = {
  readonly columns: readonly Column<Row>[];
  readonly fields: readonly string[];
  readonly derived?: (row: Row) => Record<string, unknown>;
  id(row: Row): string;
  /** Said on stderr when there are no rows. */
  readonly empty: string;
};

/** One thing to print: labels and values for people. */
export type Sheet<Value extends object> = {
  readonly fields: readonly string[];
  readonly derived?: (value: Value) => Record<string, unknown>;
  id(value: Value): string;
  lines(value: Value): readonly SheetLine[];
};

/** A label, the server's text as it came, and how to colour it. */
export type SheetLine = readonly [label: string, text: string, paint?: (text: string, style: Style) => string];

/** Results on stdout and words on stderr, in the form that flags and terminal ask for. */
export type Output = ReturnType<typeof createOutput>;

const NARROWEST = 20;

export function createOutput(io: Io, flags: OutputFlags) {
  if (flags.json !== undefined && flags.quiet) throw new UsageError("--json and --quiet exclude each other");
  const tty = io.stdout.isTTY === true;
  const style = styleOf(io.stdout, io, flags);
  const print = (text: string): void => void io.stdout.write(`${text}\n`);
  const say = (text: string): void => void io.stderr.write(`${sanitize(text)}\n`);
  const picked = <T extends object>(value: T, names: readonly string[], derived?: (value: T) => object) =>
    pick({ ...value, ...derived?.(value) }, names);

  return {
    tty,
    json: flags.json !== undefined,
    quiet: flags.quiet,
    style,
    width: Math.max(NARROWEST, io.stdout.columns ?? 80),
    barbs: (used: number, total: number) => barbs(used, total, io.env.unicode),

    /** A line of a result. Harmful characters are written out. */
    print: (text: string) => print(sanitize(text)),
    /** A result as JSON. */
    printJson: (value: unknown) => print(jsonText(value, tty)),
    /** A message for people, on stderr. */
    say,
    /** A message that only people at a terminal want. */
    hint: (text: string) => {
      if (tty && io.stderr.isTTY === true && flags.json === undefined && !flags.quiet) say(text);
    },

    /** Refuses unknown fields of `--json` before anything was asked of the server. */
    checkFields(known: readonly string[]): void {
      if (flags.json !== undefined) chosenFields(flags.json, known);
    },

    /** Prints a list; `answer` is the server's answer, for `--json` without fields. */
    list<Row extends object>(listing: Listing<Row>, rows: readonly Row[], answer: unknown): void {
      if (flags.json !== undefined) {
        const names = chosenFields(flags.json, listing.fields);
        const value = names === null ? answer : rows.map((row) => picked(row, names, listing.derived));
        print(jsonText(value, tty));
        return;
      }
      if (flags.quiet) for (const row of rows) print(sanitizeLine(listing.id(row)));
      else if (rows.length === 0) say(listing.empty);
      else if (tty) for (const line of tableLines(listing.columns, rows, style, this.width)) print(line);
      else for (const line of plainLines(listing.columns, rows)) print(line);
    },

    /** Prints one thing. */
    one<Value extends object>(sheet: Sheet<Value>, value: Value): void {
      if (flags.json !== undefined) {
        const names = chosenFields(flags.json, sheet.fields);
        print(jsonText(names === null ? value : picked(value, names, sheet.derived), tty));
        return;
      }
      if (flags.quiet) {
        print(sanitizeLine(sheet.id(value)));
        return;
      }
      const lines = sheet.lines(value);
      const width = Math.max(...lines.map(([label]) => label.length));
      for (const [label, raw, paint] of lines) {
        const text = sanitizeLine(raw);
        if (!tty) print(`${label}\t${text}`);
        else {
          const wrapped = wrapWords(text, this.width - width - 2).replaceAll("\n", `\n${" ".repeat(width + 2)}`);
          print(`${style.dim(label.padEnd(width))}  ${paint?.(wrapped, style) ?? wrapped}`);
        }
      }
    },
  };
}
