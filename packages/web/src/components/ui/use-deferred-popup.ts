import { type KeyboardEvent, startTransition, useState } from "react";

const OPENING_KEYS = ["ArrowDown", "ArrowUp"];

/**
 * Defers the code of a list or menu until somebody is about to use it: Base UI's has 25 kB and more, for which no first visit
 * waits. Returns the props of the button that is shown before, and whether it was used: then the popup is rendered in its place,
 * open and with its own button. Both belong into one `Suspense`, which keeps this button until the popup is there.
 */
export function useDeferredPopup(load: () => Promise<unknown>) {
  const [isOpened, setOpened] = useState(false);
  const open = () => startTransition(() => setOpened(true));
  // A failure shows when the popup opens.
  const preload = () => void load().catch(() => {});
  const buttonProps = {
    type: "button",
    onPointerEnter: preload,
    onFocus: preload,
    onClick: open,
    onKeyDown(event: KeyboardEvent): void {
      if (!OPENING_KEYS.includes(event.key)) return;
      event.preventDefault();
      open();
    },
  } as const;
  return { isOpened, buttonProps };
}
