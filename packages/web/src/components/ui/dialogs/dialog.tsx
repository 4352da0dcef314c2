import { Suspense } from "react";
import { lazyComponent } from "#/lib/lazy-component.ts";
import type { DialogProps } from "./dialog-base.tsx";
import { useOpenedOnce } from "./use-opened-once.ts";

// The dialog library is large and not needed for the first paint, so it is loaded when a dialog first opens.
const DialogBase = lazyComponent(async () => (await import("./dialog-base.tsx")).DialogBase);

/** A modal dialog. With `dismissible={false}` only its buttons close it, not Escape or a click outside. */
export function Dialog(props: DialogProps) {
  return useOpenedOnce(props.open) ? (
    <Suspense fallback={null}>
      <DialogBase {...props} />
    </Suspense>
  ) : null;
}
