import { useEffect, useRef } from "react";

type Keys = { busy: boolean; stop(): void; begin(): void };

const inDialog = (): boolean => document.querySelector("[role=dialog], [role=alertdialog], [role=menu]") !== null;

/** Keyboard shortcuts: Escape stops an answer; ⌘J or Ctrl+J starts a new chat. */
export function useChatKeys(keys: Keys): void {
  const now = useRef(keys);
  now.current = keys;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || inDialog()) return;
      if (event.key === "Escape" && now.current.busy) now.current.stop();
      if (event.key.toLowerCase() !== "j" || !(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      now.current.begin();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
}
