import { DEFAULT_API } from "../../gateway/index.ts";
import { HOSTS } from "./hosts.ts";
import { MAKERS } from "./makers.ts";
import type { Provider, ProviderDto } from "./provider.ts";
import { ROUTERS_AND_CLOUDS } from "./routers-and-clouds.ts";

/** The providers whose address is known, by name. */
export const PROVIDERS: readonly Provider[] = [...MAKERS, ...HOSTS, ...ROUTERS_AND_CLOUDS].sort((a, b) =>
  a.name.localeCompare(b.name, "en"),
);

/** Returns the provider with an id; undefined if there is none. */
export function findProvider(id: string): Provider | undefined {
  return PROVIDERS.find((provider) => provider.id === id);
}

/**
 * Returns the id of the provider at an address, which may differ in the case of its host and in a final slash; null for
 * any other server. It is not stored, so that it holds for configured backends too, and after an address has changed.
 */
export function findProviderAt(baseUrl: string): string | null {
  if (!URL.canParse(baseUrl)) return null;
  const { protocol, host, pathname } = new URL(baseUrl);
  const address = `${protocol}//${host}${pathname.replace(/\/+$/, "")}`;
  return PROVIDERS.find((provider) => isAddressOf(provider, address))?.id ?? null;
}

/** Returns the region that the address of a provider names; null if it names none. */
export function findRegionAt(baseUrl: string): string | null {
  const id = findProviderAt(baseUrl);
  const provider = id === null ? undefined : findProvider(id);
  return (provider && toPattern(provider).exec(baseUrl.replace(/\/+$/, "")))?.groups?.region ?? null;
}

/** Returns a provider's address with its placeholders replaced. Returns the first placeholder without a valid value instead. */
export function fillAddress(
  { baseUrl, placeholders = [] }: Pick<Provider, "baseUrl" | "placeholders">,
  values: Readonly<Record<string, string>>,
): { url: string; invalid: null } | { url: null; invalid: string } {
  let url = baseUrl;
  for (const { name, pattern } of placeholders) {
    const value = values[name]?.trim() ?? "";
    if (!new RegExp(`^(?:${pattern})$`).test(value)) return { url: null, invalid: name };
    url = url.replace(`{${name}}`, value);
  }
  return { url, invalid: null };
}

/** Returns a provider in the form of the contract. */
export function toProviderDto(provider: Provider): ProviderDto {
  const { id, name, kind, baseUrl, placeholders = [], unlistedModels, keyUrl, pricingUrl } = provider;
  return {
    id,
    name,
    kind,
    base_url: baseUrl,
    placeholders: placeholders.map((placeholder) => ({ ...placeholder, suggestions: [...placeholder.suggestions] })),
    api: provider.api ?? DEFAULT_API,
    lists_models: unlistedModels === undefined,
    model_examples: [...(unlistedModels ?? [])],
    key_url: keyUrl,
    key_prefix: provider.keyPrefix ?? null,
    pricing_url: pricingUrl,
    billing: provider.billing ?? "tokens",
    location: provider.location ?? null,
  };
}

function isAddressOf(provider: Provider, address: string): boolean {
  return provider.formerUrls?.includes(address) === true || toPattern(provider).test(address);
}

/** Returns the pattern of a provider's addresses, with a group for each placeholder. */
function toPattern({ baseUrl, placeholders = [] }: Provider): RegExp {
  const pattern = placeholders.reduce(
    (text, { name, pattern: value }) => text.replace(`{${name}}`, `(?<${name}>${value})`),
    baseUrl.replaceAll(".", "\\."),
  );
  return new RegExp(`^${pattern}$`, "i");
}
