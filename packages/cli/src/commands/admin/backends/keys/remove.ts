import type { Command } from "../../../../command.ts";
import { findKey, KEY_ARGUMENTS } from "./find-key.ts";

/** Removes a key from a backend; asks first. */
export const backendKeysRemove: Command<{ readonly id: string; readonly key: string }> = {
  name: "admin backends keys remove",
  summary: "Remove a key from a backend",
  description: "No further call is sent with it. Answers that are being sent go on to their end.",
  arguments: KEY_ARGUMENTS,
  confirms: true,
  needs: "admin",
  examples: ["feather admin backends keys remove backend_1 team-b --yes"],
  options: ([id = "", key = ""]) => ({ id, key }),
  async run({ client, confirm, output, signal }, { id, key: given }) {
    const { admin } = await client();
    const backend = await admin.backends.get(id, { signal });
    const key = findKey(backend, given);
    await confirm(async () => `Remove the key ${key.label} from ${backend.name}?`);
    await admin.backends.removeKey(id, key.id, { signal });
    output.info(`Removed ${key.label}.`);
  },
};
