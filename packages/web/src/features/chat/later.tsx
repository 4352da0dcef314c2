import { type ComponentProps, Suspense } from "react";
import { lazyPart } from "#/lib/lazy-part.ts";
import type { CodeDialog as Code } from "./code-dialog.tsx";
import type { HistoryPane as History } from "./history-pane.tsx";
import type { ModelPicker as Picker } from "./model-picker.tsx";
import type { RenameDialog as Rename } from "./rename-dialog.tsx";

const LazyCode = lazyPart(async () => (await import("./code-dialog.tsx")).CodeDialog);
const LazyHistory = lazyPart(async () => (await import("./history-pane.tsx")).HistoryPane);
const LazyPicker = lazyPart(async () => (await import("./model-picker.tsx")).ModelPicker);
const LazyRename = lazyPart(async () => (await import("./rename-dialog.tsx")).RenameDialog);

/** Loads the dialog when it is first opened. */
export function CodeDialog(props: ComponentProps<typeof Code>) {
  return <Suspense fallback={null}>{props.open ? <LazyCode {...props} /> : null}</Suspense>;
}

/** Loads the picker when it is first opened. */
export function ModelPicker(props: ComponentProps<typeof Picker>) {
  return <Suspense fallback={null}>{props.open ? <LazyPicker {...props} /> : null}</Suspense>;
}

/** Loads the dialog when it is first opened. */
export function RenameDialog(props: ComponentProps<typeof Rename>) {
  return <Suspense fallback={null}>{props.conversation ? <LazyRename {...props} /> : null}</Suspense>;
}

/** Loads the history once there is a session: signed-out visitors have none. */
export function HistoryPane(props: ComponentProps<typeof History>) {
  return <Suspense fallback={null}>{props.host ? <LazyHistory {...props} /> : null}</Suspense>;
}
