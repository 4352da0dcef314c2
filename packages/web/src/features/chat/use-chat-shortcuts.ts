import { type RefObject, useEffect, useRef } from "react";
import { isPopupOpen, isTyping } from "#/lib/browser/typing.ts";

type ShortcutHandlers = { busy: boolean; stop(): void; startChat(): void };

/** Keyboard shortcuts: Escape stops an answer; ⌘J or Ctrl+J starts a new chat. */
export function useChatShortcuts(handlers: ShortcutHandlers): void {
  const latest = useRef(handlers);
  latest.current = handlers;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isPopupOpen()) return;
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

/** Gives the focus to a field when a letter is typed elsewhere on the page, so that the letter goes into the field. */
export function useStrayLetters(field: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTyping(event.target) || isPopupOpen() || !isLetter(event)) return;
      field.current?.focus(); // before the browser enters the letter into the focused element
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [field]);
}

/** Space scrolls the page and presses buttons. */
const isLetter = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.length === 1 && key !== " " && !ctrlKey && !metaKey && !altKey;
