import { text } from "node:stream/consumers";
import type { Backend, BackendAlias, BackendInput, Feather } from "@feather/sdk";
import { InvalidArgumentError } from "commander";
import type { Flag, FlagValues } from "../../../command-line.ts";
import type { Context } from "../../../context.ts";
import { UsageError } from "../../../errors.ts";
import { isSet, optionalNumber, parseNumberBetween } from "../../../flags.ts";
import type { Io } from "../../../output/io.ts";
import { pickItem } from "../../../pick-item.ts";

/** Fields that `--json` accepts. */
export const BACKEND_FIELDS = [
  "id",
  "name",
  "base_url",
  "api",
  "provider",
  "models",
  "configured_models",
  "aliases",
  "unsized_models",
  "weight",
  "enabled",
  "source",
  "has_api_key",
  "keys",
  "state",
  "resumes_at",
  "in_flight",
  "last_error",
  "checked_at",
] as const satisfies readonly (keyof Backend)[];

/** The APIs that a backend can speak. */
const BACKEND_APIS = [
  "openai",
  "responses",
  "anthropic",
  "gemini",
  "bedrock",
  "cohere",
  "vertex",
] as const satisfies readonly Backend["api"][];

/** Flags for the properties of a backend that can be set when it is added and later. */
export const BACKEND_FLAGS: readonly Flag[] = [
  { name: "--models <names>", summary: "its models to use, by comma; all for those that it lists" },
  {
    name: "--alias <name=id>",
    summary: "id, as owner/name, for the model of this name; may be given often",
    parse: collectAliases,
  },
  { name: "--api <api>", summary: "API that it speaks; openai if it is never named", choices: BACKEND_APIS },
  { name: "--weight <number>", summary: "how much of the work it gets", parse: parseNumberBetween(1, 1000, true) },
  { name: "--with-key", summary: "read its API key from stdin" },
  { name: "--key <source>", summary: "-: the same as --with-key", choices: ["-"] },
];

/** Returns the API, the models and the weight that the flags set, as request body. */
export function parseBackendFields(flags: FlagValues): Pick<BackendInput, "api" | "models" | "weight"> {
  const { models } = flags;
  const api = BACKEND_APIS.find((name) => name === flags.api);
  return {
    ...(api !== undefined && { api }),
    ...(typeof models === "string" && { models: models.trim() === "all" ? [] : splitNames(models) }),
    ...optionalNumber("weight", flags.weight),
  };
}

/** Returns whether the flags say that the API key comes on stdin. */
export const readsKey = (flags: FlagValues): boolean => isSet(flags, "withKey") || flags.key === "-";

/** Returns the values of the flag `--alias`. */
export function listAliases(flags: FlagValues): readonly BackendAlias[] {
  return Array.isArray(flags.alias) ? (flags.alias as BackendAlias[]) : [];
}

/** Reads an API key from stdin, because others can see command lines. Throws `UsageError` if there is none. */
export async function readKey(io: Pick<Io, "stdin">): Promise<string> {
  const key = (await text(io.stdin)).trim();
  if (key === "") throw new UsageError("there was no key on stdin", "--with-key < key.txt");
  return key;
}

/** Adds an alias to the earlier ones. The id is behind the last `=`, as ids hold none. Throws `InvalidArgumentError`. */
function collectAliases(value: string, previous: unknown): readonly BackendAlias[] {
  const at = value.lastIndexOf("=");
  const [name, as] = [value.slice(0, Math.max(at, 0)).trim(), value.slice(at + 1).trim()];
  if (name === "" || !as.includes("/"))
    throw new InvalidArgumentError(
      "It must be the model's name there and its id here, as in its/name/there=owner/name.",
    );
  return [...(Array.isArray(previous) ? (previous as BackendAlias[]) : []), { name, as }];
}

/** Returns the names of a list that is separated by commas. */
export function splitNames(value: string): string[] {
  return value.split(",").flatMap((name) => (name.trim() === "" ? [] : [name.trim()]));
}

/** The argument that names a backend. */
export const BACKEND_ARGUMENT = {
  name: "[id]",
  summary: "id of the backend: feather admin backends list; you are asked at a terminal",
} as const;

/** Returns the id of a backend, or lets the person pick one. Throws `UsageError` when nobody can be asked. */
export async function resolveBackendId(context: Context, feather: Feather, id: string): Promise<string> {
  if (id !== "") return id;
  const { signal } = context;
  return pickItem(context, {
    label: "Backend",
    alternative: "the backend's id: feather admin backends list",
    empty: ["there are no backends yet", "feather admin backends add <provider>"],
    list: async () => (await feather.admin.backends.list({ signal })).items,
    toChoice: (backend) => ({ label: backend.name, note: backend.base_url, value: backend.id }),
  });
}
