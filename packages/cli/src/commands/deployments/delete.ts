import type { Command } from "../../command.ts";
import { DEPLOYMENT_ARGUMENT, resolveDeployment } from "./deployment.ts";

/** Deletes a deployment, after confirmation. */
export const deploymentsDelete: Command<{ readonly deployment: string }> = {
  name: "deployments delete",
  summary: "Delete a deployment",
  arguments: [DEPLOYMENT_ARGUMENT],
  confirms: true,
  needs: "sign-in",
  examples: ["feather deployments delete support-bot", "feather deployments delete support-bot --yes"],
  options: ([deployment = ""]) => ({ deployment }),
  async run(context, { deployment }) {
    const { client, confirm, output, signal } = context;
    const feather = await client();
    const { id, name } = await resolveDeployment(context, feather, deployment);
    await confirm(`Delete the deployment ${name}? Its address and token end at once.`);
    await feather.deployments.delete(id, { signal });
    output.info(`Deleted ${name}.`);
  },
};
