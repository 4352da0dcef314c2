import { useState } from "react";
import { storage } from "#/lib/storage.ts";

const KEY = "chat-settings-folded";
/** The window from which on the settings have room beside the talk. */
const ROOMY = "(min-width: 1180px)";

/** Whether the settings of the chat are folded away where they have room; kept in this browser. */
export function useFoldedSettings(openSheet: () => void) {
  const [folded, setFolded] = useState(() => storage.get(KEY) === "yes");
  function keep(next: boolean): void {
    setFolded(next);
    if (next) storage.set(KEY, "yes");
    else storage.remove(KEY);
  }
  return {
    folded,
    fold: () => keep(true),
    /** Beside the talk where there is room, over it elsewhere. */
    unfold: () => (window.matchMedia(ROOMY).matches ? keep(false) : openSheet()),
  };
}
