import { errors } from "../../platform/core/errors/index.ts";
import { isUsable } from "../backends/backend-health.ts";
import { isFresh } from "../backends/places/speeds.ts";
import type { Backend } from "../backends/registry.ts";
import type { ResolvedCall } from "../call.ts";
import type { ProviderPreferences } from "../formats/parsed-request.ts";
import type { BackendOrder } from "../ports.ts";
import { filterStrictBackends } from "../upstream/parameters.ts";

/** What a caller prefers, the operator's order of backends, and the present time in milliseconds since 1970. */
type Rules = { preferences: ProviderPreferences; order: BackendOrder; nowMs: number };
type RoutedCall = Pick<ResolvedCall, "kind" | "body" | "ignored" | "carried" | "model">;

const TOKENS_PER_PRICE = 1_000_000;

/**
 * Returns those of a model's backends that may answer a call, best first: in the caller's order, otherwise in that of the
 * operator. Throws `no_matching_place` if there is none, and
 * `unsupported_parameter` if none takes all parameters although all have to be taken.
 */
export function applyPreferences(
  backends: readonly Backend[],
  call: RoutedCall,
  { preferences, order: ownOrder, nowMs }: Rules,
): Backend[] {
  const { model } = call;
  const permitted = backends.filter((backend) => isPermitted(backend, model.key, preferences));
  const isCallers = Boolean(preferences.sort);
  const sorted = sort(permitted, { modelKey: model.key, by: preferences.sort ?? ownOrder, isCallers, nowMs });
  const ordered = order(sorted, preferences);
  const [first] = ordered;
  if (first === undefined) throw noMatchingPlace(model.id, backends);
  const tried = preferences.allow_fallbacks === false && !preferences.order ? [first] : ordered;
  return preferences.require_parameters === true ? takingAll(tried, call) : tried;
}

/** By what the backend of a call was chosen, as in the contract's receipt. */
type ChosenBy = "only" | "caller" | BackendOrder;

/** Returns by what the backend of a call was chosen; null where the operator's order does not hold. */
export function readChosenBy({ preferences = {}, order, backends }: ResolvedCall): ChosenBy | null {
  if (order === undefined) return null;
  const { sort, order: places, only, ignore, quantizations, max_price } = preferences;
  if (sort || places) return "caller";
  if (backends.length > 1) return order;
  return only || ignore || quantizations || max_price ? "caller" : "only";
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

type Sorting = { modelKey: string; by: BackendOrder; isCallers: boolean; nowMs: number };

/**
 * Sorts backends. Those that compare equal stay in their order, in which those with the least to do are first, and those that
 * probably do not answer stay behind all others.
 */
function sort(backends: Backend[], sorting: Sorting): Backend[] {
  if (sorting.by === "balanced") return backends;
  const isDown = (backend: Backend) => Number(!isUsable(backend, sorting.nowMs));
  return backends.toSorted((a, b) => isDown(a) - isDown(b) || rankOf(a, sorting) - rankOf(b, sorting));
}

/** Returns the rank of a backend, lowest first. */
function rankOf(backend: Backend, { modelKey, by, isCallers, nowMs }: Sorting): number {
  if (by === "own_first") return backend.hosted === "here" ? 0 : 1;
  if (by === "price") {
    const price = readPrice(backend, modelKey);
    return price === null ? Number.MAX_VALUE : price.prompt + price.completion;
  }
  const speed = backend.speeds.get(modelKey);
  const isKnown = speed !== undefined && isFresh(speed, nowMs);
  const figure = isKnown ? (by === "latency" ? speed.firstTokenMs : negate(speed.tokensPerSecond)) : null;
  // Under the operator's order nothing else would find out how fast it is. One call at a time is enough for that.
  const isTriedOut = !isCallers && !isKnown && backend.inFlight === 0;
  return figure ?? (isTriedOut ? -Number.MAX_VALUE : Number.MAX_VALUE);
}

const negate = (figure: number | null): number | null => (figure === null ? null : -figure);

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
