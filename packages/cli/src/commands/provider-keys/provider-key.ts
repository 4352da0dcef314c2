import type { Feather, ProviderKey } from "@feather/sdk";
import type { Context } from "../../context.ts";
import { UsageError } from "../../errors.ts";
import { pickItem } from "../../pick-item.ts";

/** Fields that `--json` accepts. */
export const PROVIDER_KEY_FIELDS = [
  "provider",
  "name",
  "label",
  "last_characters",
  "is_allowed",
  "created_by_name",
  "created_at",
  "refusal",
  "refused_at",
] as const satisfies readonly (keyof ProviderKey)[];

/** The argument that names the provider of a key. */
export const PROVIDER_ARGUMENT = {
  name: "[provider]",
  summary: "its id: feather provider-keys list; you are asked at a terminal",
} as const;

/** Returns the id of a provider for which there is a key, or lets the person pick one. Throws `UsageError` without one. */
export async function resolveKeyedProvider(context: Context, feather: Feather, given: string): Promise<string> {
  if (given !== "") return given.toLowerCase();
  return pickItem(context, {
    label: "Provider",
    alternative: "the provider's id: feather provider-keys list",
    empty: ["there are no provider keys yet", "feather provider-keys set <provider>"],
    list: async () => (await feather.providerKeys.list({ signal: context.signal })).items,
    toChoice: ({ provider, name, label }) => ({ label: name, note: label ?? "", value: provider }),
  });
}

/** Returns the provider with an id for which the organization can set a key. Throws `UsageError` if it is none of those. */
export function findSettableProvider<P extends { readonly id: string }>(providers: readonly P[], id: string): P {
  const provider = providers.find((one) => one.id === id.toLowerCase());
  if (provider) return provider;
  const ids = providers.map((one) => one.id).join(", ");
  throw new UsageError(
    `this server does not use keys of organizations for ${id}`,
    ids === "" ? "it uses none; ask its operator" : `it uses those for ${ids}`,
  );
}
