import { errors } from "../../platform/core/errors/index.ts";
import type { Backend } from "../backends/registry.ts";
import type { ResolvedCall } from "../call.ts";
import type { ProviderPreferences } from "../formats/parsed-request.ts";
import { filterStrictBackends } from "../upstream/parameters.ts";

type RoutedCall = Pick<ResolvedCall, "kind" | "body" | "ignored" | "carried" | "model">;

const TOKENS_PER_PRICE = 1_000_000;

/**
 * Returns those of a model's backends that may answer a call, best first. Throws `no_matching_place` if there is none, and
 * `unsupported_parameter` if none takes all parameters although all have to be taken.
 */
export function applyPreferences(
  backends: readonly Backend[],
  call: RoutedCall,
  preferences: ProviderPreferences,
): Backend[] {
  const { model } = call;
  const permitted = backends.filter((backend) => isPermitted(backend, model.key, preferences));
  const ordered = order(sort(permitted, model.key, preferences.sort ?? null), preferences);
  const [first] = ordered;
  if (first === undefined) throw noMatchingPlace(model.id, backends);
  const tried = preferences.allow_fallbacks === false && !preferences.order ? [first] : ordered;
  return preferences.require_parameters === true ? takingAll(tried, call) : tried;
}

function isPermitted(
  backend: Backend,
  modelKey: string,
  { only, ignore, quantizations, max_price }: ProviderPreferences,
): boolean {
  const { place } = backend;
  if (only && !only.includes(place)) return false;
  if (ignore?.includes(place)) return false;
  if (quantizations && !hasQuantization(backend, modelKey, quantizations)) return false;
  if (!max_price) return true;
  const price = readPrice(backend, modelKey);
  const isWithin = (charged: number, limit: number | null | undefined) =>
    charged <= (limit ?? Number.POSITIVE_INFINITY);
  return price !== null && isWithin(price.prompt, max_price.prompt) && isWithin(price.completion, max_price.completion);
}

function hasQuantization({ places }: Backend, modelKey: string, accepted: readonly string[]): boolean {
  const stated = places?.get(modelKey)?.quantization?.toLowerCase();
  return stated !== undefined && accepted.some((name) => name.toLowerCase() === stated);
}

/** Returns what a backend charges for a million tokens; null if it is unknown. This server charges nothing. */
function readPrice(backend: Backend, modelKey: string): { prompt: number; completion: number } | null {
  if (backend.place === "server") return { prompt: 0, completion: 0 };
  const price = backend.places?.get(modelKey)?.price;
  if (!price) return null;
  return { prompt: Number(price.prompt) * TOKENS_PER_PRICE, completion: Number(price.completion) * TOKENS_PER_PRICE };
}

/** Sorts backends; those of which the figure is unknown stay behind the others in their order. */
function sort(backends: Backend[], modelKey: string, by: ProviderPreferences["sort"]): Backend[] {
  if (!by) return backends;
  const rankOf = (backend: Backend): number => {
    const speed = backend.speeds.get(modelKey);
    if (by === "latency") return speed?.firstTokenMs ?? Number.MAX_VALUE;
    if (by === "throughput") return -(speed?.tokensPerSecond ?? 0);
    const price = readPrice(backend, modelKey);
    return price === null ? Number.MAX_VALUE : price.prompt + price.completion;
  };
  return backends.toSorted((a, b) => rankOf(a) - rankOf(b));
}

function order(backends: Backend[], { order: places, allow_fallbacks }: ProviderPreferences): Backend[] {
  if (!places) return backends;
  const rankOf = (backend: Backend): number => {
    const rank = places.indexOf(backend.place);
    return rank === -1 ? places.length : rank;
  };
  const named = allow_fallbacks === false ? backends.filter((backend) => rankOf(backend) < places.length) : backends;
  return named.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** Keeps the backends that take all parameters. What a list says of tools counts as well. */
function takingAll(backends: readonly Backend[], call: RoutedCall): Backend[] {
  const asksTools = Array.isArray(call.body.tools);
  const able = backends.filter(({ places }) => !asksTools || places?.get(call.model.key)?.abilities.tools !== false);
  if (able.length === 0)
    throw errors.unsupportedParameter(`No place where ${call.model.id} answers takes tools.`, { param: "tools" });
  return filterStrictBackends({ ...call, backends: able });
}

function noMatchingPlace(modelId: string, backends: readonly Backend[]) {
  const places = [...new Set(backends.map(({ place }) => place))];
  return errors.noMatchingPlace(
    `${modelId} answers at ${places.join(", ")} now, and none of these is what provider asks for.`,
    { param: "provider", details: { places } },
  );
}
