import { type ComponentProps, Suspense } from "react";
import { lazyComponent } from "#/lib/lazy-component.ts";
import type { ShareDialog } from "./share-dialog.tsx";

const LoadedShareDialog = lazyComponent(async () => (await import("./share-dialog.tsx")).ShareDialog);

/** Loads the dialog when it is first opened. */
export function LazyShareDialog(props: ComponentProps<typeof ShareDialog>) {
  return <Suspense fallback={null}>{props.sharing ? <LoadedShareDialog {...props} /> : null}</Suspense>;
}
