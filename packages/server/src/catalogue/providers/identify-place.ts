import type { components } from "@feather/openapi/schema";
import { type Backend, isOwnBackend } from "../../gateway/index.ts";
import { isLoopbackHost } from "../../platform/core/network/networks.ts";
import { findProvider, findProviderAt, findRegionAt } from "./providers.ts";

/** What people are shown of where a backend answers. */
export type PlaceIdentity = Pick<
  components["schemas"]["ModelPlace"],
  "kind" | "name" | "provider" | "location" | "region"
>;

/** This server with its own machines. */
export const THIS_SERVER: PlaceIdentity = {
  kind: "server",
  name: "This server",
  provider: null,
  location: null,
  region: null,
};
const OPERATORS_SERVER: PlaceIdentity = { ...THIS_SERVER, kind: "network", name: "A server of the operator" };

/** Returns where a backend answers, as people are shown it: without the name of the backend. */
export function identifyPlace(backend: Pick<Backend, "source" | "baseUrl">): PlaceIdentity {
  if (isOwnBackend(backend)) return THIS_SERVER;
  const id = findProviderAt(backend.baseUrl);
  const provider = id === null ? undefined : findProvider(id);
  if (provider)
    return {
      kind: "provider",
      name: provider.name,
      provider: provider.id,
      location: provider.location ?? null,
      region: findRegionAt(backend.baseUrl),
    };
  return isLoopbackHost(new URL(backend.baseUrl).hostname) ? THIS_SERVER : OPERATORS_SERVER;
}
