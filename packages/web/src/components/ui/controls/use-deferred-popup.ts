import { type KeyboardEvent, type MouseEvent, type RefObject, startTransition, useEffect, useState } from "react";

/** How a popup was opened. */
export type Opening = "pointer" | "keyboard";

const OPENING_KEYS = ["ArrowDown", "ArrowUp"];

/**
 * Defers loading the code of a list or menu (25 kB and more of Base UI) until the user points at its button or focuses
 * it. Returns the props of a plain button, and `opening`, which says how the button was used. Once that is set, render
 * the popup in place of the button, open and with its own button. Put both into one `Suspense`, which keeps the plain
 * button until the popup has loaded.
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
