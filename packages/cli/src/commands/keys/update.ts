import type { ApiKeyUpdate } from "@feather/sdk";
import type { Command } from "../../command.ts";
import { UsageError } from "../../errors.ts";
import { KEY_FIELDS } from "./key.ts";
import { CHANGE_FLAGS, parseKeyChanges } from "./limits.ts";
import { KEY_ARGUMENT, resolveKeyId } from "./resolve-key.ts";

/** The key and its changes. */
export type KeysUpdateOptions = { readonly id: string; readonly changes: ApiKeyUpdate };

/** Updates the permissions and limits of a key; flags that are omitted change nothing. */
export const keysUpdate: Command<KeysUpdateOptions> = {
  name: "keys update",
  summary: "Change what an API key may do",
  description: "What is not given stays. A change holds at once.",
  arguments: [KEY_ARGUMENT],
  flags: CHANGE_FLAGS,
  prints: "one",
  fields: KEY_FIELDS,
  needs: "sign-in",
  examples: [
    "feather keys update key_7Kd2mQx4 --max-units 2 --spend-limit 20 --reset month",
    "feather keys update key_7Kd2mQx4 --models Qwen/Qwen3-32B --ips 203.0.113.0/24",
    "feather keys update key_7Kd2mQx4 --disable",
  ],
  options: ([id = ""], flags, now) => {
    if (flags.disable === true && flags.enable === true)
      throw new UsageError("--disable and --enable exclude each other");
    const changes = parseKeyChanges(flags, now);
    if (Object.keys(changes).length === 0) throw new UsageError("nothing to change", "feather keys update --help");
    return { id, changes };
  },
  async run(context, { id: given, changes }) {
    const id = await resolveKeyId(context, given);
    const key = await (await context.client()).apiKeys.update(id, changes, { signal: context.signal });
    context.output.printChange({ value: key, id: key.id, message: `Changed the key ${key.name}.` });
  },
};
