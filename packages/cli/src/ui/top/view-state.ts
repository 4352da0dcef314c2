/** The parts of the screen that can be chosen, in order. */
export const PANE_IDS = ["requests", "models", "deployments", "errors", "backends", "downloads"] as const;
/** A part of the screen that can be chosen. */
export type PaneId = (typeof PANE_IDS)[number];

/** A message at the bottom of the screen. */
export type Notice = { readonly text: string; readonly isError: boolean };

/** What the person chose and typed. */
export type ViewState = {
  readonly pane: PaneId;
  /** The id of the selected row of each pane. */
  readonly selected: Readonly<Partial<Record<PaneId, string>>>;
  /** Only rows with these words are shown. */
  readonly filter: string;
  readonly mode: "list" | "filter" | "details" | "confirm";
  /**
   * The id of the row that the details or the question are about; later loads do not change it. Null in the other
   * modes.
   */
  readonly subject: string | null;
  readonly notice: Notice | null;
};

/** A key press, with the ids of the visible rows where it is about them. */
export type ViewAction =
  | { readonly type: "switched"; readonly pane: PaneId }
  | { readonly type: "moved"; readonly by: number; readonly ids: readonly string[] }
  | { readonly type: "opened"; readonly id: string }
  | { readonly type: "closed" }
  | { readonly type: "filtering" }
  | { readonly type: "typed"; readonly text: string }
  | { readonly type: "erased" }
  | { readonly type: "cleared" }
  | { readonly type: "confirming"; readonly id: string }
  | { readonly type: "noticed"; readonly notice: Notice | null };

/** The initial state. */
export const INITIAL_VIEW: ViewState = {
  pane: "requests",
  selected: {},
  filter: "",
  mode: "list",
  subject: null,
  notice: null,
};

const MAX_FILTER_LENGTH = 100;
/** What the state has while the rows are listed. */
const LIST = { mode: "list", subject: null, notice: null } as const;

/** Returns the state after a key press. */
export function viewReducer(state: ViewState, action: ViewAction): ViewState {
  switch (action.type) {
    case "switched":
      return { ...state, pane: action.pane, ...LIST };
    case "moved":
      return { ...state, selected: moveSelection(state, action.by, action.ids), notice: null };
    case "opened":
      return { ...selectRow(state, action.id), mode: "details" };
    case "closed":
      return { ...state, ...LIST };
    case "filtering":
      return { ...state, ...LIST, mode: "filter" };
    case "typed":
      return { ...state, filter: (state.filter + action.text).slice(0, MAX_FILTER_LENGTH) };
    case "erased":
      return { ...state, filter: [...state.filter].slice(0, -1).join("") };
    case "cleared":
      return { ...state, ...LIST, filter: "" };
    case "confirming":
      return { ...selectRow(state, action.id), mode: "confirm" };
    case "noticed":
      return state.mode === "confirm"
        ? { ...state, ...LIST, notice: action.notice }
        : { ...state, notice: action.notice };
  }
}

/** Returns the index of the selected row; that of the first one when the selected one is gone, and 0 without rows. */
export function selectedIndex({ pane, selected }: ViewState, ids: readonly string[]): number {
  return Math.max(0, ids.indexOf(selected[pane] ?? ""));
}

/** Returns the pane before or after, round and round. */
export function nextPane(pane: PaneId, panes: readonly PaneId[], by: number): PaneId {
  return panes[(panes.indexOf(pane) + by + panes.length) % panes.length] ?? pane;
}

/** Returns whether a text has every word of a filter. */
export function matchesFilter(text: string, filter: string): boolean {
  const lower = text.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}

function selectRow(state: ViewState, id: string): ViewState {
  return { ...state, selected: { ...state.selected, [state.pane]: id }, subject: id, notice: null };
}

function moveSelection(state: ViewState, by: number, ids: readonly string[]): ViewState["selected"] {
  const index = Math.max(0, Math.min(ids.length - 1, selectedIndex(state, ids) + by));
  const id = ids[index];
  return id === undefined ? state.selected : { ...state.selected, [state.pane]: id };
}
