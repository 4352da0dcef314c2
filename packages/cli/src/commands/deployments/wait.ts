import type { Feather } from "@feather/sdk";
import type { Command } from "../../command.ts";
import type { Context } from "../../context.ts";
import { duration } from "../../flags.ts";
import { durationText } from "../../output/time.ts";
import { waitFor, waitingOf } from "../../wait.ts";
import { DEPLOYMENT_ARGUMENT, DEPLOYMENT_FIELDS, type Deployment, idOf, standingOf } from "./deployment.ts";

/** Waits until a deployment runs with its current settings, or is scaled to zero. Throws `WorkFailedError` and `WaitTimeoutError`. */
export async function waitForDeployment(
  context: Context,
  feather: Feather,
  { id, name, settings_version: version }: Pick<Deployment, "id" | "name" | "settings_version">,
  timeout: number,
): Promise<Deployment> {
  const { now, output, signal } = context;
  const began = now().getTime();
  const found = await waitFor(context, {
    name,
    timeout,
    resume: `feather deployments wait ${name}`,
    look: () => feather.deployments.get(id, { signal }),
    standing: (deployment) => standingOf(deployment, version),
  });
  if (!output.quiet) output.say(`${name} is ready after ${durationText(now().getTime() - began)}.`);
  return found;
}

/** Waits until a deployment is ready, without changing it. */
export const deploymentsWait: Command<{ readonly deployment: string; readonly timeout: number }> = {
  name: "deployments wait",
  summary: "Wait until a deployment serves",
  about: "Ends with 0 when it serves or sleeps, with 5 when it failed or is paused, and with 8 when the time is over.",
  arguments: [DEPLOYMENT_ARGUMENT],
  flags: [{ name: "--timeout <time>", summary: "longest wait, 15m if left out", parse: duration }],
  prints: "one",
  fields: DEPLOYMENT_FIELDS,
  needs: "sign-in",
  examples: ["feather deployments wait support-bot --timeout 10m"],
  options: ([deployment = ""], flags) => ({ deployment, timeout: waitingOf(flags).timeout }),
  async run(context, { deployment, timeout }) {
    const { client, output, signal } = context;
    const feather = await client();
    const id = await idOf(feather, deployment, signal);
    const wanted = await feather.deployments.get(id, { signal });
    const value = await waitForDeployment(context, feather, wanted, timeout);
    output.changed({ value, id, said: `It answers at ${value.url ?? "an address that is not known yet"}` });
  },
};
