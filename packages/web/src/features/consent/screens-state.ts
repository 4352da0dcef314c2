/** What of the consent screens is open. The banner shows while nothing was chosen and the dialog is closed. */
export type Screens = { dialog: "closed" | "summary" | "detailed" };

export type ScreensAction =
  /** Customize on the banner, or the floating button. */
  | { type: "open" }
  /** Customize in the dialog. */
  | { type: "details" }
  | { type: "back" }
  /** A choice was saved, or the dialog was left without one. */
  | { type: "close" };

const NEXT: Record<ScreensAction["type"], Screens["dialog"]> = {
  open: "summary",
  details: "detailed",
  back: "summary",
  close: "closed",
};

export function screensReducer(screens: Screens, { type }: ScreensAction): Screens {
  const isOpen = screens.dialog !== "closed";
  if ((type === "details" || type === "back") && !isOpen) return screens;
  return { dialog: NEXT[type] };
}

export const showsBanner = ({ dialog }: Screens, accepted: boolean): boolean => !accepted && dialog === "closed";

/** The floating button is out of the way of the banner, and of the page about cookies. Small screens don't show it. */
export const showsButton = (screens: Screens, accepted: boolean, path: string): boolean =>
  !showsBanner(screens, accepted) && path.replace(/\/+$/, "").toLowerCase() !== "/cookie-policy";
