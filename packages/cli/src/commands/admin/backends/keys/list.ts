import type { BackendKey } from "@feather/sdk";
import type { Command } from "../../../../command.ts";
import { BACKEND_KEY_COLUMNS } from "../../../../views/backend-key.ts";
import { BACKEND_ARGUMENT, resolveBackendId } from "../backend.ts";

/** Lists the keys of a backend, without their texts. */
export const backendKeysList: Command<{ readonly id: string }> = {
  name: "admin backends keys list",
  summary: "List the keys of a backend, and which of them rest",
  arguments: [BACKEND_ARGUMENT],
  prints: "list",
  fields: [
    "id",
    "label",
    "weight",
    "last_characters",
    "in_flight",
    "state",
    "resumes_at",
    "error",
    "advice",
  ] as const satisfies readonly (keyof BackendKey)[],
  needs: "admin",
  examples: [
    "feather admin backends keys list backend_1",
    "feather admin backends keys list backend_1 --json label,state",
  ],
  options: ([id = ""]) => ({ id }),
  async run(context, { id: given }) {
    const { client, output, signal } = context;
    const feather = await client();
    const id = await resolveBackendId(context, feather, given);
    const { keys } = await feather.admin.backends.get(id, { signal });
    const empty = `It has no keys. Add one: feather admin backends keys add ${id}`;
    output.printList({ columns: BACKEND_KEY_COLUMNS, id: (key) => key.id, noun: "keys", empty }, keys, { items: keys });
    for (const { label, error, advice } of keys)
      if (error !== null) output.hint(`${label}: ${error}${advice === null ? "" : ` ${advice}`}`);
  },
};
