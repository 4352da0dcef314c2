import { providerRoutes } from "./providers.routes.ts";
import { PROVIDERS, toProviderDto } from "./providers.ts";

/** Creates the list of providers, which does not change while the server runs. */
export function createProvidersModule() {
  return { routes: providerRoutes(PROVIDERS.map(toProviderDto)), jobs: [], api: {} };
}

export { identifyPlace, THIS_SERVER } from "./identify-place.ts";
export { withKnownIds } from "./known-ids.ts";
export type { Provider } from "./provider.ts";
export { fillAddress, findProvider, findProviderAt, findRegionAt } from "./providers.ts";
