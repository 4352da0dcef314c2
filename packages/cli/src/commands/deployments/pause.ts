import type { Command } from "../../command.ts";
import { type Waiting, waitingOf } from "../../wait.ts";
import { DEPLOYMENT_ARGUMENT, DEPLOYMENT_FIELDS, idOf } from "./deployment.ts";
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
  async run({ client, output, signal }, { deployment }) {
    const feather = await client();
    const id = await idOf(feather, deployment, signal);
    const value = await feather.deployments.pause(id, { signal });
    output.changed({ value, id, said: `${value.name} is paused. Start it: feather deployments resume ${value.name}` });
  },
};

/** Starts a paused deployment. */
export const deploymentsResume: Command<{ readonly deployment: string; readonly waiting: Waiting }> = {
  name: "deployments resume",
  summary: "Start a paused deployment",
  arguments: [DEPLOYMENT_ARGUMENT],
  prints: "one",
  fields: DEPLOYMENT_FIELDS,
  waits: true,
  needs: "sign-in",
  examples: ["feather deployments resume support-bot --wait"],
  options: ([deployment = ""], flags) => ({ deployment, waiting: waitingOf(flags) }),
  async run(context, { deployment, waiting }) {
    const { client, output, signal } = context;
    const feather = await client();
    const id = await idOf(feather, deployment, signal);
    const resumed = await feather.deployments.resume(id, { signal });
    const value = waiting.wait ? await waitForDeployment(context, feather, resumed, waiting.timeout) : resumed;
    output.changed({ value, id, said: `${value.name} is started.` });
  },
};
