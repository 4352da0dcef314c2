import { formatCount } from "@feather/sdk/format";
import type { Page } from "../paging.ts";
import { formatCsv } from "./csv.ts";
import { createStreamStyle, type Io, type OutputStream } from "./io.ts";
import { formatJson, paintJson, parseFieldList, pickFields } from "./json.ts";
import { canRedraw, type LiveDisplayUi } from "./live-display.ts";
import { type Mode, type ModeFlags, resolveMode } from "./mode.ts";
import { formatPageCommand } from "./next-page.ts";
import { createProgress, NO_PROGRESS, type Progress } from "./progress.ts";
import { sanitize, sanitizeLine } from "./sanitize.ts";
import { drawBarbs, type Style } from "./style.ts";
import { type Column, formatPlainRows, formatTable } from "./table.ts";
import { createWaitLine, type WaitLine } from "./waits/wait-line.ts";
import { type MeasureWidth, measureAsciiWidth } from "./width.ts";
import { widthOf, wrapCommand, wrapWords } from "./wrap.ts";

/** How a list is printed. `derived` computes fields of `--json` that rows do not have. */
export type TableView<Row extends object> = {
  readonly columns: readonly Column<Row>[];
  readonly derived?: (row: Row) => Record<string, unknown>;
  id(row: Row): string;
  /** What rows are called, for the line below the table: `models`. */
  readonly noun: string;
  /** Message on stderr when there are no rows. */
  readonly empty: string;
};

/** How one object is printed: as labelled lines. */
export type DetailView<Value extends object> = {
  readonly derived?: (value: Value) => Record<string, unknown>;
  id(value: Value): string;
  lines(value: Value): readonly DetailLine[];
};

/** A label, the unescaped text, and how to colour it. */
export type DetailLine = readonly [label: string, text: string, paint?: (text: string, style: Style) => string];

/** Something that was created or changed. */
export type Change = {
  /** The server's response, for `--json`. */
  readonly value: object;
  readonly id: string;
  /** What happened, for stderr. */
  readonly message: string;
};

/** Something that was created or changed, with a secret that is not shown again. */
export type OneTimeSecret = Omit<Change, "id"> & { readonly secret: string };

/** Flags that decide the form of the output. */
export type OutputFlags = ModeFlags & { readonly color: boolean };

/** What the output needs to know about its command. */
export type OutputContext = {
  readonly now: () => Date;
  /** The words of the command line, for the hint to the next page. */
  readonly argv: readonly string[];
  /** Returns the width of a text; needed for terminals only. */
  readonly measure: MeasureWidth;
  /** The filter of `--jq`, or the template of `--template`. */
  readonly filter: ((value: unknown) => string) | undefined;
  /** Loads the code that draws on terminals. */
  readonly loadUi: () => Promise<LiveDisplayUi>;
};

/** Prints results on stdout and messages on stderr, in the mode that flags and terminal ask for. */
export type Output = ReturnType<typeof createOutput>;

