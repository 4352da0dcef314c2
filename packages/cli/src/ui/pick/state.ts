/** Choices of a list, narrowed down by what is typed, one of them marked. */
export type PickState = { readonly typed: string; readonly at: number };
export type PickAction =
  | { readonly type: "typed"; readonly text: string }
  | { readonly type: "erased" }
  | { readonly type: "moved"; readonly by: number };

export const START: PickState = { typed: "", at: 0 };

/** Those that hold every word that was typed. */
export function fitting<T extends { readonly label: string }>(choices: readonly T[], typed: string): readonly T[] {
  const words = typed.toLowerCase().split(/\s+/);
  return choices.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
}

/** The state after a key; `count` is how many choices fit. */
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

/** Which part of a long list is shown, so that the marked one is in it: its first and the one after its last. */
export function shownPart(at: number, count: number, rows: number): readonly [number, number] {
  const first = Math.max(0, Math.min(at - Math.floor(rows / 2), count - rows));
  return [first, Math.min(count, first + rows)];
}
