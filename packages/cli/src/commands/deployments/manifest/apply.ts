import type { Deployment, Feather } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import type { Context } from "../../../context.ts";
import { DifferenceError, UsageError } from "../../../errors.ts";
import { collect, repeatedTexts } from "../../../flags.ts";
import type { TableView } from "../../../output/index.ts";
import { parseWaitOptions, type WaitOptions } from "../../../wait.ts";
import { listAllDeployments, toWorkStatus } from "../deployment.ts";
import { fillPlaces } from "../place.ts";
import { waitForDeployment } from "../wait.ts";
import { checkSteps } from "./check-plan.ts";
import { loadManifests } from "./manifest-files.ts";
import { formatChanges, planSteps, type Step, toUpdateBody } from "./plan.ts";

type Options = {
  readonly files: readonly string[];
  readonly dryRun: boolean;
  /** Whether a dry run that finds differences ends with its own exit code. */
  readonly exitCode: boolean;
  readonly prune: boolean;
  readonly waitOptions: WaitOptions;
};

/** Applies manifest files: creates missing deployments, updates those that differ, and leaves the rest unchanged. */
export const deploymentsApply: Command<Options> = {
  name: "deployments apply",
  summary: "Make deployments as files describe them",
  description:
    "A file is YAML or JSON, with one deployment in each document and the fields of the API; `feather " +
    "deployments schema` describes it to editors. Several files are applied as if they were one. Fields that are left " +
    "out stay as they are; a new deployment that does not say where it runs gets the only provider, region and type of " +
    "machine, or local, here and cpu among several. The second time nothing is done. The ids of what remains are printed on stdout, and what was " +
    "done on stderr.",
  flags: [
    { name: "-f, --file <path>", summary: "a file; - is stdin; may be given often", values: "files", parse: collect },
    { name: "--dry-run", summary: "check with the server and print what would be done, and do nothing" },
    { name: "--exit-code", summary: "with --dry-run: end with 6 when something would be done" },
    { name: "--prune", summary: "delete the deployments of the organization that no file names" },
  ],
  prints: "list",
  fields: ["action", "name", "id", "changes"],
  confirms: true,
  waits: true,
  needs: "sign-in",
  examples: [
    "feather deployments apply -f deployment.yaml --dry-run --exit-code",
    "feather deployments apply -f deployment.yaml --yes --wait --timeout 20m",
  ],
  options: (_, flags) => {
    const files = repeatedTexts(flags.file);
    if (files.length === 0) throw new UsageError("no file was given", "-f deployment.yaml");
    const dryRun = flags.dryRun === true;
    if (flags.exitCode === true && !dryRun) throw new UsageError("--exit-code goes with --dry-run only");
    return {
      files,
      dryRun,
      exitCode: flags.exitCode === true,
      prune: flags.prune === true,
      waitOptions: parseWaitOptions(flags),
    };
  },
  async run(context, { files, dryRun, exitCode, prune, waitOptions }) {
    const { client, confirm, io, output, signal } = context;
    const described = await loadManifests(io, files);
    const feather = await client();
    const existing = await listAllDeployments(feather, signal);
    const manifests = await fillPlaces(feather, described, existing, signal);
    const plan = planSteps(manifests, existing, prune);
    const tableView = createTableView(io.env.unicode);
    for (const { warning } of plan) if (warning !== undefined) output.info(warning);
    if (dryRun) {
      await checkSteps(feather, plan, signal);
      output.printList(tableView, plan, plan.map(toJsonStep));
      await writeSummary(context, "What applying the files would do", plan);
      const different = plan.filter(({ action }) => action !== "unchanged").length;
      if (exitCode && different > 0)
        throw new DifferenceError(`${different} of ${plan.length} deployments differ from the files`);
      return;
    }
    if (!output.quiet) for (const step of plan) output.info(formatStep(step, plan, io.env.unicode));
    const pendingSteps = plan.filter(({ action }) => action !== "unchanged");
    if (pendingSteps.length > 0) await confirm(formatQuestion(pendingSteps));
    const printsAtEnd = output.mode === "json" || output.mode === "csv";
    const done: CompletedStep[] = [];
    try {
      // Ids are printed as soon as they are known: later steps may take long, or fail.
      for await (const completed of applySteps(feather, plan, signal)) {
        done.push(completed);
        if (!printsAtEnd && completed.step.action !== "delete") output.print(completed.step.id ?? "");
      }
      if (waitOptions.wait) await waitForAll(context, feather, done, waitOptions.timeout);
    } finally {
      const steps = done.map(({ step }) => step);
      if (printsAtEnd) output.printList(tableView, steps, steps.map(toJsonStep));
      await writeSummary(context, "What applying the files did", steps);
    }
  },
};

