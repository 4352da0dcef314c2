import { type ComponentProps, Suspense } from "react";
import { lazyComponent } from "#/lib/lazy-component.ts";
import type { NameDialog } from "./name-dialog.tsx";

const LoadedNameDialog = lazyComponent(async () => (await import("./name-dialog.tsx")).NameDialog);

/** Loads the dialog when it is first opened. */
export function LazyNameDialog(props: ComponentProps<typeof NameDialog>) {
  return <Suspense fallback={null}>{props.naming ? <LoadedNameDialog {...props} /> : null}</Suspense>;
}
