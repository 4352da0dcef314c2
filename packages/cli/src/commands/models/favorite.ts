import type { Command } from "../../command.ts";
import { MODEL_ARGUMENT, resolveModelId } from "./resolve-model.ts";
import { withSuggestions } from "./suggestions.ts";

/** Adds a model to the caller's favorites, or removes it. */
export const modelsFavorite: Command<{ readonly id: string; readonly remove: boolean }> = {
  name: "models favorite",
  summary: "Put a model among your favorites",
  arguments: [MODEL_ARGUMENT],
  flags: [{ name: "--remove", summary: "take it away again" }],
  needs: "sign-in",
  examples: ["feather models favorite Qwen/Qwen3-32B", "feather models favorite Qwen/Qwen3-32B --remove"],
  options: ([id = ""], flags) => ({ id, remove: flags.remove === true }),
  async run(context, { id: given, remove }) {
    const { client, output, signal } = context;
    const feather = await client();
    const id = await resolveModelId(context, feather, given);
    const { favorite, unfavorite } = feather.models;
    await withSuggestions(feather, id, signal, () => (remove ? unfavorite(id, { signal }) : favorite(id, { signal })));
    output.info(remove ? `${id} is no longer a favorite.` : `${id} is a favorite now.`);
  },
};
