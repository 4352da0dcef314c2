import { formatCount } from "@feather/sdk/format";
import { sanitizeLine } from "../../output/sanitize.ts";
import type { Style } from "../../output/style.ts";
import { formatDuration } from "../../output/time.ts";
import type { MeasureWidth } from "../../output/width.ts";
import { wrapWords } from "../../output/wrap.ts";
import { countUnits } from "../../views/live-usage.ts";
import { visibleRange } from "../pick/pick-state.ts";
import type { TopData } from "./data-state.ts";
import { formatLanes } from "./lanes.ts";
import { formatDetails, type Pane, type StopAction } from "./pane.ts";
import { matchesFilter, type PaneId, selectedIndex, type ViewState } from "./view-state.ts";

/** What the screen is drawn from. */
export type ScreenOptions = {
  readonly data: TopData;
  readonly view: ViewState;
  readonly panes: readonly Pane[];
  /** The server's name, for the first line. */
  readonly host: string;
  readonly now: Date;
  readonly columns: number;
  readonly rows: number;
  readonly style: Style;
  readonly measure: MeasureWidth;
};

/** Rows that are not lanes or rows of the table: the first line, two empty ones, the panes' names, a header, a note, and the keys. */
const OTHER_ROWS = 7;
/** Between the panes' names. */
const GAP = "  ";

/**
 * Returns the lines of the screen, one fewer than it has rows, with the keys in the last one:
 *
 *     feather.example  2 of 4 units in use
 *     1 ▰▰▰▰▰▰▰▰  Qwen/Qwen3-32B  12 s
 *     2 ▰▰▰▰▰▰▰▰  Qwen/Qwen3-32B
 *     3 ▱▱▱▱▱▱▱▱
 *     4 ▱▱▱▱▱▱▱▱
 *
 *     1 Requests 1  2 Models 139  3 Deployments 2  4 Errors 0
 *       MODEL           STATE    UNITS   FOR
 *     › Qwen/Qwen3-32B  running      2  12 s
 *
 *     q leaves · / filter · Tab 1-4 panes · ↑↓ select · Enter details · o page
 */
export function formatScreen(options: ScreenOptions): readonly string[] {
  const { data, now, rows, style } = options;
  // Units and the table share the screen.
  const laneRows = Math.max(1, Math.floor((rows - OTHER_ROWS) / 2));
  const lanes = formatLanes(data.lanes, data.usage.requests, now, laneRows, style);
  const top = [formatHead(options), ...lanes, "", formatPaneNames(options)];
  const foot = formatFoot(options);
  const bodyRows = Math.max(1, rows - top.length - 2 - foot.length);
  const body = formatBody(options, bodyRows);
  const padding = Array.from({ length: bodyRows - body.length }, () => "");
  return [...top, ...body, ...padding, "", ...foot];
}

/** Returns the pane that is chosen. */
export function currentPane(panes: readonly Pane[], view: ViewState): Pane | undefined {
  return panes.find(({ id }) => id === view.pane);
}

/** Returns the ids of the rows that match the filter. */
export function visibleIds(pane: Pane, { filter }: ViewState): readonly string[] {
  return pane.rows.filter(({ text }) => matchesFilter(text, filter)).map(({ id }) => id);
}

/** Returns the id of the row that keys are about: that of the details or the question, or the selected one; undefined without rows. */
export function subjectId(pane: Pane, view: ViewState): string | undefined {
  if (view.subject !== null) return view.subject;
  const ids = visibleIds(pane, view);
  return ids[selectedIndex(view, ids)];
}

function formatHead({ data, host, now, style }: ScreenOptions): string {
  const head = `${style.bold(sanitizeLine(host))}  ${countUnits(data.usage.limit, data.usage.used_cost)}`;
  if (data.disconnectedAt === null) return head;
  const elapsed = formatDuration(now.getTime() - data.disconnectedAt.getTime());
  return `${head}  ${style.amber(`no connection for ${elapsed}; trying again`)}`;
}

