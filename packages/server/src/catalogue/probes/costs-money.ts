import type { Backend } from "../../gateway/index.ts";

/** A model at a backend that can be asked. */
export type ProbePlace = { backend: Backend; modelKey: string };

/**
 * Returns whether calls to a model at a backend cost money: elsewhere, and here if it states a price, as a proxy does that
 * passes calls on.
 */
export function costsMoney({ backend, modelKey }: ProbePlace): boolean {
  const price = backend.places?.get(modelKey)?.price ?? null;
  return backend.hosted === "elsewhere" || (price !== null && (price.prompt !== "0" || price.completion !== "0"));
}
