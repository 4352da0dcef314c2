import { type ComponentProps, Suspense } from "react";
import { lazyComponent } from "#/lib/lazy-component.ts";
import type { ModelPicker } from "./model-picker.tsx";

const LoadedModelPicker = lazyComponent(async () => (await import("./model-picker.tsx")).ModelPicker);

/** Loads the picker when it is first opened. */
export function LazyModelPicker(props: ComponentProps<typeof ModelPicker>) {
  return <Suspense fallback={null}>{props.open ? <LoadedModelPicker {...props} /> : null}</Suspense>;
}
