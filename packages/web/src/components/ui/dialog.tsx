import { Suspense, useState } from "react";
import { lazyComponent } from "#/lib/lazy-component.ts";
import type { DialogProps, SheetProps } from "./dialog-base.tsx";

// The dialog library is large and not needed for the first paint, so it is loaded when a dialog first opens.
const DialogBase = lazyComponent(async () => (await import("./dialog-base.tsx")).DialogBase);
const SheetBase = lazyComponent(async () => (await import("./dialog-base.tsx")).SheetBase);

/** A modal dialog. With `dismissible={false}` only its buttons close it, not Escape or a click outside. */
export function Dialog(props: DialogProps) {
  return useOpenedOnce(props.open) ? (
    <Suspense fallback={null}>
      <DialogBase {...props} />
    </Suspense>
  ) : null;
}

/** A panel from one side, for navigation and filters on small screens. */
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
