import type { Command } from "../../../command.ts";

/** Removes a backend that was added here; asks first. */
export const backendsRemove: Command<{ readonly id: string }> = {
  name: "admin backends remove",
  summary: "Remove a backend",
  description: "Only those added here; others stand in the settings of the server.",
  arguments: [{ name: "<id>", summary: "backend" }],
  confirms: true,
  needs: "admin",
  examples: ["feather admin backends remove backend_1 --yes"],
  options: ([id = ""]) => ({ id }),
  async run({ client, confirm, output, signal }, { id }) {
    const { admin } = await client();
    await confirm(async () => {
      const { name, models } = await admin.backends.get(id, { signal });
      return `Remove ${name}? It runs ${models.join(", ") || "no models"}.`;
    });
    await admin.backends.delete(id, { signal });
    output.info(`Removed ${id}.`);
  },
};
