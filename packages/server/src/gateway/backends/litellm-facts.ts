import { parseSizeInName } from "../../platform/core/models/model-sizes.ts";
import { isRecord } from "../usage/reported-usage.ts";
import { combineAbilities } from "./places/abilities.ts";
import { readAgreed } from "./places/hosts.ts";
import { type PlaceFacts, readPlaceFacts, toPlaceFacts } from "./places/place-facts.ts";
import { chooseHighest } from "./places/prices.ts";

/** What a LiteLLM proxy says of a model: context in tokens, size in parameters, and more; null if not known. */
export type LitellmFacts = {
  readonly contextLength: number | null;
  readonly parameterSize: number | null;
  readonly place: PlaceFacts | null;
};

/** Requests a path of a server. Returns the JSON of an answer with status 200, otherwise null. */
type Ask = (path: string) => Promise<unknown>;
type Deployment = LitellmFacts & { readonly name: string };

/** Whether a list of models may be one of LiteLLM, which has the same owner in all entries, whatever runs the models. */
export function isLikeLitellm(entries: readonly Record<string, unknown>[]): boolean {
  return entries.length > 0 && entries.every(({ owned_by }) => owned_by === "openai");
}

/**
 * Returns what LiteLLM says of the models behind its names. A name stands for one or several models: the shortest context,
 * the largest size and the highest price hold for it, and none is known if that of one of them is not. Empty for another
 * program.
 */
export async function readLitellmFacts(ask: Ask): Promise<ReadonlyMap<string, LitellmFacts>> {
  const answer = await ask("/model/info");
  const data = isRecord(answer) && Array.isArray(answer.data) ? answer.data.filter(isRecord) : [];
  const byName = Map.groupBy(data.flatMap(toDeployment), ({ name }) => name);
  return new Map(
    [...byName].map(([name, deployments]) => [
      name,
      {
        contextLength: combine(deployments, "contextLength", Math.min),
        parameterSize: combine(deployments, "parameterSize", Math.max),
        place: combinePlaces(deployments.map(({ place }) => place)),
      },
    ]),
  );
}

function toDeployment({ model_name, litellm_params, model_info }: Record<string, unknown>): Deployment[] {
  if (typeof model_name !== "string" || !isRecord(litellm_params)) return [];
  const { model } = litellm_params;
  const info = isRecord(model_info) ? model_info : {};
  const tokens = info.max_input_tokens;
  return [
    {
      name: model_name,
      contextLength: typeof tokens === "number" && Number.isSafeInteger(tokens) && tokens > 0 ? tokens : null,
      parameterSize: typeof model === "string" ? parseSizeInName(model) : null,
      place: readPlaceFacts(info, typeof model === "string" ? [model] : []),
    },
  ];
}

function combine(
  deployments: readonly Deployment[],
  field: "contextLength" | "parameterSize",
  choose: (...values: number[]) => number,
): number | null {
  const values = deployments.flatMap((deployment) => deployment[field] ?? []);
  return values.length === deployments.length ? choose(...values) : null;
}

function combinePlaces(places: readonly (PlaceFacts | null)[]): PlaceFacts | null {
  const [first] = places;
  if (places.length === 1 || first === undefined) return first ?? null;
  const known = places.flatMap((place) => place ?? []);
  if (known.length < places.length) return null;
  return toPlaceFacts({
    price: chooseHighest(known.map(({ price }) => price)),
    quantization: readAgreed(known.map(({ quantization }) => quantization)),
    abilities: combineAbilities(known.map(({ abilities }) => abilities)),
  });
}
