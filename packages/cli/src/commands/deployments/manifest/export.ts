import type { Deployment } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import { listAllDeployments, resolveDeployment } from "../deployment.ts";

/** Prints deployments as a file that `deployments apply` takes. */
export const deploymentsExport: Command<{ readonly deployment: string | undefined }> = {
  name: "deployments export",
  summary: "Print deployments as a file for apply",
  description:
    "All deployments of the organization, or the one that is named, as YAML with every field that a file can have.",
  arguments: [{ name: "[deployment]", summary: "its name, or its id; all if left out", values: "deployments" }],
  prints: "json",
  needs: "sign-in",
  examples: ["feather deployments export > deployments.yaml", "feather deployments export support-bot"],
  options: ([deployment]) => ({ deployment }),
  async run(context, { deployment }) {
    const { client, output, signal } = context;
    const feather = await client();
    const found =
      deployment === undefined
        ? (await listAllDeployments(feather, signal)).filter(({ state }) => state !== "deleting")
        : [await feather.deployments.get((await resolveDeployment(context, feather, deployment)).id, { signal })];
    const [{ MANIFEST_SCHEMA }, { stringify }] = await Promise.all([import("../schema.generated.ts"), import("yaml")]);
    const fields = Object.keys(MANIFEST_SCHEMA.properties);
    const manifests = found.map((one) => toManifest(one, fields));
    if (output.json) output.printJson(manifests);
    else output.print(manifests.map((manifest) => stringify(manifest).trimEnd()).join("\n---\n"));
  },
};

/** Returns the fields of a deployment that a manifest can have and that have a value. */
function toManifest(deployment: Deployment, fields: readonly string[]): object {
  const values = new Map<string, unknown>(Object.entries(deployment));
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = values.get(field);
      return value === null || value === undefined ? [] : [[field, value]];
    }),
  );
}