/** Creates the output of one command. */
export function createOutput(io: Io, flags: OutputFlags, context: OutputContext) {
  const { now, argv, filter, measure, loadUi } = context;
  const tty = io.stdout.isTTY === true;
  const mode = resolveMode(flags, io.env, tty);
  const style = createStreamStyle(io.stdout, io, { color: flags.color && mode === "human" });
  // A program that reads a pipe cannot parse colours, whatever the environment asks for.
  const jsonStyle = createStreamStyle(io.stdout, io, { color: flags.color && tty });
  const width = widthOf(io.stdout);
  const waits = createWaits(io, flags, mode, context);
  const { print, info, writeBytes, messageWidth } = createWriters(io, waits, mode);
  const hint = mode === "human" && tty && io.stderr.isTTY === true ? info : () => {};
  const printJson = (value: unknown): void => {
    const text = filter === undefined ? paintJson(formatJson(value, tty), jsonStyle) : sanitize(filter(value));
    if (text !== "" || filter === undefined) print(text);
  };
  let fields: readonly string[] | null = null;
  const selectFields = <T extends object>(value: T, chosen: readonly string[], derived?: (value: T) => object) =>
    pickFields({ ...value, ...derived?.(value) }, chosen);

  return {
    mode,
    tty,
    /** Whether the result is JSON; `printJson` prints it. */
    json: mode === "json",
    quiet: mode === "quiet",
    style,
    /** Columns of the terminal; infinite when there is none. */
    width,
    barbs: (used: number, total: number) => drawBarbs(used, total, io.env.unicode),

    /** Prints a line of a result, with control characters escaped. */
    print: (text: string) => print(sanitize(text)),
    /** Prints a line unchanged: it has colours, and its texts are escaped already. */
    printStyled: print,
    writeBytes,
    /** Prints a result as JSON, after the filter of `--jq` or the template of `--template`. */
    printJson,
    /** Both print a message on stderr; `hint` for people at a terminal only. */
    info,
    hint: (text: string): void => hint(text),
    /** The line on stderr that names what the command waits for. */
    waits,
    /** Creates a progress display on stderr. Until it ends, the line of waits is not shown. */
    progress: (name: string): Progress =>
      withoutWaits(waits, mode, () => createProgress({ io, name, now, measure, loadUi })),

    /** Throws `UsageError` for unknown fields of `--json`; called before any request is sent. */
    checkFields(known: readonly string[]): void {
      fields = parseFieldList(flags.json ?? true, known);
    },

    /** Prints a list; `response` is the server's response, for `--json` without fields. */
    printList<Row extends object>(view: TableView<Row>, rows: readonly Row[], response: unknown): void {
      const { columns, id, derived } = view;
      if (mode === "json") {
        const chosen = fields;
        printJson(chosen === null ? response : rows.map((row) => selectFields(row, chosen, derived)));
        return;
      }
      if (mode === "quiet") for (const row of rows) print(sanitizeLine(id(row)));
      else if (rows.length === 0 && mode !== "csv") info(describeMissingPage(view.noun, response) ?? view.empty);
      else for (const line of formatRows(columns, rows, { mode, style, width, measure })) print(line);
      const more = formatFooter(view.noun, rows.length, response, { argv, messageWidth });
      if (more !== undefined && mode === "agent") info(more);
      else if (more !== undefined) hint(`\n${more}`);
    },

    /** Prints one object. */
    printDetails<Value extends object>(view: DetailView<Value>, value: Value): void {
      if (mode === "json") {
        printJson(fields === null ? value : selectFields(value, fields, view.derived));
        return;
      }
      if (mode === "quiet") print(sanitizeLine(view.id(value)));
      else for (const line of formatDetails(view.lines(value), { mode, style, width, measure })) print(line);
    },

    /**
     * Prints a secret that is shown only once: a message on stderr, and the secret alone on stdout, so that it can be
     * piped.
     */
    printSecret: (given: OneTimeSecret) => printSecret(given, mode, { print, info, printJson }),

    /** Reports a change: a message on stderr, and for programs the id or JSON on stdout. */
    printChange({ value, id, message }: Change): void {
      if (mode === "json") {
        printJson(fields === null ? value : selectFields(value, fields));
        return;
      }
      if (mode !== "quiet") info(message);
      if (mode !== "human") print(sanitizeLine(id));
    },
  };
}

type Printers = { print(text: string): void; info(text: string): void; printJson(value: unknown): void };

function printSecret(
  { value, secret, message }: OneTimeSecret,
  mode: Mode,
  { print, info, printJson }: Printers,
): void {
  if (mode === "json") {
    printJson(value);
    return;
  }
  if (mode !== "quiet") info(message);
  print(sanitizeLine(secret));
}

/** Creates the line of waits, in the form that suits stderr. */
function createWaits(io: Io, flags: OutputFlags, mode: Mode, { now, loadUi }: OutputContext): WaitLine {
  return createWaitLine({
    stream: io.stderr,
    stdin: io.stdin,
    now,
    loadUi,
    form: mode === "quiet" ? "none" : mode !== "agent" && canRedraw(io.stderr, io.env) ? "redrawn" : "written",
    style: createStreamStyle(io.stderr, io, flags),
  });
}

/**
 * Returns what writes a line of a result, and a message, which people get wrapped to `messageWidth`; the line of waits is
 * hidden before.
 */
