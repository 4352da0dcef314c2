import type { BackendInput, BackendProvider } from "@feather/sdk";
import type { Flag } from "../../../command-line.ts";
import type { Context } from "../../../context.ts";
import { UsageError } from "../../../errors.ts";
import { splitNames } from "./backend.ts";

/** Flags with the values that complete the addresses of providers. */
export const PLACEHOLDER_FLAGS = [
  { name: "--region <name>", summary: "region of the provider, where its address needs one: eu-central-1" },
  { name: "--resource <name>", summary: "your resource at the provider, where its address needs one (Azure)" },
  { name: "--project <id>", summary: "your project at the provider, where its address needs one (Vertex AI)" },
] as const satisfies readonly Flag[];

/** Returns the provider with an id. Throws `UsageError` if the server does not know it. */
export function findProvider(providers: readonly BackendProvider[], id: string): BackendProvider {
  const provider = providers.find((one) => one.id === id.toLowerCase());
  if (provider) return provider;
  throw new UsageError(
    `there is no provider ${id}; another server needs its address too`,
    "feather admin providers, or feather admin backends add <name> <url>",
  );
}

/**
 * Returns what a provider needs beside the key: the values of its address, and names of models where it lists none. Asks
 * for what the command line lacks. Throws `UsageError` that names the flag when nobody can be asked.
 */
export async function completeProviderBody(
  { askLine }: Pick<Context, "askLine">,
  { id, placeholders, lists_models, model_examples }: BackendProvider,
  given: Pick<BackendInput, "models"> & { readonly placeholders: Readonly<Record<string, string>> },
): Promise<Pick<BackendInput, "provider" | "placeholders" | "models">> {
  const values: Record<string, string> = {};
  for (const { name, description, suggestions } of placeholders)
    values[name] =
      given.placeholders[name] ?? (await askLine(`${description}, such as ${suggestions[0]}`, `--${name}`));
  const needsModels = !lists_models && given.models === undefined;
  const names = needsModels ? await askLine(`Its models, by comma, such as ${model_examples[0]}`, "--models") : null;
  return {
    provider: id,
    ...(placeholders.length > 0 && { placeholders: values }),
    ...(names !== null && { models: splitNames(names) }),
    ...(given.models !== undefined && { models: given.models }),
  };
}
