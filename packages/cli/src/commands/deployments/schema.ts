import type { Command } from "../../command.ts";

/** Prints the JSON Schema of manifests, for editors. */
export const deploymentsSchema: Command<undefined> = {
  name: "deployments schema",
  summary: "Print the JSON Schema of manifests, for editors",
  description:
    "In editors with a YAML language server, begin the file with `# yaml-language-server: $schema=deployment.schema.json`.",
  prints: "json",
  examples: ["feather deployments schema > deployment.schema.json"],
  options: () => undefined,
  async run({ output }) {
    const { MANIFEST_SCHEMA } = await import("./schema.generated.ts");
    if (output.json) output.printJson(MANIFEST_SCHEMA);
    else output.print(JSON.stringify(MANIFEST_SCHEMA, null, 2));
  },
};
