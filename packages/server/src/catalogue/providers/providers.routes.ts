import type { Handlers } from "../../platform/core/http/handlers.ts";
import type { ProviderDto } from "./provider.ts";

/** Handler of `admin.providers.list`. */
export function providerRoutes(items: ProviderDto[]): Handlers {
  return { "admin.providers.list": async () => ({ items }) };
}
