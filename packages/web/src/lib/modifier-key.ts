/** The label of the modifier key for shortcuts on this platform. */
export const MODIFIER_KEY = /mac|iphone|ipad/i.test(navigator.platform) ? "⌘" : "Ctrl";
