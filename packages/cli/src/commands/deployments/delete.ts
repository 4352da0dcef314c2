import type { Command } from "../../command.ts";
import { DEPLOYMENT_ARGUMENT, resolveDeploymentId } from "./deployment.ts";

/** Deletes a deployment, after confirmation. */
export const deploymentsDelete: Command<{ readonly deployment: string }> = {
  name: "deployments delete",
  summary: "Delete a deployment",
  arguments: [DEPLOYMENT_ARGUMENT],
  confirms: true,
  needs: "sign-in",
  examples: ["feather deployments delete support-bot", "feather deployments delete support-bot --yes"],
  options: ([deployment = ""]) => ({ deployment }),
  async run({ client, confirm, output, signal }, { deployment }) {
    const feather = await client();
    const id = await resolveDeploymentId(feather, deployment, signal);
    await confirm(`Delete the deployment ${deployment}? Its address and token end at once.`);
    await feather.deployments.delete(id, { signal });
    output.info(`Deleted ${deployment}.`);
  },
};
