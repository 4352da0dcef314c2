import type { Feather } from "@feather/sdk";
import type { Context } from "../../context.ts";
import { pickItem } from "../../pick-item.ts";
import { formatState } from "../../views/model.ts";

/** The argument that names a model. */
export const MODEL_ARGUMENT = {
  name: "[id]",
  summary: "model, as owner/name; you are asked at a terminal",
  values: "models",
} as const;

/** How many models are offered; typing finds one of them. */
const CHOICES = 100;

/** Returns the id of a model, or lets the person pick one. Throws `UsageError` when nobody can be asked. */
export async function resolveModelId(context: Context, feather: Feather, id: string): Promise<string> {
  if (id !== "") return id;
  const { now, signal } = context;
  return pickItem(context, {
    label: "Model",
    alternative: "the model's id: feather models list",
    empty: ["there are no models yet", "feather models pull <id>"],
    list: async () => (await feather.models.list({ perPage: CHOICES }, { signal })).items,
    toChoice: (model) => ({ label: model.id, note: formatState(model, now()), value: model.id }),
  });
}
