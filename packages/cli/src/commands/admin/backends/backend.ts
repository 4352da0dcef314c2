import type { Backend, BackendAlias, BackendInput, Feather } from "@feather/sdk";
import { InvalidArgumentError } from "commander";
import type { Flag, FlagValues } from "../../../command-line.ts";
import type { Context } from "../../../context.ts";
import { isSet, optionalNumber, parseNumberBetween } from "../../../flags.ts";
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
  "own_keys",
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

/** Whether organizations may use keys of their own at a backend. */
const OWN_KEYS = ["off", "allowed", "required"] as const satisfies readonly Backend["own_keys"][];

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
  {
    name: "--own-keys <mode>",
    summary: "whether organizations may use keys of their own at its provider; required: only with these",
    choices: OWN_KEYS,
  },
  { name: "--with-key", summary: "read its API key from stdin" },
  { name: "--key <source>", summary: "-: the same as --with-key", choices: ["-"] },
];

/** Returns the API, the models, the weight and the own keys that the flags set, as request body. */
export function parseBackendFields(flags: FlagValues): Pick<BackendInput, "api" | "models" | "weight" | "own_keys"> {
  const { models } = flags;
  const api = BACKEND_APIS.find((name) => name === flags.api);
  const ownKeys = OWN_KEYS.find((mode) => mode === flags.ownKeys);
  return {
    ...(api !== undefined && { api }),
    ...(typeof models === "string" && { models: models.trim() === "all" ? [] : splitNames(models) }),
    ...optionalNumber("weight", flags.weight),
    ...(ownKeys !== undefined && { own_keys: ownKeys }),
  };
}

/** Returns whether the flags say that the API key comes on stdin. */
export const readsKey = (flags: FlagValues): boolean => isSet(flags, "withKey") || flags.key === "-";

/** Returns the values of the flag `--alias`. */
export function listAliases(flags: FlagValues): readonly BackendAlias[] {
  return Array.isArray(flags.alias) ? (flags.alias as BackendAlias[]) : [];
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