/** Returns the names of the panes with the number of their rows, and less of those that are not chosen where that is too wide. */
function formatPaneNames({ panes, view, style, columns, measure }: ScreenOptions): string {
  const mark = (name: string, id: PaneId): string => {
    if (id !== view.pane) return style.dim(name);
    return style.color ? style.bold(name) : `[${name}]`;
  };
  const full = panes.map(({ title, count }, index) => {
    return `${index + 1} ${title}${count === null ? "" : ` ${formatCount(count)}`}`;
  });
  const chosen = panes.findIndex(({ id }) => id === view.pane);
  const titles = panes.map(({ title }, index) => `${index + 1} ${title}`).with(chosen, full[chosen] ?? "");
  const numbers = panes.map((_, index) => String(index + 1)).with(chosen, full[chosen] ?? "");
  const names = [full, titles].find((texts) => measure(texts.join(GAP)) + 2 <= columns) ?? numbers;
  return panes.map(({ id }, index) => mark(names[index] ?? "", id)).join(GAP);
}

function formatBody(options: ScreenOptions, rows: number): readonly string[] {
  const { panes, view, style } = options;
  const pane = currentPane(panes, view);
  if (pane === undefined) return [];
  const id = subjectId(pane, view);
  if (view.mode === "details" && id !== undefined) return formatDetailsOf(pane, id, style).slice(0, rows);
  const notes = [
    ...(pane.error === null ? [] : [style.red(`These could not be loaded: ${sanitizeLine(pane.error)}`)]),
    ...(pane.note === null ? [] : [style.amber(pane.note)]),
  ];
  return [...formatTableRows(options, pane, Math.max(2, rows - notes.length)), ...notes].slice(0, rows);
}

function formatDetailsOf(pane: Pane, id: string, style: Style): readonly string[] {
  const lines = formatDetails(pane.details(id), style);
  return lines.length === 0 ? ["This is no longer there."] : lines;
}

/** Returns the header of the table and the rows around the selected one, which has a mark. */
function formatTableRows(
  { view, style, columns, measure }: ScreenOptions,
  pane: Pane,
  rows: number,
): readonly string[] {
  const ids = visibleIds(pane, view);
  if (ids.length === 0) {
    if (pane.count === null) return pane.error === null ? ["Loading"] : [];
    return [pane.rows.length === 0 ? pane.empty : `Nothing here matches ${view.filter}.`];
  }
  const selected = selectedIndex(view, ids);
  const [first, end] = visibleRange(selected, ids.length, rows - 1);
  const [header = "", ...lines] = pane.format(ids.slice(first, end), style, columns - 2, measure);
  const mark = style.unicode ? "› " : "> ";
  return [
    `  ${header}`,
    ...lines.map((line, index) => `${first + index === selected ? style.accent(mark) : "  "}${line}`),
  ];
}

/**
 * Returns the last lines: a question or a message in full, the filter that is being typed, or the keys that can be
 * pressed.
 */
function formatFoot(options: ScreenOptions): readonly string[] {
  const { panes, view, style, columns, measure } = options;
  const wrap = (text: string) => wrapWords(sanitizeLine(text), columns, measure).split("\n");
  const pane = currentPane(panes, view);
  const id = pane === undefined ? undefined : subjectId(pane, view);
  const stop = pane === undefined || id === undefined ? null : pane.stop(id);
  if (view.mode === "confirm" && stop !== null) return wrap(`${stop.question} (y/N)`).map(style.bold);
  if (view.mode === "filter") return [`/${sanitizeLine(view.filter)}${style.unicode ? "▌" : "_"}`];
  if (view.notice !== null) return wrap(view.notice.text).map(view.notice.isError ? style.red : (line) => line);
  return [style.dim(formatKeys(options, id !== undefined, stop))];
}

/** Returns the keys that do something, as many as fit the screen. */
function formatKeys(
  { panes, view, style, columns, measure }: ScreenOptions,
  hasRow: boolean,
  stop: StopAction | null,
): string {
  const stopKey = stop === null ? [] : [`x ${stop.label}`];
  const filterKeys = view.filter === "" ? ["/ filter"] : [`/ ${sanitizeLine(view.filter)}`, "Esc shows all"];
  const rowKeys = hasRow ? [style.unicode ? "↑↓ select" : "up, down select", "Enter details", "o page"] : [];
  const keys =
    view.mode === "details"
      ? ["Esc back", ...stopKey, "o page", "q leaves"]
      : ["q leaves", ...stopKey, ...filterKeys, `Tab 1-${panes.length} panes`, ...rowKeys];
  const dot = style.unicode ? " · " : " | ";
  const [first = "", ...rest] = keys;
  return rest.reduce((line, key) => (measure(line + dot + key) < columns ? line + dot + key : line), first);
}
