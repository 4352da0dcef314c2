/** Which consent dialog is open. The banner is shown while nothing was chosen and the dialog is closed. */
export type ScreensState = { dialog: "closed" | "summary" | "detailed" };

/** What the visitor did. */
export type ScreensAction =
  /** Customize on the banner, or the floating button. */
  | { type: "open" }
  /** Customize in the dialog. */
  | { type: "details" }
  | { type: "back" }
  /** A choice was saved, or the dialog was dismissed. */
  | { type: "close" };

const NEXT_DIALOG: Record<ScreensAction["type"], ScreensState["dialog"]> = {
  open: "summary",
  details: "detailed",
  back: "summary",
  close: "closed",
};

/** Returns the state after an action. */
export function screensReducer(state: ScreensState, { type }: ScreensAction): ScreensState {
  const isOpen = state.dialog !== "closed";
  if ((type === "details" || type === "back") && !isOpen) return state;
  return { dialog: NEXT_DIALOG[type] };
}

/** Whether the banner is shown. */
export const showsBanner = ({ dialog }: ScreensState, accepted: boolean): boolean => !accepted && dialog === "closed";

/**
 * Whether the floating button is shown: not together with the banner, and not on the cookie policy. CSS hides it on
 * small screens.
 */
export const showsButton = (state: ScreensState, accepted: boolean, path: string): boolean =>
  !showsBanner(state, accepted) && path.replace(/\/+$/, "").toLowerCase() !== "/cookie-policy";
