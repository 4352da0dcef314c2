import type { Command } from "../../command.ts";
import { APP_ARGUMENT, resolveAppId } from "./app.ts";

/** Deletes an application, after confirmation. */
export const appsDelete: Command<{ readonly id: string }> = {
  name: "apps delete",
  summary: "Delete an OAuth application",
  arguments: [APP_ARGUMENT],
  confirms: true,
  needs: "sign-in",
  examples: ["feather apps delete app_3Lk9", "feather apps delete app_3Lk9 --yes"],
  options: ([id = ""]) => ({ id }),
  async run(context, options) {
    const { client, confirm, output, signal } = context;
    const id = await resolveAppId(context, options.id);
    const { applications } = await client();
    await confirm(async () => {
      const { name } = await applications.get(id, { signal });
      return `Delete ${name}? Everybody who uses it is signed out of it at once.`;
    });
    await applications.delete(id, { signal });
    output.info(`Deleted ${id}.`);
  },
};
