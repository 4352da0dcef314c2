import type { Command } from "../../../command.ts";
import { WorkFailedError } from "../../../errors.ts";

/** Replaces the replicas of deployments, one after the other. */
export const adminDeploymentsRedeploy: Command<{ readonly ids: readonly string[] }> = {
  name: "admin deployments redeploy",
  summary: "Replace all replicas of deployments",
  arguments: [{ name: "<ids...>", summary: "deployments", values: "admin-deployments" }],
  confirms: true,
  prints: "json",
  needs: "admin",
  examples: ["feather admin deployments redeploy dep_1 dep_2 --yes"],
  options: (ids) => ({ ids: ids.flat() }),
  async run({ client, confirm, output, signal }, { ids }) {
    await confirm(`Replace all replicas of ${ids.join(", ")}, one after the other?`);
    const response = await (await client()).admin.deployments.redeploy({ ids: [...ids] }, { signal });
    if (output.json) output.printJson(response);
    else for (const { id, ok, error } of response.results) output.print(`${id}\t${ok ? "begun" : (error ?? "failed")}`);
    const failed = response.results.filter(({ ok }) => !ok);
    if (failed.length > 0)
      throw new WorkFailedError(
        `not begun: ${failed.map(({ id }) => id).join(", ")}`,
        "feather admin deployments list",
      );
  },
};
