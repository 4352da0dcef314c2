import { type ComponentProps, Suspense } from "react";
import { lazyComponent } from "#/lib/lazy-component.ts";
import type { SettingsForm } from "./settings-form.tsx";

const LoadedSettingsForm = lazyComponent(async () => (await import("./settings-form.tsx")).SettingsForm);

/** Loads the settings where they are shown: signed-out visitors have none. */
export function LazySettingsForm(props: ComponentProps<typeof SettingsForm>) {
  return (
    <Suspense fallback={null}>
      <LoadedSettingsForm {...props} />
    </Suspense>
  );
}
