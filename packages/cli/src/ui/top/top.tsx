import { Box, type Key, Text, useApp, useInput, useWindowSize } from "ink";
import { useReducer } from "react";
import stringWidth from "string-width";
import type { Style } from "../../output/style.ts";
import { stripControlCharacters } from "../line/keys.ts";
import { useTime } from "../use-time.ts";
import type { TopData } from "./data-state.ts";
import type { Pane } from "./pane.ts";
import { createErrorsPane, createRequestsPane } from "./request-panes.ts";
import { createBackendsPane, createDeploymentsPane, createDownloadsPane, createModelsPane } from "./resource-panes.ts";
import { currentPane, formatScreen, subjectId, visibleIds } from "./screen.ts";
import { type TopDataOptions, useTopData } from "./use-top-data.ts";
import { INITIAL_VIEW, nextPane, type ViewAction, type ViewState, viewReducer } from "./view-state.ts";

/** Props of `Top`. */
export type TopProps = Omit<TopDataOptions, "onFatal"> & {
  readonly style: Style;
  /** The server's name. */
  readonly host: string;
  readonly siteUrl: string;
  /** Opens an address in the browser; false when there is none. */
  openUrl(address: string): Promise<boolean>;
  /** Stops the program until a shell continues it. */
  stopProcess(): Promise<void>;
};

/** Rows that a page key moves by. */
const PAGE_ROWS = 10;

/** The screen of `feather top`: units, and panes of requests, models, deployments and errors. */
export function Top(props: TopProps) {
  const { source, style, host, siteUrl, now, explain } = props;
  const { exit, suspendTerminal } = useApp();
  const { columns, rows } = useWindowSize();
  const data = useTopData({ ...props, onFatal: (error) => exit(error instanceof Error ? error : undefined) });
  const time = useTime(now);
  const [view, dispatch] = useReducer(viewReducer, INITIAL_VIEW);
  const panes = createPanes(data, { now: time, unicode: style.unicode, siteUrl, source });

  /** Stops the selected item, and reports how that went. */
  async function stopSelected(pane: Pane): Promise<void> {
    const id = subjectId(pane, view);
    const stop = id === undefined ? null : pane.stop(id);
    if (stop === null) return;
    dispatch({ type: "noticed", notice: { text: "Waiting for the server", isError: false } });
    try {
      dispatch({ type: "noticed", notice: { text: await stop.run(), isError: false } });
    } catch (error) {
      dispatch({ type: "noticed", notice: { text: explain(error), isError: true } });
    }
  }

  /** Opens the page of the selected item, or shows its address. */
  async function openSelected(pane: Pane): Promise<void> {
    const id = subjectId(pane, view);
    const address = id === undefined ? null : pane.page(id);
    if (address === null) return;
    const opened = await props.openUrl(address);
    dispatch({ type: "noticed", notice: { text: opened ? `Opened ${address}` : address, isError: false } });
  }

  useInput((input, key) => {
    if (key.ctrl && (input === "c" || input === "d")) return exit();
    if (key.ctrl && input === "z") return void suspendTerminal(props.stopProcess);
    const pane = currentPane(panes, view);
    if (pane === undefined) return;
    if (view.mode === "confirm") {
      if (input === "y" || input === "Y") return void stopSelected(pane);
      return dispatch({ type: "closed" });
    }
    if (view.mode === "filter") return typeFilter(input, key, dispatch);
    if (input === "q" || (key.escape && view.mode === "list" && view.filter === "")) return exit();
    if (input === "o") return void openSelected(pane);
    const action = toViewAction(input, key, view, pane, panes);
    if (action !== null) dispatch(action);
  });

  const lines = formatScreen({ data, view, panes, host, now: time, columns, rows, style, measure: stringWidth });
  return (
    <Box flexDirection="column">
      {lines.slice(0, Math.max(1, rows - 1)).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is where it stands on the screen
        <Text key={index} wrap="truncate">
          {line === "" ? " " : line}
        </Text>
      ))}
    </Box>
  );
}

/** Returns the panes for which there is data: those of admins only where it can be loaded. */
function createPanes(
  data: TopData,
  options: Pick<TopProps, "source" | "siteUrl"> & { readonly now: Date; readonly unicode: boolean },
): readonly Pane[] {
  const { load } = options.source;
  return [
    createRequestsPane(data, options),
    createModelsPane(data, options),
    createDeploymentsPane(data, options),
    createErrorsPane(data, options),
    ...(load.backends === undefined ? [] : [createBackendsPane(data, options)]),
    ...(load.downloads === undefined ? [] : [createDownloadsPane(data, options)]),
  ];
}

function typeFilter(input: string, key: Key, dispatch: (action: ViewAction) => void): void {
  if (key.escape) dispatch({ type: "cleared" });
  else if (key.return) dispatch({ type: "closed" });
  else if (key.backspace || key.delete) dispatch({ type: "erased" });
  else if (!key.ctrl && !key.meta) {
    const text = stripControlCharacters(input).replace(/[\t\n]/g, " ");
    if (text.trim() !== "" || text === " ") dispatch({ type: "typed", text });
  }
}

/** Returns what a key does in the list or the details; null for keys that do nothing there. */
function toViewAction(input: string, key: Key, view: ViewState, pane: Pane, panes: readonly Pane[]): ViewAction | null {
  const ids = visibleIds(pane, view);
  const paneIds = panes.map(({ id }) => id);
  const numbered = paneIds[Number(input) - 1];
  if (key.tab) return { type: "switched", pane: nextPane(view.pane, paneIds, key.shift ? -1 : 1) };
  if (numbered !== undefined) return { type: "switched", pane: numbered };
  if (key.escape) return view.mode === "details" ? { type: "closed" } : { type: "cleared" };
  const id = subjectId(pane, view);
  if (input === "x") return id !== undefined && pane.stop(id) !== null ? { type: "confirming", id } : null;
  if (view.mode === "details") return key.return ? { type: "closed" } : null;
  if (input === "/") return { type: "filtering" };
  if (key.return) return id === undefined ? null : { type: "opened", id };
  const by = toMovement(input, key);
  return by === 0 ? null : { type: "moved", by, ids };
}

function toMovement(input: string, key: Key): number {
  if (key.upArrow || input === "k") return -1;
  if (key.downArrow || input === "j") return 1;
  if (key.pageUp) return -PAGE_ROWS;
  if (key.pageDown) return PAGE_ROWS;
  if (key.home) return Number.NEGATIVE_INFINITY;
  return key.end ? Number.POSITIVE_INFINITY : 0;
}
