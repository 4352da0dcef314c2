import type { Command } from "../../../../command.ts";
import { ResourceNotFoundError } from "../../../../errors.ts";

/** Removes a key from a backend; asks first. */
export const backendKeysRemove: Command<{ readonly id: string; readonly key: string }> = {
  name: "admin backends keys remove",
  summary: "Remove a key from a backend",
  description: "No further call is sent with it. Answers that are being sent go on to their end.",
  arguments: [
    { name: "<backend>", summary: "id of the backend: feather admin backends list" },
    { name: "<key>", summary: "id or label of the key: feather admin backends keys list" },
  ],
  confirms: true,
  needs: "admin",
  examples: ["feather admin backends keys remove backend_1 team-b --yes"],
  options: ([id = "", key = ""]) => ({ id, key }),
  async run({ client, confirm, output, signal }, { id, key: given }) {
    const { admin } = await client();
    const { name, keys } = await admin.backends.get(id, { signal });
    const key = keys.find((candidate) => candidate.id === given || candidate.label === given);
    if (!key) throw new ResourceNotFoundError(`${name} has no key ${given}`, `feather admin backends keys list ${id}`);
    await confirm(async () => `Remove the key ${key.label} from ${name}?`);
    await admin.backends.removeKey(id, key.id, { signal });
    output.info(`Removed ${key.label}.`);
  },
};
