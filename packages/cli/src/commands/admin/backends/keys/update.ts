import type { Command } from "../../../../command.ts";
import { UsageError } from "../../../../errors.ts";
import { optionalNumber, optionalText, parseNumberBetween } from "../../../../flags.ts";
import { findKey, KEY_ARGUMENTS } from "./find-key.ts";

/** The key to change, and what changes. */
type BackendKeysUpdateOptions = {
  readonly id: string;
  readonly key: string;
  readonly body: { readonly label?: string; readonly weight?: number };
};

/** Changes the label or the weight of a key. */
export const backendKeysUpdate: Command<BackendKeysUpdateOptions> = {
  name: "admin backends keys update",
  summary: "Change the label or the weight of a key",
  description: "The text of a key is not changed: add the new key and remove the old one.",
  arguments: KEY_ARGUMENTS,
  flags: [
    { name: "--label <text>", summary: "what the key is called" },
    { name: "--weight <number>", summary: "how many of the calls it gets", parse: parseNumberBetween(1, 1000, true) },
  ],
  prints: "one",
  fields: ["id", "label", "weight", "last_characters", "state"],
  needs: "admin",
  examples: ["feather admin backends keys update backend_1 team-b --weight 3"],
  options([id = "", key = ""], flags) {
    const body = { ...optionalText("label", flags.label), ...optionalNumber("weight", flags.weight) };
    if (Object.keys(body).length === 0)
      throw new UsageError("nothing is changed", "--label <text> or --weight <number>");
    return { id, key, body };
  },
  async run({ client, output, signal }, { id, key: given, body }) {
    const { admin } = await client();
    const key = findKey(await admin.backends.get(id, { signal }), given);
    const changed = await admin.backends.updateKey(id, key.id, body, { signal });
    output.printChange({ value: changed, id: changed.id, message: `Changed ${changed.label}.` });
  },
};
