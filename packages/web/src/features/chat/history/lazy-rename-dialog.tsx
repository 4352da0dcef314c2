import { type ComponentProps, Suspense } from "react";
import { lazyComponent } from "#/lib/lazy-component.ts";
import type { RenameDialog } from "./rename-dialog.tsx";

const LoadedRenameDialog = lazyComponent(async () => (await import("./rename-dialog.tsx")).RenameDialog);

/** Loads the dialog when it is first opened. */
export function LazyRenameDialog(props: ComponentProps<typeof RenameDialog>) {
  return <Suspense fallback={null}>{props.conversation ? <LoadedRenameDialog {...props} /> : null}</Suspense>;
}
