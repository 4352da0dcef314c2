import { type KeyboardEvent, type MouseEvent, type RefObject, startTransition, useEffect, useState } from "react";

/** How a popup was opened. */
export type Opening = "pointer" | "keyboard";

const OPENING_KEYS = ["ArrowDown", "ArrowUp"];

/**
 * Defers the code of a list or menu until somebody is about to use it: Base UI's has 25 kB and more, for which no first visit
 * waits. Returns the props of the button that is shown before, and how it was used: then the popup is rendered in its place,
 * open and with its own button. Both belong into one `Suspense`, which keeps this button until the popup is there.
 */
export function useDeferredPopup(load: () => Promise<unknown>) {
  const [opening, setOpening] = useState<Opening | null>(null);
  const open = (how: Opening) => startTransition(() => setOpening(how));
  // A failure shows when the popup opens.
  const preload = () => void load().catch(() => {});
  const buttonProps = {
    type: "button",
    onPointerEnter: preload,
    onFocus: preload,
    onClick: ({ detail }: MouseEvent) => open(detail === 0 ? "keyboard" : "pointer"),
    onKeyDown(event: KeyboardEvent): void {
      if (!OPENING_KEYS.includes(event.key)) return;
      event.preventDefault();
      open("keyboard");
    },
  } as const;
  return { opening, buttonProps };
}

/**
 * Opens a menu that was deferred and then used by keyboard, once it is there: by its own button, so that the first item has
 * the focus. One that was used by pointer is open from the start.
 */
export function useKeyboardOpening(button: RefObject<HTMLButtonElement | null>, opening: Opening): void {
  useEffect(() => {
    const { current } = button;
    if (opening !== "keyboard" || current?.getAttribute("aria-expanded") !== "false") return;
    current.focus();
    current.click();
  }, [button, opening]);
}
