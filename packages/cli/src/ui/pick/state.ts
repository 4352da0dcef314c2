/** The typed filter, and the index of the selected choice. */
export type PickState = { readonly typed: string; readonly at: number };
/** A key press in the list. */
export type PickAction =
  | { readonly type: "typed"; readonly text: string }
  | { readonly type: "erased" }
  | { readonly type: "moved"; readonly by: number };

/** The initial state. */
export const START: PickState = { typed: "", at: 0 };

/** Returns the choices whose label contains every typed word. */
export function fitting<T extends { readonly label: string }>(choices: readonly T[], typed: string): readonly T[] {
  const words = typed.toLowerCase().split(/\s+/);
  return choices.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
}

/** Returns the state after a key press; `count` is the number of matching choices. */
export function pickReducer(state: PickState, action: PickAction, count: number): PickState {
  switch (action.type) {
    case "typed":
      return { typed: state.typed + action.text, at: 0 };
    case "erased":
      return { typed: state.typed.slice(0, -1), at: 0 };
    case "moved":
      return { ...state, at: count === 0 ? 0 : (state.at + action.by + count) % count };
  }
}

/** Returns the visible range of a long list, which contains the selected index: its start and its exclusive end. */
export function shownPart(at: number, count: number, rows: number): readonly [number, number] {
  const first = Math.max(0, Math.min(at - Math.floor(rows / 2), count - rows));
  return [first, Math.min(count, first + rows)];
}
