import type { Command } from "../../command.ts";
import { UsageError } from "../../errors.ts";
import { collect, repeatedTexts } from "../../flags.ts";
import { parseWaitOptions, type WaitOptions } from "../../wait.ts";
import { loadManifests } from "./manifest/manifest-files.ts";
import { fillPlace, type Manifest } from "./place.ts";
import { parseReplicaRange } from "./scale.ts";
import { MANIFEST_SCHEMA } from "./schema.generated.ts";
import { waitForDeployment } from "./wait.ts";

type Options = {
  readonly body: Manifest | undefined;
  readonly files: readonly string[];
  readonly waitOptions: WaitOptions;
};

/** Creates a deployment. Only its token goes to stdout, so that it can be piped; it is shown once. */
export const deploymentsCreate: Command<Options> = {
  name: "deployments create",
  summary: "Make a deployment and print its token",
  description: "Described by flags, or by a file as for `deployments apply`.",
  arguments: [{ name: "[name]", summary: "what it is called: 3 to 40 small letters, digits and hyphens" }],
  flags: [
    { name: "-f, --file <path>", summary: "a file that describes it; - is stdin", values: "files", parse: collect },
    { name: "-m, --model <id>", summary: "model that runs there", values: "models" },
    { name: "--provider <id>", summary: "where it runs, the only one or local if left out; see deployments providers" },
    { name: "--region <id>", summary: "region of the provider, the only one or here if left out" },
    { name: "--type <id>", summary: "type of machine, the only one or cpu if left out" },
    { name: "--replicas <range>", summary: "how many run: 1, or 0..2" },
    { name: "--sleep <seconds>", summary: "seconds without a request until none runs, or never" },
    { name: "--revision <name>", summary: "revision of the model" },
    { name: "--engine-arg <name=value>", summary: "argument of what runs it; may be given often", parse: collect },
    { name: "--public", summary: "whoever knows its address may call it" },
  ],
  prints: "secret",
  waits: true,
  needs: "sign-in",
  examples: [
    "feather deployments create support-bot -m feather/demo --replicas 0..1",
    "feather deployments create -f deployment.yaml --wait",
  ],
  options: ([name], flags) => {
    const files = repeatedTexts(flags.file);
    const describingFlag = DESCRIBING_FLAGS.find((flag) => flags[flag] !== undefined);
    if (files.length > 0 && (name !== undefined || describingFlag !== undefined))
      throw new UsageError(
        `-f and ${describingFlag === undefined ? "a name" : "flags that describe it"} exclude each other`,
      );
    return {
      files,
      body: files.length === 0 ? toCreateBody(name, flags) : undefined,
      waitOptions: parseWaitOptions(flags),
    };
  },
  async run(context, { body, files, waitOptions }) {
    const { client, io, output, signal } = context;
    const [manifest, secondManifest] = body === undefined ? await loadManifests(io, files) : [body];
    if (manifest === undefined || secondManifest !== undefined)
      throw new UsageError(
        `${files.join(" and ")} ${files.length === 1 ? "describes" : "describe"} more than one deployment`,
        `feather deployments apply ${files.map((file) => `-f ${file}`).join(" ")}`,
      );
    const feather = await client();
    const deployment = await feather.deployments.create(await fillPlace(feather, manifest, signal), { signal });
    output.printSecret({
      value: deployment,
      secret: deployment.token,
      message: `Made the deployment ${deployment.name} (${deployment.id}). Its token is shown this one time; keep it safe.`,
    });
    if (waitOptions.wait) await waitForDeployment(context, feather, deployment, waitOptions.timeout);
  },
};

const DESCRIBING_FLAGS = [
  "model",
  "provider",
  "region",
  "type",
  "replicas",
  "sleep",
  "revision",
  "engineArg",
  "public",
];

function toCreateBody(name: string | undefined, flags: Readonly<Record<string, unknown>>): Manifest {
  const model = typeof flags.model === "string" ? flags.model : "";
  const hint = "feather deployments create support-bot -m feather/demo";
  if (name === undefined) throw new UsageError("a name is missing", hint);
  checkName(name);
  if (model === "") throw new UsageError("a model is missing", hint);
  const range = typeof flags.replicas === "string" ? parseReplicaRange(flags.replicas) : undefined;
  return {
    name,
    model_id: model,
    ...(typeof flags.provider === "string" && { provider_id: flags.provider }),
    ...(typeof flags.region === "string" && { region: flags.region }),
    ...(typeof flags.type === "string" && { instance_type: flags.type }),
    ...(range && { min_replicas: range.min, max_replicas: range.max }),
    ...(typeof flags.sleep === "string" && { scale_to_zero_after_s: parseSleep(flags.sleep) }),
    ...(typeof flags.revision === "string" && { revision: flags.revision }),
    ...(flags.engineArg !== undefined && { engine_args: parseEngineArgs(repeatedTexts(flags.engineArg)) }),
    ...(flags.public === true && { visibility: "public" as const }),
  };
}

/** Throws `UsageError` for a name that the contract does not allow, in words. */
function checkName(name: string): void {
  const { pattern, "x-pattern-message": message } = MANIFEST_SCHEMA.properties.name;
  if (!new RegExp(pattern).test(name)) throw new UsageError(`${name} is no name of a deployment`, `It ${message}.`);
}

function parseSleep(text: string): number | null {
  if (text === "never") return null;
  const seconds = Number(text);
  if (!Number.isInteger(seconds) || seconds < 60)
    throw new UsageError(`${text} is not a number of seconds from 60 on`, "--sleep 3600, or --sleep never");
  return seconds;
}

/** Parses `name=value` pairs: `context=4096` is a number, `fast=true` a boolean, everything else a string. */
function parseEngineArgs(pairs: readonly string[]): Record<string, string | number | boolean> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = "", ...rest] = pair.split("=");
      if (name === "" || rest.length === 0)
        throw new UsageError(`${pair} is not a name and a value`, "--engine-arg context=4096");
      return [name, parseTyped(rest.join("="))];
    }),
  );
}

function parseTyped(text: string): string | number | boolean {
  if (text === "true" || text === "false") return text === "true";
  return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}
