/** The typed filter, and the index of the selected choice. */
export type PickState = { readonly query: string; readonly selected: number };
/** A key press in the list. */
export type PickAction =
  | { readonly type: "typed"; readonly text: string }
  | { readonly type: "erased" }
  | { readonly type: "moved"; readonly by: number };

/** The initial state. */
export const INITIAL_STATE: PickState = { query: "", selected: 0 };

type Described = { readonly label: string; readonly note?: string; readonly group?: string };

/** Returns the choices that contain every typed word in label, note or group. */
export function filterChoices<T extends Described>(choices: readonly T[], query: string): readonly T[] {
  const words = query.toLowerCase().split(/\s+/);
  return choices.filter(({ label, note = "", group = "" }) => {
    const text = `${label} ${note} ${group}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Returns the state after a key press; `count` is the number of matching choices. */
export function pickReducer(state: PickState, action: PickAction, count: number): PickState {
  switch (action.type) {
    case "typed":
      return { query: state.query + action.text, selected: 0 };
    case "erased":
      return { query: state.query.slice(0, -1), selected: 0 };
    case "moved":
      return { ...state, selected: count === 0 ? 0 : (state.selected + action.by + count) % count };
  }
}

/** Returns the visible range of a long list, which contains the selected index: its start and its exclusive end. */
export function visibleRange(selected: number, count: number, rows: number): readonly [number, number] {
  const first = Math.max(0, Math.min(selected - Math.floor(rows / 2), count - rows));
  return [first, Math.min(count, first + rows)];
}
