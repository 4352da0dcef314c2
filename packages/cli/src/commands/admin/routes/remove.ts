import type { Command } from "../../../command.ts";

/** Removes an alias; asks first. */
export const routesRemove: Command<{ readonly name: string }> = {
  name: "admin routes remove",
  summary: "Remove an alias of models",
  description: "Calls of the name are refused from then on; its models stay.",
  arguments: [{ name: "<name>", summary: "the alias: feather admin routes list" }],
  confirms: true,
  needs: "admin",
  examples: ["feather admin routes remove fast --yes"],
  options: ([name = ""]) => ({ name }),
  async run({ client, confirm, output, signal }, { name }) {
    await confirm(`Remove the alias ${name}? Calls of it are refused from then on.`);
    await (await client()).admin.routing.aliases.delete(name, { signal });
    output.info(`Removed ${name}.`);
  },
};
