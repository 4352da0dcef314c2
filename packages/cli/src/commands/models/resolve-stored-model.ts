import type { Feather } from "@feather/sdk";
import { formatBytes } from "@feather/sdk/format";
import type { Context } from "../../context.ts";
import { pickItem } from "../../pick-item.ts";

/** The argument that names a downloaded model. */
export const STORED_MODEL_ARGUMENT = {
  name: "[id]",
  summary: "model as feather models stored lists it; you are asked at a terminal",
  values: "models",
} as const;

/** Returns the id of a downloaded model, or lets the person pick one. Throws `UsageError` when nobody can be asked. */
export async function resolveStoredModelId(context: Context, feather: Feather, id: string): Promise<string> {
  if (id !== "") return id;
  const { signal } = context;
  return pickItem(context, {
    label: "Model",
    alternative: "the model's id: feather models stored",
    empty: ["nothing was downloaded yet", "feather run"],
    list: async () => (await feather.admin.store.models.list({ signal })).items,
    toChoice: ({ model_id, bytes }) => ({ label: model_id, note: formatBytes(bytes), value: model_id }),
  });
}
