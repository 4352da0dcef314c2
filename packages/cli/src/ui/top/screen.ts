import { formatUnits } from "../../commands/usage/live.ts";
import { formatCount } from "../../output/format.ts";
import { sanitizeLine } from "../../output/sanitize.ts";
import type { Style } from "../../output/style.ts";
import { formatDuration } from "../../output/time.ts";
import type { MeasureWidth } from "../../output/width.ts";
import { visibleRange } from "../pick/pick-state.ts";
import type { TopData } from "./data-state.ts";
import { formatLanes } from "./lanes.ts";
import { formatDetails, type Pane } from "./pane.ts";
import { matchesFilter, selectedIndex, type ViewState } from "./view-state.ts";

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
const MIN_TABLE_ROWS = 3;

/**
 * Returns the lines of the screen, fewer than it has rows:
 *
 *     feather.example  ▰▰▱▱ 2 of 4 units in use
 *     1 ▰▰▰▰▰▰▰▰  Qwen/Qwen3-32B  12 s
 *     2 ▰▰▰▰▰▰▰▰  Qwen/Qwen3-32B
 *     3 ▱▱▱▱▱▱▱▱
 *     4 ▱▱▱▱▱▱▱▱
 *
 *     1 Requests 1   2 Models 139   3 Deployments 2   4 Errors 0
 *       MODEL           STATE    UNITS   FOR
 *     › Qwen/Qwen3-32B  running      2  12 s
 *
 *     q leaves · Tab 1-4 panes · ↑↓ select · Enter details · / filter
 */
export function formatScreen(options: ScreenOptions): readonly string[] {
  const { data, view, panes, now, rows, style } = options;
  const laneRows = Math.max(1, Math.min(data.lanes.length, rows - OTHER_ROWS - MIN_TABLE_ROWS));
  const lanes = formatLanes(data.lanes, data.usage.requests, now, laneRows, style);
  const top = [formatHead(options), ...lanes, "", formatPaneNames(panes, view, style)];
  const bodyRows = Math.max(1, rows - top.length - 3);
  const body = formatBody(options, bodyRows);
  return [...top, ...body, "", formatFoot(options)];
}

/** Returns the pane that is chosen. */
export function currentPane(panes: readonly Pane[], view: ViewState): Pane | undefined {
  return panes.find(({ id }) => id === view.pane);
}

/** Returns the ids of the rows that match the filter. */
export function visibleIds(pane: Pane, { filter }: ViewState): readonly string[] {
  return pane.rows.filter(({ text }) => matchesFilter(text, filter)).map(({ id }) => id);
}

/** Returns the id of the selected row; undefined without rows. */
export function selectedId(pane: Pane, view: ViewState): string | undefined {
  const ids = visibleIds(pane, view);
  return ids[selectedIndex(view, ids)];
}

function formatHead({ data, host, now, style }: ScreenOptions): string {
  const head = `${style.bold(sanitizeLine(host))}  ${formatUnits(data.usage, style.unicode)}`;
  if (data.disconnectedAt === null) return head;
  const elapsed = formatDuration(now.getTime() - data.disconnectedAt.getTime());
  return `${head}  ${style.amber(`no connection for ${elapsed}; nothing here is new, and the server is tried again`)}`;
}

function formatPaneNames(panes: readonly Pane[], { pane }: ViewState, style: Style): string {
  return panes
    .map(({ id, title, count }, index) => {
      const name = `${index + 1} ${title}${count === null ? "" : ` ${formatCount(count)}`}`;
      if (id !== pane) return style.dim(name);
      return style.color ? style.bold(name) : `[${name}]`;
    })
    .join("   ");
}

function formatBody(options: ScreenOptions, rows: number): readonly string[] {
  const { panes, view, style } = options;
  const pane = currentPane(panes, view);
  if (pane === undefined) return [];
  const id = selectedId(pane, view);
  if (view.mode === "details" && id !== undefined) return formatDetails(pane.details(id), style).slice(0, rows);
  const notes = [
    ...(pane.error === null ? [] : [style.red(`These could not be loaded: ${sanitizeLine(pane.error)}`)]),
    ...(pane.note === null ? [] : [style.amber(pane.note)]),
  ];
  return [...formatTableRows(options, pane, Math.max(2, rows - notes.length)), ...notes].slice(0, rows);
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

/** Returns the last line: a question, what is typed as a filter, a message, or the keys that do something. */
function formatFoot({ panes, view, style }: ScreenOptions): string {
  const pane = currentPane(panes, view);
  const id = pane === undefined ? undefined : selectedId(pane, view);
  const stop = pane === undefined || id === undefined ? null : pane.stop(id);
  const dot = style.unicode ? " · " : " | ";
  if (view.mode === "confirm" && stop !== null) return style.bold(`${sanitizeLine(stop.question)} (y/N)`);
  if (view.mode === "filter") return `/${sanitizeLine(view.filter)}${style.unicode ? "▌" : "_"}`;
  if (view.notice !== null) {
    const text = sanitizeLine(view.notice.text);
    return view.notice.isError ? style.red(text) : text;
  }
  const keys =
    view.mode === "details"
      ? ["Esc back", ...(stop === null ? [] : [`x ${stop.label}`]), "q leaves"]
      : [
          "q leaves",
          `Tab 1-${panes.length} panes`,
          ...(id === undefined ? [] : [style.unicode ? "↑↓ select" : "up, down select", "Enter details"]),
          view.filter === "" ? "/ filter" : `/ filter: ${sanitizeLine(view.filter)}, Esc shows all`,
          ...(stop === null ? [] : [`x ${stop.label}`]),
        ];
  return style.dim(keys.join(dot));
}
