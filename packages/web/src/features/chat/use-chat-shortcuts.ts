import { useEffect, useRef } from "react";

type ShortcutHandlers = { busy: boolean; stop(): void; startChat(): void };

const isDialogOpen = (): boolean => document.querySelector("[role=dialog], [role=alertdialog], [role=menu]") !== null;

/** Keyboard shortcuts: Escape stops an answer; ⌘J or Ctrl+J starts a new chat. */
export function useChatShortcuts(handlers: ShortcutHandlers): void {
  const latest = useRef(handlers);
  latest.current = handlers;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isDialogOpen()) return;
      if (event.key === "Escape" && latest.current.busy) latest.current.stop();
      if (event.key.toLowerCase() !== "j" || !(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      latest.current.startChat();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
}
