/** The label of the modifier key for shortcuts on this platform. */
export const MODIFIER = /mac|iphone|ipad/i.test(navigator.platform) ? "⌘" : "Ctrl";
