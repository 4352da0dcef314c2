import { type ComponentProps, Suspense } from "react";
import { lazyComponent } from "#/lib/lazy-component.ts";
import type { ModelPicker as Picker } from "./composer/model-picker.tsx";
import type { HistoryPane as History } from "./history/history-pane.tsx";
import type { RenameDialog as Rename } from "./history/rename-dialog.tsx";
import type { CodeDialog as Code } from "./settings/code-dialog.tsx";
import type { SettingsForm as Settings } from "./settings/settings-form.tsx";

const LazyCodeDialog = lazyComponent(async () => (await import("./settings/code-dialog.tsx")).CodeDialog);
const LazyHistoryPane = lazyComponent(async () => (await import("./history/history-pane.tsx")).HistoryPane);
const LazyModelPicker = lazyComponent(async () => (await import("./composer/model-picker.tsx")).ModelPicker);
const LazySettingsForm = lazyComponent(async () => (await import("./settings/settings-form.tsx")).SettingsForm);
const LazyRenameDialog = lazyComponent(async () => (await import("./history/rename-dialog.tsx")).RenameDialog);

/** Loads the dialog when it is first opened. */
export function CodeDialog(props: ComponentProps<typeof Code>) {
  return <Suspense fallback={null}>{props.open ? <LazyCodeDialog {...props} /> : null}</Suspense>;
}

/** Loads the picker when it is first opened. */
export function ModelPicker(props: ComponentProps<typeof Picker>) {
  return <Suspense fallback={null}>{props.open ? <LazyModelPicker {...props} /> : null}</Suspense>;
}

/** Loads the dialog when it is first opened. */
export function RenameDialog(props: ComponentProps<typeof Rename>) {
  return <Suspense fallback={null}>{props.conversation ? <LazyRenameDialog {...props} /> : null}</Suspense>;
}

/** Loads the history once there is a session: signed-out visitors have none. */
export function HistoryPane(props: ComponentProps<typeof History>) {
  return <Suspense fallback={null}>{props.session ? <LazyHistoryPane {...props} /> : null}</Suspense>;
}

/** Loads the settings where they are shown: signed-out visitors have none. */
export function SettingsForm(props: ComponentProps<typeof Settings>) {
  return (
    <Suspense fallback={null}>
      <LazySettingsForm {...props} />
    </Suspense>
  );
}
