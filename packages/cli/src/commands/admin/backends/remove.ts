import type { Command } from "../../../command.ts";
import { BACKEND_ARGUMENT, resolveBackendId } from "./backend.ts";

/** Removes a backend that was added here; asks first. */
export const backendsRemove: Command<{ readonly id: string }> = {
  name: "admin backends remove",
  summary: "Remove a backend",
  description: "Only those added here; others stand in the settings of the server.",
  arguments: [BACKEND_ARGUMENT],
  confirms: true,
  needs: "admin",
  examples: ["feather admin backends remove backend_1 --yes"],
  options: ([id = ""]) => ({ id }),
  async run(context, { id: given }) {
    const { client, confirm, output, signal } = context;
    const feather = await client();
    const id = await resolveBackendId(context, feather, given);
    await confirm(async () => {
      const { name, models } = await feather.admin.backends.get(id, { signal });
      return `Remove ${name}? It runs ${models.join(", ") || "no models"}.`;
    });
    await feather.admin.backends.delete(id, { signal });
    output.info(`Removed ${id}.`);
  },
};
