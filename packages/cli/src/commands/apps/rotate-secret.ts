import type { Command } from "../../command.ts";
import { formatDayTime } from "../../output/time.ts";
import { APP_ARGUMENT, resolveAppId } from "./app.ts";

/** Creates a new secret. Only the secret goes to stdout, so that it can be piped; it is shown once. */
export const appsRotateSecret: Command<{ readonly id: string }> = {
  name: "apps rotate-secret",
  summary: "Make a new secret of an application and print it",
  description: "The old secret goes on for 24 hours; one older than that ends at once.",
  arguments: [APP_ARGUMENT],
  confirms: true,
  prints: "secret",
  needs: "sign-in",
  examples: ["feather apps rotate-secret app_3Lk9", "feather apps rotate-secret app_3Lk9 --yes > secret.txt"],
  options: ([id = ""]) => ({ id }),
  async run(context, options) {
    const { client, confirm, output, signal } = context;
    const id = await resolveAppId(context, options.id);
    const { applications } = await client();
    await confirm(async () => {
      const { name } = await applications.get(id, { signal });
      return `Make a new secret of ${name}? The old one goes on for 24 hours, one older than that ends now.`;
    });
    const app = await applications.regenerateSecret(id, { signal });
    const until = app.old_secret_valid_until_at ?? null;
    const oldSecretNote = until === null ? "" : ` The old one works until ${formatDayTime(until)}.`;
    output.printSecret({
      value: app,
      secret: app.client_secret ?? "",
      message: `${app.name} has a new secret, shown this one time.${oldSecretNote}`,
    });
  },
};
