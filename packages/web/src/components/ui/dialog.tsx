import { Suspense, useState } from "react";
import { lazyPart } from "#/lib/lazy-part.ts";
import type { DialogProps, SheetProps } from "./dialog-base.tsx";

// What makes a dialog behave is large and no page needs it at first: it is loaded when one opens.
const DialogBase = lazyPart(async () => (await import("./dialog-base.tsx")).DialogBase);
const SheetBase = lazyPart(async () => (await import("./dialog-base.tsx")).SheetBase);

/** A dialog over the page. With `dismissible={false}` only its buttons close it: neither Escape nor a press beside it does. */
export function Dialog(props: DialogProps) {
  return useOpenedOnce(props.open) ? (
    <Suspense fallback={null}>
      <DialogBase {...props} />
    </Suspense>
  ) : null;
}

/** A panel from the right, for navigation and filters on small screens. */
export function Sheet(props: SheetProps) {
  return useOpenedOnce(props.open) ? (
    <Suspense fallback={null}>
      <SheetBase {...props} />
    </Suspense>
  ) : null;
}

function useOpenedOnce(open: boolean): boolean {
  const [opened, setOpened] = useState(open);
  if (open && !opened) setOpened(true);
  return opened || open;
}
