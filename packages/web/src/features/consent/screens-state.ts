/** Which consent dialog is open. The banner is shown while nothing was chosen and the dialog is closed. */
export type Screens = { dialog: "closed" | "summary" | "detailed" };

/** What the visitor did. */
export type ScreensAction =
  /** Customize on the banner, or the floating button. */
  | { type: "open" }
  /** Customize in the dialog. */
  | { type: "details" }
  | { type: "back" }
  /** A choice was saved, or the dialog was dismissed. */
  | { type: "close" };

const NEXT: Record<ScreensAction["type"], Screens["dialog"]> = {
  open: "summary",
  details: "detailed",
  back: "summary",
  close: "closed",
};

/** Returns the state after an action. */
export function screensReducer(screens: Screens, { type }: ScreensAction): Screens {
  const isOpen = screens.dialog !== "closed";
  if ((type === "details" || type === "back") && !isOpen) return screens;
  return { dialog: NEXT[type] };
}

/** Whether the banner is shown. */
export const showsBanner = ({ dialog }: Screens, accepted: boolean): boolean => !accepted && dialog === "closed";

/**
 * Whether the floating button is shown: not beside the banner, nor on the cookie policy. CSS hides it on small screens.
 */
export const showsButton = (screens: Screens, accepted: boolean, path: string): boolean =>
  !showsBanner(screens, accepted) && path.replace(/\/+$/, "").toLowerCase() !== "/cookie-policy";
