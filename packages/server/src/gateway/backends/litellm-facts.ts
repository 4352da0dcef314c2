import { parseSizeInName } from "../../platform/core/models/model-sizes.ts";
import { isRecord } from "../usage/reported-usage.ts";

/** What a LiteLLM proxy says of a model: context in tokens and size in parameters; null if not known. */
export type LitellmFacts = { readonly contextLength: number | null; readonly parameterSize: number | null };

/** Requests a path of a server. Returns the JSON of an answer with status 200, otherwise null. */
type Ask = (path: string) => Promise<unknown>;
type Deployment = LitellmFacts & { readonly name: string };

/** Whether a list of models may be one of LiteLLM, which has the same owner in all entries, whatever runs the models. */
export function isLikeLitellm(entries: readonly Record<string, unknown>[]): boolean {
  return entries.length > 0 && entries.every(({ owned_by }) => owned_by === "openai");
}

/**
 * Returns what LiteLLM says of the models behind its names. A name stands for one or several models: the shortest context
 * and the largest size hold for it, and neither is known if that of one of them is not. Empty for another program.
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
      },
    ]),
  );
}

function toDeployment({ model_name, litellm_params, model_info }: Record<string, unknown>): Deployment[] {
  if (typeof model_name !== "string" || !isRecord(litellm_params)) return [];
  const { model } = litellm_params;
  const tokens = isRecord(model_info) ? model_info.max_input_tokens : null;
  return [
    {
      name: model_name,
      contextLength: typeof tokens === "number" && Number.isSafeInteger(tokens) && tokens > 0 ? tokens : null,
      parameterSize: typeof model === "string" ? parseSizeInName(model) : null,
    },
  ];
}

function combine(
  deployments: readonly Deployment[],
  field: keyof LitellmFacts,
  choose: (...values: number[]) => number,
): number | null {
  const values = deployments.flatMap((deployment) => deployment[field] ?? []);
  return values.length === deployments.length ? choose(...values) : null;
}
