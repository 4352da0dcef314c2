import type { TestServer } from "./server.ts";

/** Lets organizations set keys of their own for OpenRouter, which the contract's examples name. It runs no model. */
export function takeKeysOfOrganizations({ api }: Pick<TestServer, "api">): void {
  api.backends.registry.set({
    name: "openrouter",
    source: "settings",
    baseUrl: "http://127.0.0.1:9/v1",
    provider: "openrouter",
    ownKeys: "allowed",
    weight: 1,
    models: new Map(),
  });
}
