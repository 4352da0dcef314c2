import { Suspense } from "react";
import { lazyComponent } from "#/lib/lazy-component.ts";
import type { SheetProps } from "./sheet-base.tsx";
import { useOpenedOnce } from "./use-opened-once.ts";

const SheetBase = lazyComponent(async () => (await import("./sheet-base.tsx")).SheetBase);

/** A panel from one side, for navigation and filters on small screens, and for details. */
export function Sheet(props: SheetProps) {
  return useOpenedOnce(props.open) ? (
    <Suspense fallback={null}>
      <SheetBase {...props} />
    </Suspense>
  ) : null;
}
