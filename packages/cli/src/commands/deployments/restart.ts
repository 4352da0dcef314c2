import type { Deployment, Feather } from "@feather/sdk";
import type { Command } from "../../command.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../errors.ts";
import { parseWaitOptions, type WaitOptions, waitFor } from "../../wait.ts";
import { DEPLOYMENT_ARGUMENT, DEPLOYMENT_FIELDS, resolveDeployment } from "./deployment.ts";
import { waitForDeployment } from "./wait.ts";

/** Stops all replicas of a deployment and starts it again. */
export const deploymentsRestart: Command<{ readonly deployment: string; readonly waitOptions: WaitOptions }> = {
  name: "deployments restart",
  summary: "Stop all replicas and start them again",
  description: "It answers nothing meanwhile. When it does not stop within the time of --timeout, it stays paused.",
  arguments: [DEPLOYMENT_ARGUMENT],
  prints: "one",
  fields: DEPLOYMENT_FIELDS,
  waits: true,
  needs: "sign-in",
  examples: ["feather deployments restart support-bot --wait"],
  options: ([deployment = ""], flags) => ({ deployment, waitOptions: parseWaitOptions(flags) }),
  async run(context, { deployment, waitOptions: { wait, timeout } }) {
    const { client, now, output, signal } = context;
    const feather = await client();
    const { id } = await resolveDeployment(context, feather, deployment);
    const { name, state } = await feather.deployments.get(id, { signal });
    if (state === "paused") throw new UsageError(`${name} is paused`, `feather deployments resume ${name}`);
    const deadline = now().getTime() + timeout;
    await stopReplicas(context, feather, await feather.deployments.pause(id, { signal }), timeout);
    const resumed = await feather.deployments.resume(id, { signal });
    const remainingMs = Math.max(0, deadline - now().getTime());
    const value = wait ? await waitForDeployment(context, feather, resumed, remainingMs) : resumed;
    output.printChange({ value, id, message: `${name} is started again.` });
  },
};

/** Waits until a paused deployment has no replicas: resumed before, it would keep them. */
async function stopReplicas(
  context: Context,
  feather: Feather,
  { id, name, settings_version: version }: Deployment,
  timeout: number,
): Promise<void> {
  await waitFor(context, {
    name,
    timeout,
    resume: `feather deployments resume ${name}, once it has stopped`,
    poll: () => feather.deployments.get(id, { signal: context.signal }),
    status: ({ state, observed_settings_version: observed, ready_replicas: ready }) => ({
      state: state === "paused" && ready > 0 ? "stopping" : state.replaceAll("_", " "),
      ...(observed >= version && state === "paused" && ready === 0 && { outcome: "succeeded" as const }),
    }),
  });
}
