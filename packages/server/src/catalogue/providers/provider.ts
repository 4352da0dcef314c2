import type { components } from "@feather/openapi/schema";
import type { ApiName } from "../../gateway/index.ts";

/** A provider as the contract shows it. */
export type ProviderDto = components["schemas"]["BackendProvider"];

/** A value that completes a provider's address. The pattern describes the whole value, and excludes `/`, `@`, `:` and `.`. */
export type Placeholder = {
  name: string;
  description: string;
  suggestions: readonly string[];
  pattern: string;
};

/** A provider of models. The contract's `BackendProvider` describes the fields. */
export type Provider = {
  id: string;
  name: string;
  kind: ProviderDto["kind"];
  /** The address, with `{name}` for each placeholder. */
  baseUrl: string;
  /** Further addresses under which backends of it were added, without placeholders. */
  formerUrls?: readonly string[];
  placeholders?: readonly Placeholder[];
  /** OpenAI's by default. */
  api?: ApiName;
  /** Names of some of its models, if it does not list them. Without it, it lists them. */
  unlistedModels?: readonly string[];
  keyUrl: string;
  /** The beginning of its keys, where its documentation shows one. */
  keyPrefix?: string;
  pricingUrl: string;
  /** `tokens` by default. */
  billing?: ProviderDto["billing"];
  /** Left out where its documentation does not say. */
  location?: string;
};
