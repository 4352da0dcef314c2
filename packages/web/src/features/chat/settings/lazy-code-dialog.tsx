import { type ComponentProps, Suspense } from "react";
import { lazyComponent } from "#/lib/lazy-component.ts";
import type { CodeDialog } from "./code-dialog.tsx";

const LoadedCodeDialog = lazyComponent(async () => (await import("./code-dialog.tsx")).CodeDialog);

/** Loads the dialog when it is first opened. */
export function LazyCodeDialog(props: ComponentProps<typeof CodeDialog>) {
  return <Suspense fallback={null}>{props.open ? <LoadedCodeDialog {...props} /> : null}</Suspense>;
}
