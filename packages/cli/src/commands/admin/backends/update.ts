import type { BackendAlias, BackendInput } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import { UsageError } from "../../../errors.ts";
import { collect, isSet, optionalText, repeatedTexts } from "../../../flags.ts";
import { readKey } from "../../../input.ts";
import { BACKEND_FIELDS, BACKEND_FLAGS, listAliases, parseBackendFields, readsKey } from "./backend.ts";

/** The backend and its changes; `withKey` when its API key comes on stdin. */
export type BackendsUpdateOptions = {
  readonly id: string;
  readonly changes: Partial<BackendInput>;
  /** Aliases to add; one of a model that has one replaces it. */
  readonly aliases: readonly BackendAlias[];
  /** Names of models that have no alias any more. */
  readonly removedAliases: readonly string[];
  readonly withKey: boolean;
};

/** Updates a backend that was added by an admin; flags that are omitted change nothing. */
export const backendsUpdate: Command<BackendsUpdateOptions> = {
  name: "admin backends update",
  summary: "Change a backend",
  description: "Only those added here; others stand in the settings of the server.",
  arguments: [{ name: "<id>", summary: "backend" }],
  flags: [
    { name: "--name <name>", summary: "what it is called" },
    { name: "--url <url>", summary: "address of the API, up to /v1 for OpenAI's" },
    ...BACKEND_FLAGS,
    { name: "--remove-alias <name>", summary: "take the alias of this model away; may be given often", parse: collect },
    { name: "--disable", summary: "send no requests to it" },
    { name: "--enable", summary: "use it again" },
  ],
  prints: "one",
  fields: BACKEND_FIELDS,
  needs: "admin",
  examples: [
    "feather admin backends update backend_1 --alias accounts/hosted/models/llama-v3=meta-llama/Llama-3-8B",
    "feather admin backends update backend_1 --models all --weight 2",
  ],
  options: ([id = ""], flags) => {
    if (isSet(flags, "disable") && isSet(flags, "enable"))
      throw new UsageError("--disable and --enable exclude each other");
    const { url } = optionalText("url", flags.url);
    if (url !== undefined && !URL.canParse(url))
      throw new UsageError(`${url} is no address`, "https://gpu-1.example/v1");
    const changes = {
      ...optionalText("name", flags.name),
      ...(url !== undefined && { base_url: url }),
      ...parseBackendFields(flags),
      ...((isSet(flags, "disable") || isSet(flags, "enable")) && { enabled: isSet(flags, "enable") }),
    };
    const aliases = listAliases(flags);
    const removedAliases = repeatedTexts(flags.removeAlias);
    const withKey = readsKey(flags);
    if (Object.keys(changes).length + aliases.length + removedAliases.length === 0 && !withKey)
      throw new UsageError("nothing to change", "feather admin backends update --help");
    return { id, changes, aliases, removedAliases, withKey };
  },
  async run({ client, io, output, signal }, { id, changes, aliases, removedAliases, withKey }) {
    const key = withKey ? { api_key: await readKey(io) } : {};
    const { admin } = await client();
    const { name, base_url, aliases: present } = await admin.backends.get(id, { signal });
    const missing = removedAliases.find((removed) => !present.some((alias) => alias.name === removed));
    if (missing !== undefined) throw new UsageError(`${missing} has no alias`, `feather admin backends test ${id}`);
    const renamed = new Set([...removedAliases, ...aliases.map((alias) => alias.name)]);
    const changed = renamed.size > 0 && {
      aliases: [...present.filter((alias) => !renamed.has(alias.name)), ...aliases],
    };
    const backend = await admin.backends.update(id, { name, base_url, ...changes, ...changed, ...key }, { signal });
    output.printChange({ value: backend, id: backend.id, message: `Changed ${backend.name}.` });
    output.hint(`Try it: feather admin backends test ${backend.id}`);
  },
};
