/** The event that opens the command palette. */
export const PALETTE_WANTED = "feather-palette-wanted";

/** Opens the command palette from anywhere on the site. */
export const openPalette = (): void => void globalThis.dispatchEvent(new Event(PALETTE_WANTED));
