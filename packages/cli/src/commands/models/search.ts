import type { Command } from "../../command.ts";
import { type ModelsListOptions, modelsList } from "./list.ts";

/** `models list` with the search words as arguments. */
export const modelsSearch: Command<ModelsListOptions> = {
  ...modelsList,
  name: "models search",
  summary: "Find models by words",
  arguments: [{ name: "<words...>", summary: "words, owner or size; close spellings are found too" }],
  flags: (modelsList.flags ?? []).filter(({ name }) => !name.startsWith("--search")),
  examples: ["feather models search qwen coder", "feather models search llama --warm -q"],
  options: (words, flags, now) => modelsList.options([], { ...flags, search: words.join(" ") }, now),
};
