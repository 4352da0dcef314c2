import { expect, test } from "vitest";
import { identifyPlace, THIS_SERVER } from "./identify-place.ts";

const OPERATORS_SERVER = { kind: "network", name: "A server of the operator", provider: null };

test.each([
  ["the engine", "engine", "http://127.0.0.1:4100"],
  ["a deployment in the cluster", "deployment", "http://dep-1.models.svc:8000/v1"],
  ["a deployment whose address is a provider's", "deployment", "https://openrouter.ai/api/v1"],
] as const)("%s answers on this server", (_what, source, baseUrl) => {
  expect(identifyPlace({ source, baseUrl })).toEqual(THIS_SERVER);
});

test.each([
  ["localhost", "http://localhost:11434/v1"],
  ["a name under localhost", "http://models.localhost/v1"],
  ["IPv4's loopback network", "http://127.8.9.1:8000/v1"],
  ["IPv6's loopback address", "http://[::1]:8000/v1"],
] as const)("a backend at %s answers on this server", (_what, baseUrl) => {
  expect(identifyPlace({ source: "admin", baseUrl })).toEqual(THIS_SERVER);
});

test.each([
  ["a private address", "http://10.0.0.7:8000/v1"],
  ["a public address", "https://203.0.113.5/v1"],
  ["a name of a company", "https://models.company.example/v1"],
  ["a name that only begins like localhost", "http://localhost.example/v1"],
  ["a name that only contains a provider's", "https://openrouter.ai.example/api/v1"],
] as const)("a backend at %s is shown as a server of the operator, without its address", (_what, baseUrl) => {
  const place = identifyPlace({ source: "admin", baseUrl });
  expect(place).toMatchObject(OPERATORS_SERVER);
  expect(JSON.stringify(place)).not.toContain(new URL(baseUrl).hostname);
});

test("a backend at a provider is shown with its name, country and region", () => {
  const show = (baseUrl: string) => identifyPlace({ source: "admin", baseUrl });
  expect(show("https://api.deepseek.com")).toEqual({
    kind: "provider",
    name: "DeepSeek",
    provider: "deepseek",
    location: "CN",
    region: null,
  });
  expect(show("https://bedrock-mantle.eu-central-1.api.aws/v1/")).toMatchObject({
    kind: "provider",
    provider: "bedrock",
    region: "eu-central-1",
  });
});

test("the name of a customer's resource at a provider is not shown", () => {
  const place = identifyPlace({ source: "admin", baseUrl: "https://secret-project.openai.azure.com/openai/v1" });
  expect(place).toMatchObject({ kind: "provider", provider: "azure", region: null });
  expect(JSON.stringify(place)).not.toContain("secret-project");
});
