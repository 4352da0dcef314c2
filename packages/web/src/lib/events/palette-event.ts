/** The event that opens the command palette. */
export const OPEN_PALETTE_EVENT = "feather-palette-wanted";

/** Opens the command palette from anywhere on the site. */
export const openPalette = (): void => void globalThis.dispatchEvent(new Event(OPEN_PALETTE_EVENT));