function createWriters(io: Io, waits: WaitLine, mode: Mode) {
  const messageWidth = mode === "human" ? widthOf(io.stderr) : Number.POSITIVE_INFINITY;
  const write = (stream: OutputStream, text: string): void => {
    waits.hide();
    stream.write(`${text}\n`);
  };
  return {
    messageWidth,
    print: (text: string): void => write(io.stdout, text),
    /** Writes the next bytes of a file on stdout, which the command has made sure is no terminal. */
    writeBytes(bytes: Uint8Array): void {
      waits.hide();
      io.stdout.write(bytes);
    },
    info: (text: string): void => write(io.stderr, wrapWords(sanitize(text), messageWidth, measureAsciiWidth)),
  };
}

/** Creates a progress display. Until it ends, the line of waits is not shown. */
function withoutWaits(waits: WaitLine, mode: Mode, create: () => Progress): Progress {
  if (mode === "quiet") return NO_PROGRESS;
  const resumeWaits = waits.suspend();
  const progress = create();
  return {
    update: progress.update,
    end() {
      progress.end();
      resumeWaits();
    },
  };
}

type TextForm = { mode: Mode; style: Style; width: number; measure: MeasureWidth };

/** Returns the lines of a list as table, as CSV, or as tab-separated rows. */
function formatRows<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { mode, style, width, measure }: TextForm,
): readonly string[] {
  if (mode === "csv") return [formatCsv(columns, rows)];
  if (mode === "human") return formatTable(columns, rows, style, width, measure);
  return formatPlainRows(columns, rows, mode === "agent");
}

/** Returns the lines of one object: labels and texts, aligned and wrapped for people, separated by a tab otherwise. */
function formatDetails(lines: readonly DetailLine[], { mode, style, width, measure }: TextForm): string[] {
  const labelWidth = Math.max(...lines.map(([label]) => label.length));
  return lines.map(([label, raw, paint]) => {
    const text = sanitizeLine(raw);
    if (mode !== "human") return `${label}\t${text}`;
    const indent = `\n${" ".repeat(labelWidth + 2)}`;
    const wrapped = wrapWords(text, width - labelWidth - 2, measure).replaceAll("\n", indent);
    return `${style.dim(label.padEnd(labelWidth))}  ${paint?.(wrapped, style) ?? wrapped}`;
  });
}

/** Returns what a list says about its pages; undefined for responses without pages. */
const paginationOf = (response: unknown): Page<object>["pagination"] | undefined =>
  (response as Partial<Page<object>>).pagination;

/**
 * Returns `There are 139 models on 3 pages, and none on page 99.`; undefined if the list is empty for another reason.
 */
function describeMissingPage(noun: string, response: unknown): string | undefined {
  const { current_page: page, total_pages: pages, total_items: total } = paginationOf(response) ?? {};
  if (page === undefined || pages === undefined || !total || page <= pages) return undefined;
  return `There are ${formatCount(total)} ${noun} on ${pages} page${pages === 1 ? "" : "s"}, and none on page ${page}.`;
}

/**
 * Returns `3 of 139 models. Next page: feather models list --page 2`, the command on lines of its own where all of it is wider
 * than `messageWidth`; undefined for responses without pages or rows.
 */
function formatFooter(
  noun: string,
  shownCount: number,
  response: unknown,
  { argv, messageWidth }: { argv: readonly string[]; messageWidth: number },
): string | undefined {
  const pagination = paginationOf(response);
  if (pagination === undefined || shownCount === 0) return undefined;
  const { current_page: page, total_pages: pages, total_items: total } = pagination;
  const counted = `${formatCount(shownCount)} of ${formatCount(total)} ${noun}.`;
  if (page >= pages) return counted;
  const [label, flag] = shownCount > 100 ? ["All of them", "--all"] : ["Next page", `--page ${page + 1}`];
  const command = formatPageCommand(argv, flag);
  const line = `${counted} ${label}: ${command}`;
  if (measureAsciiWidth(line) <= messageWidth) return line;
  return `${counted} ${label}:\n  ${wrapCommand(command, messageWidth - 2, "    ")}`;
}
