/** The key that commands are given with on this machine. */
export const MODIFIER = /mac|iphone|ipad/i.test(navigator.platform) ? "⌘" : "Ctrl";
