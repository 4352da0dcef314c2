import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ApiKeyCreate, Feather } from "@feather/sdk";
import { formatCount } from "@feather/sdk/format";
import type { Command } from "../../command.ts";
import type { Context } from "../../context.ts";
import { AccessDeniedError, ProgramEndedError, UsageError } from "../../errors.ts";
import { isSet } from "../../flags.ts";
import { findDefaultModel, GUIDE_MODEL_ID } from "../chat/default-model.ts";
import { LIMIT_FLAGS, parseKeyChanges } from "../keys/limits.ts";
import { type ModelAccess, PROGRAM_NAMES, PROGRAMS, type Program, type ProgramName } from "./programs.ts";

type LaunchOptions = {
  readonly name: ProgramName;
  /** Arguments for the program. */
  readonly args: readonly string[];
  readonly model?: string;
  /** Limits of the key that is made for the run; null to use the caller's own key. */
  readonly limits: Omit<ApiKeyCreate, "name"> | null;
};

/** The key lasts no longer than this where deleting it after the run fails. */
const KEY_LIFETIME_MS = 12 * 60 * 60 * 1000;
/** Limits of keys that can be given here; the model is the only one that the key may call. */
const LIMITS = /^--(max-units|priority|spend-limit|expires) /;
/** Below this many tokens, prompts of programs that write code leave no room. */
const SMALL_CONTEXT = 32_768;

/** Starts a program that writes code with a model of the server, and a key for this run. */
export const launch: Command<LaunchOptions> = {
  name: "launch",
  summary: "Start a coding program with a model of the server",
  description:
    "The program gets a key of its own, which calls this model only and is deleted when the program ends; at the latest it ends after 12 hours. Your settings of the program do not change: what it needs is set for this run. Arguments after -- go to the program.",
  arguments: [
    { name: "<program>", summary: "which program", choices: PROGRAM_NAMES },
    { name: "[arguments...]", summary: "arguments for the program, after --" },
  ],
  flags: [
    { name: "-m, --model <id>", summary: "model that it calls; a warm one if left out", values: "models" },
    ...LIMIT_FLAGS.filter(({ name }) => LIMITS.test(`${name} `)),
    { name: "--same-key", summary: "give it your own API key instead of one for this run" },
  ],
  needs: "sign-in",
  examples: [
    "feather launch claude",
    "feather launch codex -m Qwen/Qwen3-32B --spend-limit 2",
    "feather launch aider -m Qwen/Qwen3-32B -- --no-auto-commits",
  ],
  options([name, ...args], flags, now) {
    const isOwnKey = isSet(flags, "sameKey");
    const limits = parseKeyChanges({ ...flags, name: undefined, models: undefined }, now);
    if (isOwnKey && Object.keys(limits).length > 0) throw new UsageError("--same-key excludes limits of a new key");
    return {
      name: PROGRAM_NAMES.find((one) => one === name) ?? "claude",
      args,
      ...(typeof flags.model === "string" && { model: flags.model }),
      limits: isOwnKey ? null : { expires_at: new Date(now.getTime() + KEY_LIFETIME_MS), ...limits },
    };
  },
  async run(context, options) {
    const program: Program = PROGRAMS[options.name];
    const path = await context.programs.find(program.command);
    if (path === null) throw new UsageError(`${program.command} is not installed`, program.install);
    const client = await context.client();
    const model = await findModel(context, client, options.model);
    const folder = await mkdtemp(join(tmpdir(), "feather-launch-"));
    try {
      const key = await makeKey(context, client, options, model.id);
      try {
        const { baseUrl } = context.settings();
        const startedAt = context.now();
        const contextLength = model.context_length;
        const access = { baseUrl, key: key.secret, model: model.id, contextLength, startedAt, folder };
        context.output.waits.close();
        const exitCode = await start(context, { program, path, access, args: options.args });
        if (exitCode !== 0) throw new ProgramEndedError(program.command, exitCode);
      } finally {
        await key.discard();
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** Returns the model that is named, or a warm one that is more than the guide. */
async function findModel({ output, signal }: Context, client: Feather, given: string | undefined) {
  const id = given ?? (await findDefaultModel(client, signal));
  if (given === undefined && id === GUIDE_MODEL_ID)
    throw new UsageError("no model that writes code answers just now", "-m <id>: feather models list");
  const model = await client.models.get(id, {}, { signal });
  if (model.context_length !== null && model.context_length < SMALL_CONTEXT)
    output.info(
      `${model.id} reads ${formatCount(model.context_length)} tokens at once; programs that write code often send more.`,
    );
  return model;
}

/** Makes the key for the run, or takes the caller's own; `discard` deletes a key that was made. */
async function makeKey(context: Context, { apiKeys }: Feather, { name, limits }: LaunchOptions, model: string) {
  const { output, signal } = context;
  if (limits === null) return { secret: await readOwnKey(context), discard: async () => {} };
  const body = { ...limits, name: `launch ${name}`, allowed_models: [model] };
  const { id, secret } = await apiKeys.create(body, { signal }).catch(explainRefusedKey);
  output.info(`${name} calls ${model} with a key of its own (${id}), which is deleted when ${name} ends.`);
  const discard = async () => {
    try {
      await apiKeys.delete(id); // also where the command is interrupted
    } catch (error) {
      output.info(`The key ${id} could not be deleted: ${error instanceof Error ? error.message : String(error)}`);
      output.info(`Delete it: feather keys delete ${id}`);
    }
  };
  return { secret, discard };
}

/** Returns the caller's API key. Throws `UsageError` for a sign-in, whose token ends within the hour. */
async function readOwnKey({ secret, settings }: Context): Promise<string> {
  const own = await secret();
  if (own === undefined || settings().renewable)
    throw new UsageError("--same-key needs an API key, and this is a sign-in", "leave --same-key out");
  return own;
}

/** Throws what to do instead when the caller may not make keys; any other error unchanged. */
async function explainRefusedKey(error: unknown): Promise<never> {
  const { isApiError } = await import("@feather/sdk");
  if (!isApiError(error) || error.code !== "key_scope_denied") throw error;
  throw new AccessDeniedError("this key may not make the key for the run", {
    code: error.code,
    hint: "--same-key gives the program this one",
    requestId: error.requestId,
  });
}

type Start = {
  readonly program: Program;
  readonly path: string;
  readonly access: ModelAccess;
  readonly args: readonly string[];
};

/** Writes the program's files, and runs it. Returns its exit code. */
async function start({ programs }: Context, { program, path, access, args }: Start): Promise<number> {
  for (const [name, content] of Object.entries(program.files?.(access) ?? {}))
    await writeFile(join(access.folder, name), content, { mode: 0o600 });
  // The caller's own credential is not for the program.
  const variables = { FEATHER_API_KEY: undefined, FEATHER_TOKEN: undefined, ...program.variables(access) };
  return programs.run(path, [...(program.args?.(access) ?? []), ...args], variables);
}
