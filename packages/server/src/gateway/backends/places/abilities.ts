import { isRecord } from "../../usage/reported-usage.ts";
import { listLiveHosts, readAgreed } from "./hosts.ts";

/** What a model can do at a backend. Null if the backend does not say it. */
export type PlaceAbilities = {
  readonly tools: boolean | null;
  readonly images: boolean | null;
  readonly structuredOutput: boolean | null;
  readonly reasoning: boolean | null;
};

type Entry = Record<string, unknown>;

/**
 * Returns the abilities in an entry of a list of models, in the fields of OpenRouter, Hugging Face, Anthropic, Mistral,
 * Fireworks, DeepInfra, Gemini and LiteLLM.
 */
export function readAbilities(entry: Entry): PlaceAbilities {
  const capabilities = isRecord(entry.capabilities) ? entry.capabilities : {};
  const modalities = isRecord(entry.architecture) ? entry.architecture.input_modalities : null;
  const tags = isRecord(entry.metadata) ? entry.metadata.tags : null;
  return {
    tools: firstKnown(
      entry.supports_tools,
      entry.supports_function_calling,
      capabilities.function_calling,
      includes(entry.supported_parameters, "tools"),
      readOfHosts(entry, "supports_tools"),
    ),
    images: firstKnown(
      entry.supports_image_input,
      entry.supports_vision,
      capabilities.vision,
      capabilities.image_input,
      includes(modalities, "image"),
      hasTag(tags, "vision"),
    ),
    structuredOutput: firstKnown(
      entry.supports_structured_output,
      entry.supports_response_schema,
      capabilities.structured_outputs,
      includes(entry.supported_parameters, "structured_outputs"),
      readOfHosts(entry, "supports_structured_output"),
    ),
    reasoning: firstKnown(
      entry.supports_reasoning,
      capabilities.reasoning,
      capabilities.thinking,
      includes(entry.supported_parameters, "reasoning"),
      hasTag(tags, "reasoning"),
    ),
  };
}

/** Returns the abilities that all models of a name have, and those that none has; null where they differ. */
export function combineAbilities(abilities: readonly PlaceAbilities[]): PlaceAbilities {
  return {
    tools: readAgreed(abilities.map(({ tools }) => tools)),
    images: readAgreed(abilities.map(({ images }) => images)),
    structuredOutput: readAgreed(abilities.map(({ structuredOutput }) => structuredOutput)),
    reasoning: readAgreed(abilities.map(({ reasoning }) => reasoning)),
  };
}

/** Returns the first value that says yes or no. Anthropic puts it into an object. */
function firstKnown(...values: readonly unknown[]): boolean | null {
  for (const value of values) {
    const answer = isRecord(value) ? value.supported : value;
    if (typeof answer === "boolean") return answer;
  }
  return null;
}

function includes(list: unknown, value: string): boolean | null {
  return Array.isArray(list) ? list.includes(value) : null;
}

/** Tags name some of what a model can do, so that a missing one says nothing. */
function hasTag(tags: unknown, tag: string): true | null {
  return includes(tags, tag) === true ? true : null;
}

function readOfHosts(entry: Entry, field: string): boolean | null {
  return readAgreed(listLiveHosts(entry).map((host) => firstKnown(host[field])));
}
