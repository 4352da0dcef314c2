import type { components } from "@feather/openapi/schema";
import { findProvider } from "../providers/index.ts";
import type { ProviderKeyDetails } from "./provider-keys.repository.ts";

/** The contract's schema of an organization's own key for a provider. */
export type ProviderKeyDto = components["schemas"]["ProviderKey"];
/** The contract's schema of a provider for which organizations can set keys. */
export type ProviderDto = components["schemas"]["ProviderKeyProvider"];

/** Returns the name of a provider; its id if it is not known any more. */
export const nameOfProvider = (id: string): string => findProvider(id)?.name ?? id;

/** Returns a key for the members who manage it, without its text. */
export function toProviderKeyDto(row: ProviderKeyDetails, isAllowed: boolean): ProviderKeyDto {
  const { provider, label, last_characters, created_by_name, created_at, refusal, refused_at } = row;
  return {
    provider,
    name: nameOfProvider(provider),
    label,
    last_characters,
    is_allowed: isAllowed,
    created_by_name,
    created_at: created_at.toISOString(),
    refusal,
    refused_at: refused_at?.toISOString() ?? null,
  };
}
