import type { components } from "@feather/openapi/schema";
import { type Backend, type BackendRegistry, isUsable, type PlaceFacts } from "../../gateway/index.ts";
import type { ModelHost } from "../../hosting/hosts/index.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import { usdPerMillion } from "../../platform/core/money.ts";
import { identifyPlace, THIS_SERVER } from "../providers/index.ts";
import type { Viewer } from "./viewer.ts";

type Place = components["schemas"]["ModelPlace"];

type Deps = {
  registry: Pick<BackendRegistry, "candidates">;
  host: Pick<ModelHost, "availability" | "find">;
  clock: Clock;
};

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
  const identity = identifyPlace(backend);
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
