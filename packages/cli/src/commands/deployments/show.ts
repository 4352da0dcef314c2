import type { Command } from "../../command.ts";
import { createDetailView, DEPLOYMENT_ARGUMENT, DEPLOYMENT_FIELDS, resolveDeploymentId } from "./deployment.ts";

/** Shows one deployment. */
export const deploymentsShow: Command<{ readonly deployment: string }> = {
  name: "deployments show",
  summary: "Show a deployment",
  arguments: [DEPLOYMENT_ARGUMENT],
  prints: "one",
  fields: DEPLOYMENT_FIELDS,
  needs: "sign-in",
  examples: ["feather deployments show support-bot", "feather deployments show support-bot --jq .url"],
  options: ([deployment = ""]) => ({ deployment }),
  async run({ client, now, output, signal }, { deployment }) {
    const feather = await client();
    const id = await resolveDeploymentId(feather, deployment, signal);
    output.printDetails(createDetailView(now()), await feather.deployments.get(id, { signal }));
  },
};
