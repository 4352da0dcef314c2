import { t } from "@lingui/core/macro";

/** What a shortcut does. */
export type Shortcut = { type: "palette" } | { type: "help" } | { type: "search" } | { type: "go"; to: string };

/** Targets of the shortcut G followed by a letter. */
export const GO_KEYS: Readonly<Record<string, { to: string; label: string }>> = {
  h: { to: "/", label: t`Home` },
  m: { to: "/models", label: t`Models` },
  c: { to: "/chat", label: t`Chat` },
  d: { to: "/docs/quickstart", label: t`Docs` },
  s: { to: "/status", label: t`Status` },
  k: { to: "/account/api-keys", label: t`API keys` },
  u: { to: "/account/usage", label: t`Usage` },
  a: { to: "/account", label: t`Account` },
};

/** How long after G the second key counts, in milliseconds. */
export const SEQUENCE_TIMEOUT_MS = 1200;

/** A key press, with what decides whether it is a shortcut. */
export type KeyPress = {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  /** Whether the key belongs to something that takes text, see `takesKeys` in `lib/browser/typing.ts`. */
  typing: boolean;
  /** When the key was pressed, in milliseconds. */
  at: number;
};

/**
 * Returns a function that maps key presses to shortcuts. Single-key ones can be switched off and are ignored while
 * typing.
 */
export function createShortcutReader() {
  let sequenceStartedAt = Number.NEGATIVE_INFINITY;
  return ({ key, ctrlKey, metaKey, altKey, typing, at }: KeyPress, singleKeys: boolean): Shortcut | null => {
    const pressed = key.toLowerCase();
    if ((ctrlKey || metaKey) && !altKey && pressed === "k") return { type: "palette" };
    if (typing) sequenceStartedAt = Number.NEGATIVE_INFINITY;
    if (ctrlKey || metaKey || altKey || typing || !singleKeys) return null;
    const isInSequence = at - sequenceStartedAt <= SEQUENCE_TIMEOUT_MS;
    sequenceStartedAt = Number.NEGATIVE_INFINITY;
    const target = isInSequence && Object.hasOwn(GO_KEYS, pressed) ? GO_KEYS[pressed] : undefined;
    if (target) return { type: "go", to: target.to };
    if (pressed === "g") sequenceStartedAt = at;
    if (key === "?") return { type: "help" };
    return key === "/" ? { type: "search" } : null;
  };
}
