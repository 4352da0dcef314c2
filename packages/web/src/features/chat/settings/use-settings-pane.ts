import { useState } from "react";
import { storage } from "#/lib/browser/storage.ts";

const STORAGE_KEY = "chat-settings-shown";
/** From this width on the settings fit next to the conversation. */
const WIDE_WINDOW = "(min-width: 1180px)";

/** Whether the settings pane is hidden on wide screens; hidden by default, and stored in this browser. */
export function useSettingsPane(openSheet: () => void) {
  const [isFolded, setFolded] = useState(() => storage.get(STORAGE_KEY) !== "yes");
  function store(next: boolean): void {
    setFolded(next);
    if (next) storage.remove(STORAGE_KEY);
    else storage.set(STORAGE_KEY, "yes");
  }
  return {
    isFolded,
    hide: () => store(true),
    /** Shows the pane on wide screens, and a sheet on others. */
    show: () => (window.matchMedia(WIDE_WINDOW).matches ? store(false) : openSheet()),
  };
}
