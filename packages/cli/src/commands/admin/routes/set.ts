import type { Command } from "../../../command.ts";
import { ALIAS_FIELDS } from "./route.ts";

/** The alias, and the models that it is to stand for. */
export type RoutesSetOptions = { readonly name: string; readonly models: readonly string[] };

/** Creates an alias of models, or replaces its models. */
export const routesSet: Command<RoutesSetOptions> = {
  name: "admin routes set",
  summary: "Let a name stand for models, tried in this order",
  description: "Calls of the name go to the first of the models that can answer. The id of a model cannot be an alias.",
  arguments: [
    { name: "<name>", summary: "the alias, such as fast or company/default" },
    { name: "<models...>", summary: "models, as owner/name", values: "models" },
  ],
  prints: "one",
  fields: ALIAS_FIELDS,
  needs: "admin",
  examples: [
    "feather admin routes set fast Qwen/Qwen3-8B feather/demo",
    "feather admin routes set company/default Qwen/Qwen3-32B",
  ],
  options: ([name = "", ...models]) => ({ name, models }),
  async run({ client, output, signal }, { name, models }) {
    const { admin } = await client();
    const alias = await admin.routing.aliases.set(name, { models: [...models] }, { signal });
    output.printChange({
      value: alias,
      id: alias.name,
      message: `${alias.name} stands for ${alias.models.join(", ")}.`,
    });
    const { unknown_models: unknown } = alias;
    if (unknown.length > 0) output.info(`Calls pass over what does not exist: ${unknown.join(", ")}.`);
  },
};
