/** A model that can be the first one of a server. */
export type StarterModel = {
  id: string;
  /** The memory for models from which on it is chosen, in bytes. */
  minMemoryBytes: number;
};

const GB = 1e9;

/**
 * Small models that answer questions of any kind, the best first; all have the licence Apache 2.0. The last one comes from a
 * package index where the model hub cannot be reached. A larger one is slow without a graphics card.
 */
export const STARTER_MODELS: readonly StarterModel[] = [
  { id: "Qwen/Qwen3-1.7B", minMemoryBytes: 12 * GB },
  { id: "Qwen/Qwen3-0.6B", minMemoryBytes: 1.5 * GB },
  { id: "HuggingFaceTB/SmolLM2-135M-Instruct", minMemoryBytes: 0.4 * GB },
];

/** Returns the models to try one after the other: the named one, or those that the memory is enough for. */
export function listCandidates(setting: string, memoryBytes: number): string[] {
  if (setting === "off") return [];
  if (setting !== "auto") return [setting];
  return STARTER_MODELS.filter(({ minMemoryBytes }) => minMemoryBytes <= memoryBytes).map(({ id }) => id);
}