/** A completed step and its deployment; null after a deletion. */
type CompletedStep = { readonly step: Step; readonly deployment: Deployment | null };

/** Runs all steps without waiting for the deployments, so that they start in parallel. */
async function* applySteps(
  { deployments }: Feather,
  plan: readonly Step[],
  signal: AbortSignal,
): AsyncGenerator<CompletedStep> {
  for (const step of plan) {
    const deployment = await applyStep(deployments, step, signal);
    yield { step: { ...step, id: deployment?.id ?? step.id }, deployment };
  }
}

async function applyStep(deployments: Feather["deployments"], step: Step, signal: AbortSignal) {
  const { action, id, manifest } = step;
  if (action === "create" && manifest !== undefined) return deployments.create(manifest, { signal });
  if (id === null) return null;
  if (action === "update") return deployments.update(id, toUpdateBody(step), { signal });
  if (action === "delete") await deployments.delete(id, { signal });
  // An earlier run may have ended before the deployment was ready.
  return action === "unchanged" ? deployments.get(id, { signal }) : null;
}

async function waitForAll(
  context: Context,
  feather: Feather,
  done: readonly CompletedStep[],
  timeout: number,
): Promise<void> {
  const deadline = context.now().getTime() + timeout;
  for (const { step, deployment } of done) {
    if (deployment === null) continue;
    const hasSettled = toWorkStatus(deployment, deployment.settings_version).outcome !== undefined;
    if (step.action === "unchanged" && hasSettled) continue;
    await waitForDeployment(context, feather, deployment, Math.max(0, deadline - context.now().getTime()));
  }
}

/** Adds the steps to the summary of a job of GitHub Actions. A summary that cannot be written is reported and changes nothing else. */
async function writeSummary({ io, output }: Context, title: string, steps: readonly Step[]): Promise<void> {
  const summaryFile = io.env.githubJob?.summaryFile;
  if (summaryFile === undefined) return;
  const rows = steps.map((step) => [step.name, step.action, formatChanges(step, true)]);
  try {
    await (await import("../../../output/github.ts")).appendSummary(
      summaryFile,
      title,
      ["Deployment", "Action", "Changes"],
      rows,
    );
  } catch (error) {
    output.info(`The summary of the job could not be written: ${error instanceof Error ? error.message : error}`);
  }
}

function formatQuestion(pendingSteps: readonly Step[]): string {
  const deletedNames = pendingSteps.filter(({ action }) => action === "delete").map(({ name }) => name);
  const question = pendingSteps.length === 1 ? "Apply this change?" : `Apply these ${pendingSteps.length} changes?`;
  return deletedNames.length === 0 ? question : `${question} Deleted for ever: ${deletedNames.join(", ")}.`;
}

function formatStep(step: Step, plan: readonly Step[], unicode: boolean): string {
  const width = Math.max(...plan.map(({ name }) => name.length));
  const text = formatChanges(step, unicode);
  return `${step.name.padEnd(width)}   ${step.action}${text === "" ? "" : `   ${text}`}`;
}

const toJsonStep = ({ action, name, id, changes }: Step) => ({ action, name, id, changes });

function createTableView(unicode: boolean): TableView<Step> {
  return {
    columns: [
      { header: "NAME", cell: ({ name }) => name, paint: (text, style) => style.bold(text) },
      { header: "ACTION", cell: ({ action }) => action },
      {
        header: "CHANGES",
        cell: (step) => formatChanges(step, unicode),
        dropOrder: 1,
      },
    ],
    id: ({ id, name }) => id ?? name,
    noun: "deployments",
    empty: "There is nothing to do.",
  };
}
