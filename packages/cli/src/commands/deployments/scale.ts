import type { Command } from "../../command.ts";
import { UsageError } from "../../errors.ts";
import { formatReplicas } from "../../views/deployment.ts";
import { parseWaitOptions, type WaitOptions } from "../../wait.ts";
import { DEPLOYMENT_ARGUMENT, DEPLOYMENT_FIELDS, resolveDeployment } from "./deployment.ts";
import { waitForDeployment } from "./wait.ts";

type Options = {
  readonly deployment: string;
  readonly min: number;
  readonly max: number;
  readonly waitOptions: WaitOptions;
};
const MAX_REPLICAS = 100;

/** Sets the range of replicas of a deployment. */
export const deploymentsScale: Command<Options> = {
  name: "deployments scale",
  summary: "Change how many replicas run",
  arguments: [
    { ...DEPLOYMENT_ARGUMENT, name: "<deployment>", summary: "its name, or its id" },
    { name: "<replicas>", summary: "a number, or the least and the most: 0..2" },
  ],
  prints: "one",
  fields: DEPLOYMENT_FIELDS,
  waits: true,
  needs: "sign-in",
  examples: ["feather deployments scale support-bot 2 --wait", "feather deployments scale support-bot 0..4"],
  options: ([deployment = "", replicas = ""], flags) => ({
    deployment,
    ...parseReplicaRange(replicas),
    waitOptions: parseWaitOptions(flags),
  }),
  async run(context, { deployment, min, max, waitOptions }) {
    const { client, output, signal } = context;
    const feather = await client();
    const { id } = await resolveDeployment(context, feather, deployment);
    const changed = await feather.deployments.update(id, { min_replicas: min, max_replicas: max }, { signal });
    const value = waitOptions.wait ? await waitForDeployment(context, feather, changed, waitOptions.timeout) : changed;
    output.printChange({ value, id, message: `${value.name} now runs with ${formatReplicas(value)} replicas.` });
  },
};

/** Parses `2` or `0..2`; a single number is both limits. Throws `UsageError`. */
export function parseReplicaRange(text: string): { readonly min: number; readonly max: number } {
  const [, from = "", to = from] = /^(\d{1,3})(?:\.\.(\d{1,3}))?$/.exec(text) ?? [];
  const [min, max] = [Number(from), Number(to)];
  if (from === "" || min > max || max < 1 || max > MAX_REPLICAS)
    throw new UsageError(
      `${text} is not a number of replicas`,
      `a number from 1 to ${MAX_REPLICAS}, or a range such as 0..2`,
    );
  return { min, max };
}
