import { useState } from "react";
import { storage } from "#/lib/storage.ts";

const KEY = "chat-settings-folded";
/** From this width on the settings fit beside the conversation. */
const ROOMY = "(min-width: 1180px)";

/** Whether the settings pane is hidden on wide screens; stored in this browser. */
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
    /** Shows the pane on wide screens, and a sheet on others. */
    unfold: () => (window.matchMedia(ROOMY).matches ? keep(false) : openSheet()),
  };
}
