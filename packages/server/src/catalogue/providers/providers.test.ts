import { expect, test } from "vitest";
import { fillAddress, findProviderAt, findRegionAt, PROVIDERS } from "./providers.ts";

test("every provider has an id of its own, https addresses, and placeholders for exactly the braces in its address", () => {
  expect(new Set(PROVIDERS.map(({ id }) => id)).size).toBe(PROVIDERS.length);
  for (const { id, baseUrl, keyUrl, pricingUrl, placeholders = [] } of PROVIDERS) {
    expect(id).toMatch(/^[a-z]+$/);
    for (const address of [baseUrl, keyUrl, pricingUrl]) expect(address).toMatch(/^https:\/\/[^\s?@]+/);
    expect(baseUrl).not.toMatch(/\/$/);
    expect([...baseUrl.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)).toEqual(placeholders.map(({ name }) => name));
  }
});

test("every provider is found at its address, with each of the suggestions for its placeholders", () => {
  for (const provider of PROVIDERS) {
    const [{ name, suggestions } = { name: "", suggestions: [""] }] = provider.placeholders ?? [];
    for (const suggestion of suggestions) {
      const { url } = fillAddress(provider, { [name]: suggestion });
      expect([provider.id, url]).toEqual([provider.id, expect.stringMatching(/^https:/)]);
      expect(findProviderAt(`${url}/`)).toBe(provider.id);
    }
  }
});

test.each([
  ["another path of a provider's host", "https://openrouter.ai/api/v2", null],
  ["a host that only begins like a provider's", "https://openrouter.ai.example/api/v1", null],
  ["plain HTTP", "http://openrouter.ai/api/v1", null],
  ["a host in capitals", "https://OPENROUTER.ai/api/v1", "openrouter"],
  ["an address that a provider has left", "https://api.together.xyz/v1", "together"],
  ["something that is no address", "openrouter", null],
])("%s belongs to the expected provider", (_what, address, id) => {
  expect(findProviderAt(address)).toBe(id);
});

test.each([
  ["https://bedrock-mantle.eu-central-1.api.aws/v1/", "eu-central-1"],
  ["https://my-company.openai.azure.com/openai/v1", null],
  ["https://openrouter.ai/api/v1", null],
  ["https://example.com/v1", null],
])("the address %s names the region %s", (address, region) => expect(findRegionAt(address)).toBe(region));

test.each(["", "evil.example/", "a@evil", "a.b", "a:1", "-a", "a".repeat(65)])(
  "refuses %j as the name of a resource, so that the address stays the provider's",
  (resource) => {
    const azure = PROVIDERS.find(({ id }) => id === "azure");
    expect(azure && fillAddress(azure, { resource })).toEqual({ url: null, invalid: "resource" });
  },
);
