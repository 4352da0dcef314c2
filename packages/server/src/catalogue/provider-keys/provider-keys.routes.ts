import type { Handlers } from "../../platform/core/http/handlers.ts";
import type { ProviderKeyUseCases } from "./provider-keys.usecases.ts";

/** Routes of organizations' own keys for providers. */
export function providerKeyRoutes(providerKeys: ProviderKeyUseCases): Handlers {
  return {
    "providerKeys.list": ({ actor }) => providerKeys.list(actor),

    "providerKeys.set": ({ actor, path, body }) => providerKeys.set(actor, path.provider, body),

    "providerKeys.delete": async ({ actor, path }) => {
      await providerKeys.delete(actor, path.provider);
      return undefined;
    },

    "providerKeys.test": ({ actor, path }) => providerKeys.test(actor, path.provider),
  };
}
