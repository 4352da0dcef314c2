import { type ComponentProps, Suspense } from "react";
import { lazyComponent } from "#/lib/lazy-component.ts";
import type { LibraryPicker } from "./library-picker.tsx";

const LoadedLibraryPicker = lazyComponent(async () => (await import("./library-picker.tsx")).LibraryPicker);

/** Loads the choice of prompts and personas when it is opened. */
export function LazyLibraryPicker(props: ComponentProps<typeof LibraryPicker>) {
  return (
    <Suspense fallback={null}>
      <LoadedLibraryPicker {...props} />
    </Suspense>
  );
}
