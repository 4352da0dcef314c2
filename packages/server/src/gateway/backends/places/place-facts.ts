import { type PlaceAbilities, readAbilities } from "./abilities.ts";
import { type PlacePrice, readPrice } from "./prices.ts";
import { readQuantization } from "./quantization.ts";

/**
 * What a backend says of one of its models, beside its context and the limit of its answers. Null stands for what it does
 * not say.
 */
export type PlaceFacts = {
  readonly price: PlacePrice | null;
  /** The format of the weights, such as `FP8` or `Q4_K_M`. */
  readonly quantization: string | null;
  readonly abilities: PlaceAbilities;
};

/** Returns what an entry of a list of models and the names of the model say; null if they say nothing. */
export function readPlaceFacts(entry: Record<string, unknown>, names: readonly string[]): PlaceFacts | null {
  return toPlaceFacts({
    price: readPrice(entry),
    quantization: readQuantization(names),
    abilities: readAbilities(entry),
  });
}

/** Returns the given facts; null if none of them is known, so that long lists of bare names need no memory for them. */
export function toPlaceFacts(facts: PlaceFacts): PlaceFacts | null {
  const { price, quantization, abilities } = facts;
  const isKnown =
    price !== null || quantization !== null || Object.values(abilities).some((ability) => ability !== null);
  return isKnown ? facts : null;
}
