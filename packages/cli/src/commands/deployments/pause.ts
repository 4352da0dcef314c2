import type { Command } from "../../command.ts";
import { parseWaitOptions, type WaitOptions } from "../../wait.ts";
import { DEPLOYMENT_ARGUMENT, DEPLOYMENT_FIELDS, resolveDeployment } from "./deployment.ts";
import { waitForDeployment } from "./wait.ts";

/** Stops the replicas of a deployment and keeps its settings. */
export const deploymentsPause: Command<{ readonly deployment: string }> = {
  name: "deployments pause",
  summary: "Stop all replicas and keep the settings",
  arguments: [DEPLOYMENT_ARGUMENT],
  prints: "one",
  fields: DEPLOYMENT_FIELDS,
  needs: "sign-in",
  examples: ["feather deployments pause support-bot"],
  options: ([deployment = ""]) => ({ deployment }),
  async run(context, { deployment }) {
    const { client, output, signal } = context;
    const feather = await client();
    const { id } = await resolveDeployment(context, feather, deployment);
    const value = await feather.deployments.pause(id, { signal });
    output.printChange({
      value,
      id,
      message: `${value.name} is paused. Start it: feather deployments resume ${value.name}`,
    });
  },
};

/** Starts a paused deployment. */
export const deploymentsResume: Command<{ readonly deployment: string; readonly waitOptions: WaitOptions }> = {
  name: "deployments resume",
  summary: "Start a paused deployment",
  arguments: [DEPLOYMENT_ARGUMENT],
  prints: "one",
  fields: DEPLOYMENT_FIELDS,
  waits: true,
  needs: "sign-in",
  examples: ["feather deployments resume support-bot --wait"],
  options: ([deployment = ""], flags) => ({ deployment, waitOptions: parseWaitOptions(flags) }),
  async run(context, { deployment, waitOptions }) {
    const { client, output, signal } = context;
    const feather = await client();
    const { id } = await resolveDeployment(context, feather, deployment);
    const resumed = await feather.deployments.resume(id, { signal });
    const value = waitOptions.wait ? await waitForDeployment(context, feather, resumed, waitOptions.timeout) : resumed;
    output.printChange({ value, id, message: `${value.name} is started.` });
  },
};
