import { MODEL_NAMES } from "./model-names.ts";
import { findProviderAt } from "./providers.ts";

/** What Google's OpenAI-compatible API puts before the names of its models. */
const GOOGLE_PREFIX = "models/";

/** Returns the id that a model of the backend at an address has here by our own knowledge; null if there is none. */
export function findKnownId(baseUrl: string, name: string): string | null {
  const provider = findProviderAt(baseUrl);
  if (provider === null) return null;
  if (provider === "google" && name.startsWith(GOOGLE_PREFIX)) return `google/${name.slice(GOOGLE_PREFIX.length)}`;
  return MODEL_NAMES[provider]?.[name] ?? null;
}

/**
 * The catalogue's ids of models that lists know by another repository on Hugging Face: by the id before it was renamed, by
 * one that was taken down, or by one that has the weights in another format.
 */
const OTHER_REPOSITORIES: Readonly<Record<string, string>> = {
  "CohereForAI/c4ai-command-a-03-2025": "CohereLabs/c4ai-command-a-03-2025",
  "cognitivecomputations/Dolphin-Mistral-24B-Venice-Edition": "dphn/Dolphin-Mistral-24B-Venice-Edition",
  "meta-llama/Meta-Llama-3.1-405B-Instruct": "meta-llama/Llama-3.1-405B-Instruct",
  "meta-llama/Meta-Llama-3.1-70B-Instruct": "meta-llama/Llama-3.1-70B-Instruct",
  "meta-llama/Meta-Llama-3.1-8B-Instruct": "meta-llama/Llama-3.1-8B-Instruct",
  "microsoft/WizardLM-2-8x22B": "alpindale/WizardLM-2-8x22B",
  "nvidia/NVIDIA-Nemotron-3-Super-120B-A12B-FP8": "nvidia/NVIDIA-Nemotron-3-Super-120B-A12B-BF16",
};

/** Adds to the models of the backend at an address the ids that they have here, where the list does not say them. */
export function withKnownIds<Model extends { readonly name: string; readonly knownId?: string | null }>(
  baseUrl: string,
  models: readonly Model[],
): Model[] {
  return models.map((model) => {
    const id = model.knownId ?? findKnownId(baseUrl, model.name);
    return { ...model, knownId: id === null ? null : (OTHER_REPOSITORIES[id] ?? id) };
  });
}
