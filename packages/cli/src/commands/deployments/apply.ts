import type { Feather } from "@feather/sdk";
import type { Command } from "../../command.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../errors.ts";
import { collect, givenOften } from "../../flags.ts";
import type { Listing } from "../../output/index.ts";
import { type Waiting, waitingOf } from "../../wait.ts";
import { allDeployments, type Deployment, standingOf } from "./deployment.ts";
import { manifestsOf } from "./file.ts";
import { changesText, planOf, type Step, updateOf } from "./plan.ts";
import { waitForDeployment } from "./wait.ts";

type Options = {
  readonly files: readonly string[];
  readonly dryRun: boolean;
  readonly prune: boolean;
  readonly waiting: Waiting;
};

/** Applies manifest files: creates missing deployments, updates those that differ, and leaves the rest unchanged. */
export const deploymentsApply: Command<Options> = {
  name: "deployments apply",
  summary: "Make deployments as files describe them",
  about:
    "A file is YAML or JSON, with one deployment in each document and the fields of the API; `feather " +
    "deployments schema` describes it to editors. Several files are applied as if they were one. Fields that are left " +
    "out stay as they are. The second time nothing is done. Ids are printed on stdout, and what was done on stderr.",
  flags: [
    { name: "-f, --file <path>", summary: "a file; - is stdin; may be given often", values: "files", parse: collect },
    { name: "--dry-run", summary: "print what would be done, and do nothing" },
    { name: "--prune", summary: "delete the deployments of the organization that no file names" },
  ],
  prints: "list",
  fields: ["action", "name", "id", "changes"],
  asks: true,
  waits: true,
  needs: "sign-in",
  examples: [
    "feather deployments apply -f deployment.yaml --dry-run",
    "feather deployments apply -f deployment.yaml --yes --wait --timeout 20m",
  ],
  options: (_, flags) => {
    const files = givenOften(flags.file);
    if (files.length === 0) throw new UsageError("no file was given", "-f deployment.yaml");
    return { files, dryRun: flags.dryRun === true, prune: flags.prune === true, waiting: waitingOf(flags) };
  },
  async run(context, { files, dryRun, prune, waiting }) {
    const { client, confirm, io, output, signal } = context;
    const manifests = await manifestsOf(io, files);
    const feather = await client();
    const plan = planOf(manifests, await allDeployments(feather, signal), prune);
    const listing = listingOf(io.env.unicode);
    if (dryRun) {
      output.list(listing, plan, plan.map(shown));
      return;
    }
    if (!output.quiet) for (const step of plan) output.say(lineOf(step, plan, io.env.unicode));
    const work = plan.filter(({ action }) => action !== "unchanged");
    if (work.length > 0) await confirm(questionOf(work));
    const whole = output.mode === "json" || output.mode === "csv";
    const done: Done[] = [];
    try {
      // Ids are printed as soon as they are known: later steps may take long, or fail.
      for await (const one of carryOut(feather, plan, signal)) {
        done.push(one);
        if (!whole) output.print(one.step.id ?? "");
      }
      if (waiting.wait) await waitForAll(context, feather, done, waiting.timeout);
    } finally {
      const steps = done.map(({ step }) => step);
      if (whole) output.list(listing, steps, steps.map(shown));
    }
  },
};

/** A completed step and its deployment; null after a deletion. */
type Done = { readonly step: Step; readonly deployment: Deployment | null };

/** Runs all steps without waiting for the deployments, so that they start in parallel. */
async function* carryOut({ deployments }: Feather, plan: readonly Step[], signal: AbortSignal): AsyncGenerator<Done> {
  for (const step of plan) {
    const deployment = await carryOutOne(deployments, step, signal);
    yield { step: { ...step, id: deployment?.id ?? step.id }, deployment };
  }
}

async function carryOutOne(deployments: Feather["deployments"], step: Step, signal: AbortSignal) {
  const { action, id, manifest } = step;
  if (action === "create" && manifest !== undefined) return deployments.create(manifest, { signal });
  if (id === null) return null;
  if (action === "update") return deployments.update(id, updateOf(step), { signal });
  if (action === "delete") await deployments.delete(id, { signal });
  // An earlier run may have ended before the deployment was ready.
  return action === "unchanged" ? deployments.get(id, { signal }) : null;
}

async function waitForAll(context: Context, feather: Feather, done: readonly Done[], timeout: number): Promise<void> {
  const ends = context.now().getTime() + timeout;
  for (const { step, deployment } of done) {
    if (deployment === null) continue;
    const isThere = standingOf(deployment, deployment.settings_version).ended !== undefined;
    if (step.action === "unchanged" && isThere) continue;
    await waitForDeployment(context, feather, deployment, Math.max(0, ends - context.now().getTime()));
  }
}

function questionOf(work: readonly Step[]): string {
  const lost = work.filter(({ action }) => action === "delete").map(({ name }) => name);
  const asked = work.length === 1 ? "Apply this change?" : `Apply these ${work.length} changes?`;
  return lost.length === 0 ? asked : `${asked} Deleted for ever: ${lost.join(", ")}.`;
}

function lineOf(step: Step, plan: readonly Step[], unicode: boolean): string {
  const width = Math.max(...plan.map(({ name }) => name.length));
  const text = changesText(step, unicode);
  return `${step.name.padEnd(width)}   ${step.action}${text === "" ? "" : `   ${text}`}`;
}

const shown = ({ action, name, id, changes }: Step) => ({ action, name, id, changes });

function listingOf(unicode: boolean): Listing<Step> {
  return {
    columns: [
      { header: "NAME", cell: ({ name }) => name, paint: (text, style) => style.bold(text) },
      { header: "ACTION", cell: ({ action }) => action },
      {
        header: "CHANGES",
        cell: (step) => changesText(step, unicode),
        plain: ({ changes }) => (changes.length === 0 ? "" : JSON.stringify(changes)),
        yields: 1,
      },
    ],
    id: ({ id, name }) => id ?? name,
    noun: "deployments",
    empty: "There is nothing to do.",
  };
}
