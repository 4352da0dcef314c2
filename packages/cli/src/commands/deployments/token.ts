import type { Command } from "../../command.ts";
import { DEPLOYMENT_ARGUMENT, resolveDeployment } from "./deployment.ts";

/** Replaces the token of a deployment, after confirmation. Only the new token goes to stdout, so that it can be piped. */
export const deploymentsToken: Command<{ readonly deployment: string }> = {
  name: "deployments token",
  summary: "Replace the token of a deployment and print the new one",
  arguments: [DEPLOYMENT_ARGUMENT],
  prints: "secret",
  confirms: true,
  needs: "sign-in",
  examples: ["feather deployments token support-bot", "TOKEN=$(feather deployments token support-bot --yes)"],
  options: ([deployment = ""]) => ({ deployment }),
  async run(context, { deployment }) {
    const { client, confirm, output, signal } = context;
    const feather = await client();
    const { id, name } = await resolveDeployment(context, feather, deployment);
    await confirm(`Replace the token of ${name}? The one before stops working at once.`);
    const response = await feather.deployments.rotateToken(id, { signal });
    output.printSecret({
      value: response,
      secret: response.token,
      message: `The new token of ${name} is shown this one time; keep it safe.`,
    });
  },
};
