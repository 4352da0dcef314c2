import type { components } from "@feather/openapi/schema";
import { type Backend, type BackendRegistry, isOwnBackend, isUsable, type PlaceFacts } from "../../gateway/index.ts";
import type { ModelHost } from "../../hosting/hosts/index.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import { usdPerMillion } from "../../platform/core/money.ts";
import { isLoopbackHost } from "../../platform/core/network/networks.ts";
import { findProvider, findProviderAt, findRegionAt } from "../providers/index.ts";
import type { Viewer } from "./viewer.ts";

type Place = components["schemas"]["ModelPlace"];
type Identity = Pick<Place, "kind" | "name" | "provider" | "location" | "region">;

type Deps = {
  registry: Pick<BackendRegistry, "candidates">;
  host: Pick<ModelHost, "availability" | "find">;
  clock: Clock;
};

const THIS_SERVER: Identity = {
  kind: "server",
  name: "This server",
  provider: null,
  location: null,
  region: null,
};
const OPERATORS_SERVER: Identity = { ...THIS_SERVER, kind: "network", name: "A server of the operator" };

/** Creates the list of the places where a model answers. */
export function createModelPlaces(deps: Deps) {
  return bind(deps, { list: listPlaces });
}

export type ModelPlaces = ReturnType<typeof createModelPlaces>;

/**
 * Returns the places where a model answers: a model of this machine that is not loaded, and then the backends in the order
 * in which they get calls. Only admins see the names of backends, and prices at other servers of the operator.
 */
function listPlaces(deps: Deps, key: string, viewer: Viewer): Place[] {
  const backends = deps.registry.candidates(key);
  const isRunningHere = backends.some(({ source }) => source === "engine");
  const places = backends.map((backend) => toPlace(deps, backend, key, viewer.isAdmin === true));
  return isRunningHere ? places : [...toUnloadedPlaces(deps, key), ...places];
}

function toUnloadedPlaces({ host }: Deps, key: string): Place[] {
  const model = host.find(key);
  if (model === null) return [];
  return [
    {
      ...THIS_SERVER,
      hosted: "here",
      state: host.availability(key)?.tier ?? "offline",
      context_length: model.contextLength,
      max_completion_tokens: null,
      ...toFactsDto(undefined),
    },
  ];
}

function toPlace({ clock }: Deps, backend: Backend, key: string, isAdmin: boolean): Place {
  const identity = identify(backend);
  const facts = toFactsDto(backend.places?.get(key));
  return {
    ...identity,
    hosted: backend.hosted,
    state: isUsable(backend, clock.now().getTime()) ? (backend.unloaded.has(key) ? "cold" : "warm") : "offline",
    context_length: backend.contextLengths?.get(key) ?? null,
    max_completion_tokens: backend.answerLimits?.get(key) ?? null,
    ...facts,
    price: identity.kind === "provider" || isAdmin ? facts.price : null,
    ...(isAdmin && { backend: backend.name }),
  };
}

function identify(backend: Backend): Identity {
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

function toFactsDto(facts: PlaceFacts | undefined): Pick<Place, "price" | "quantization" | "abilities"> {
  const { tools = null, images = null, structuredOutput = null, reasoning = null } = facts?.abilities ?? {};
  return {
    price: facts?.price ? toPriceDto(facts.price) : null,
    quantization: facts?.quantization ?? null,
    abilities: { tools, images, structured_output: structuredOutput, reasoning },
  };
}

function toPriceDto({
  prompt,
  completion,
  cachedPrompt,
  image,
  audioSecond,
  character,
}: NonNullable<PlaceFacts["price"]>): NonNullable<Place["price"]> {
  return {
    prompt,
    completion,
    cached_prompt: cachedPrompt,
    input: usdPerMillion(prompt),
    output: usdPerMillion(completion),
    cached_input: cachedPrompt === null ? null : usdPerMillion(cachedPrompt),
    ...(image !== undefined && { image }),
    ...(audioSecond !== undefined && { audio_second: audioSecond }),
    ...(character !== undefined && { character }),
  };
}
