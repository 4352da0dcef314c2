/** What the page hears when somebody presses a button for the palette. */
export const PALETTE_WANTED = "feather-palette-wanted";

export const openPalette = (): void => void globalThis.dispatchEvent(new Event(PALETTE_WANTED));
