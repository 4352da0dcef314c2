import type { Model } from "@feather/sdk";
import type { MouseEvent } from "react";
import { useSetSaved } from "./use-set-saved.ts";

/** Returns whether the user has saved a model, and the handler of clicks that change it. */
export function useSavedState({ id, is_favorite }: Model) {
  const setSaved = useSetSaved();
  const saved = is_favorite === true;
  return {
    saved,
    handleClick(event: MouseEvent): void {
      // Ignores the second click of a double click.
      if (event.detail <= 1) setSaved({ id, saved: !saved });
    },
  };
}
