import { MODEL_NAMES } from "./model-names.ts";
import { findProviderAt } from "./providers.ts";

/** What Google's OpenAI-compatible API puts before the names of its models. */
const GOOGLE_PREFIX = "models/";

/** Returns the id that a model of the backend at an address has here by our own knowledge; null if there is none. */
export function findKnownId(baseUrl: string, name: string): string | null {
  const provider = findProviderAt(baseUrl);
  if (provider === null) return null;
  if (provider === "google" && name.startsWith(GOOGLE_PREFIX)) return `google/${name.slice(GOOGLE_PREFIX.length)}`;
  return findOwn(MODEL_NAMES[provider] ?? {}, name);
}

/** Repositories on Hugging Face that were renamed, by their former ids, which lists still name. */
const RENAMED: Readonly<Record<string, string>> = {
  "meta-llama/Meta-Llama-3.1-405B-Instruct": "meta-llama/Llama-3.1-405B-Instruct",
  "meta-llama/Meta-Llama-3.1-70B-Instruct": "meta-llama/Llama-3.1-70B-Instruct",
  "meta-llama/Meta-Llama-3.1-8B-Instruct": "meta-llama/Llama-3.1-8B-Instruct",
};

/** Adds to the models of the backend at an address the ids that they have here, where the list does not say them. */
export function withKnownIds<Model extends { readonly name: string; readonly knownId?: string | null }>(
  baseUrl: string,
  models: readonly Model[],
): Model[] {
  return models.map((model) => {
    const id = model.knownId ?? findKnownId(baseUrl, model.name);
    return { ...model, knownId: id === null ? null : (findOwn(RENAMED, id) ?? id) };
  });
}

/** Returns the id under a name of a list, which may be any text, such as `constructor`; null if the list lacks it. */
function findOwn(ids: Readonly<Record<string, string>>, name: string): string | null {
  return Object.hasOwn(ids, name) ? (ids[name] ?? null) : null;
}
