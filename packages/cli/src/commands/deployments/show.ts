import type { Command } from "../../command.ts";
import { createDetailView } from "../../views/deployment.ts";
import { DEPLOYMENT_ARGUMENT, DEPLOYMENT_FIELDS, resolveDeployment } from "./deployment.ts";

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
  async run(context, { deployment }) {
    const { client, now, output, signal } = context;
    const feather = await client();
    const { id } = await resolveDeployment(context, feather, deployment);
    output.printDetails(createDetailView(now()), await feather.deployments.get(id, { signal }));
  },
};
