import type { components } from "@feather/openapi/schema";
import { findProvider } from "../../catalogue/providers/index.ts";
import { type Backend, type BackendRegistry, calculateCostNano, type MayCallElsewhere } from "../../gateway/index.ts";
import { bind } from "../../platform/core/bind.ts";
import type { RequestRow } from "./request-rows.ts";

type PlaceCost = components["schemas"]["PlaceCost"];
type PricedRequest = Pick<RequestRow, "model_id" | "kind" | "prompt_tokens" | "completion_tokens">;

type Deps = { registry: Pick<BackendRegistry, "candidates">; mayCallElsewhere: MayCallElsewhere };

/** The kinds of requests that places charge by token. */
const CHARGED_BY_TOKEN: ReadonlySet<string> = new Set(["chat", "completion", "embedding"]);
const NOTHING = { prompt: "0", completion: "0" };
const NO_UNITS = { images: 0, audioMs: 0, characters: 0 };
const NO_UNIT_PRICES = { image: "0", audio_second: "0", character: "0", request: "0" };

/** Creates what says what the places of a model would charge for a request. */
export function createPlaceCosts(deps: Deps) {
  return bind(deps, { list: listPlaceCosts });
}

export type PlaceCosts = ReturnType<typeof createPlaceCosts>;

/**
 * Returns what the places where a model answers now would charge for the tokens of a request at today's prices, the cheapest first.
 * Left out are places that state no price, servers of the operator, whose prices only admins see, and places where the calls of the
 * organization may not go.
 */
async function listPlaceCosts(
  { registry, mayCallElsewhere }: Deps,
  organizationId: string,
  request: PricedRequest,
): Promise<PlaceCost[]> {
  const hasTokens = request.prompt_tokens + request.completion_tokens > 0;
  if (!CHARGED_BY_TOKEN.has(request.kind) || !hasTokens) return [];
  const isElsewhereAllowed = await mayCallElsewhere(organizationId);
  const costs = new Map<string, bigint>();
  for (const backend of registry.candidates(request.model_id)) {
    if (backend.hosted === "elsewhere" && !isElsewhereAllowed) continue;
    const cost = readCost(backend, request);
    const known = costs.get(backend.place);
    if (cost !== null && (known === undefined || cost < known)) costs.set(backend.place, cost);
  }
  return [...costs]
    .toSorted(([, a], [, b]) => Number(a - b))
    .map(([place, cost]) => ({ place, name: nameOf(place), cost_nano_usd: String(cost) }));
}

function readCost(backend: Backend, request: PricedRequest): bigint | null {
  const { place, places } = backend;
  if (place === "network") return null;
  const price = place === "server" ? NOTHING : places?.get(request.model_id)?.price;
  if (!price) return null;
  return calculateCostNano(
    { ...NO_UNIT_PRICES, prompt: price.prompt, completion: price.completion },
    { ...NO_UNITS, promptTokens: request.prompt_tokens, completionTokens: request.completion_tokens },
  );
}

const nameOf = (place: string): string => (place === "server" ? "This server" : (findProvider(place)?.name ?? place));
