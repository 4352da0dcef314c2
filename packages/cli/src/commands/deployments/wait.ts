import type { Deployment, Feather } from "@feather/sdk";
import type { Command } from "../../command.ts";
import type { Context } from "../../context.ts";
import { parseDuration } from "../../flags.ts";
import { formatDuration } from "../../output/time.ts";
import { parseWaitOptions, waitFor } from "../../wait.ts";
import { DEPLOYMENT_ARGUMENT, DEPLOYMENT_FIELDS, resolveDeployment, toWorkStatus } from "./deployment.ts";

/** Waits until a deployment runs with its current settings, or is scaled to zero. Throws `WorkFailedError` and `WaitTimeoutError`. */
export async function waitForDeployment(
  context: Context,
  feather: Feather,
  { id, name, settings_version: version }: Pick<Deployment, "id" | "name" | "settings_version">,
  timeout: number,
): Promise<Deployment> {
  const { now, output, signal } = context;
  const startedAt = now().getTime();
  const found = await waitFor(context, {
    name,
    timeout,
    resume: `feather deployments wait ${name}`,
    poll: () => feather.deployments.get(id, { signal }),
    status: (deployment) => toWorkStatus(deployment, version),
  });
  if (!output.quiet) output.info(`${name} is ready after ${formatDuration(now().getTime() - startedAt)}.`);
  return found;
}

/** Waits until a deployment is ready, without changing it. */
export const deploymentsWait: Command<{ readonly deployment: string; readonly timeout: number }> = {
  name: "deployments wait",
  summary: "Wait until a deployment serves",
  description:
    "Ends with 0 when it serves or sleeps, with 5 when it failed or is paused, and with 8 when the time is over.",
  arguments: [DEPLOYMENT_ARGUMENT],
  flags: [{ name: "--timeout <time>", summary: "longest wait, 15m if left out", parse: parseDuration }],
  prints: "one",
  fields: DEPLOYMENT_FIELDS,
  needs: "sign-in",
  examples: ["feather deployments wait support-bot --timeout 10m"],
  options: ([deployment = ""], flags) => ({ deployment, timeout: parseWaitOptions(flags).timeout }),
  async run(context, { deployment, timeout }) {
    const { client, output, signal } = context;
    const feather = await client();
    const { id } = await resolveDeployment(context, feather, deployment);
    const current = await feather.deployments.get(id, { signal });
    const value = await waitForDeployment(context, feather, current, timeout);
    output.printChange({ value, id, message: `It answers at ${value.url ?? "an address that is not known yet"}` });
  },
};
