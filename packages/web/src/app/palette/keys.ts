import { t } from "@lingui/core/macro";

/** What a key does anywhere on the site. */
export type Wish = { wish: "palette" } | { wish: "help" } | { wish: "search" } | { wish: "go"; to: string };

/** G, then one of these. */
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

export const SEQUENCE = 1200;

export type Key = {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  /** Whether it goes into a field. */
  typing: boolean;
  /** When, in milliseconds. */
  at: number;
};

/** Reads keys one by one. Those that are a letter alone can be switched off, and never work while typing. */
export function createKeyReader() {
  let wentAt = Number.NEGATIVE_INFINITY;
  return ({ key, ctrlKey, metaKey, altKey, typing, at }: Key, singleKeys: boolean): Wish | null => {
    const pressed = key.toLowerCase();
    if ((ctrlKey || metaKey) && !altKey && pressed === "k") return { wish: "palette" };
    if (ctrlKey || metaKey || altKey || typing || !singleKeys) return null;
    const afterG = at - wentAt <= SEQUENCE;
    wentAt = Number.NEGATIVE_INFINITY;
    const place = afterG && Object.hasOwn(GO_KEYS, pressed) ? GO_KEYS[pressed] : undefined;
    if (place) return { wish: "go", to: place.to };
    if (pressed === "g") wentAt = at;
    if (key === "?") return { wish: "help" };
    return key === "/" ? { wish: "search" } : null;
  };
}

/** Fields that take no letters: keys pressed on them are for the page. */
const PRESSED = "[type=checkbox], [type=radio], [type=range], [type=file], [type=button], [type=submit], [type=reset]";
const FIELDS = `input:not(${PRESSED}), textarea, select, [contenteditable]:not([contenteditable=false]), [role=textbox]`;

export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(FIELDS) !== null;
}
