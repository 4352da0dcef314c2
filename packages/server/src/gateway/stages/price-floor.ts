import type { AppError } from "../../platform/core/errors/index.ts";
import { errors } from "../../platform/core/errors/index.ts";
import { usdToFemto } from "../../platform/core/money.ts";
import { findOwnKey } from "../backends/own-keys.ts";
import type { PlacePrice } from "../backends/places/prices.ts";
import type { Backend } from "../backends/registry.ts";
import type { CallableModel } from "../ports.ts";
import type { PriceRates } from "../usage/cost.ts";
import type { UsableBackends } from "./usable-backends.ts";

/** The prices that a provider and the operator both have, by their names at each. */
const RATES = [
  ["prompt", "prompt"],
  ["completion", "completion"],
  ["image", "image"],
  ["audioSecond", "audio_second"],
  ["character", "character"],
] as const satisfies readonly (readonly [keyof PlacePrice, keyof PriceRates])[];

/**
 * Returns those of the backends that do not charge more than the price of the model, which is null if calls of it cost nothing.
 * Kept are also backends that state no price, and those that are called with the organization's own key, which pays.
 */
export function keepAboveCost<Of extends UsableBackends>(
  { backends, ownKeys }: Of,
  { key }: Pick<CallableModel, "key">,
  price: PriceRates | null,
): Backend[] {
  return backends.filter((backend) => {
    const cost = backend.places?.get(key)?.price;
    return !cost || !isBelowCost(price, cost) || findOwnKey({ ownKeys }, backend) !== null;
  });
}

/** Returns the error of a model whose price is below what each of its backends charges. */
export function soldBelowCost(modelId: string): AppError {
  return errors.priceBelowCost({ model: modelId }, { param: "model" });
}

function isBelowCost(price: PriceRates | null, cost: PlacePrice): boolean {
  return RATES.some(([atProvider, here]) => usdToFemto(cost[atProvider] ?? "0") > usdToFemto(price?.[here] ?? "0"));
}
