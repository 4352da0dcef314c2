import type { Command } from "../../../command.ts";

/** Starts the server again. */
export const settingsRestart: Command<undefined> = {
  name: "admin settings restart",
  summary: "Start the server again, with the saved settings",
  description:
    "Running calls get their time to end, as when the server is stopped. One of several servers on a database refuses it: start those again where they are run.",
  confirms: true,
  prints: "one",
  fields: [],
  needs: "admin",
  examples: ["feather admin settings restart --yes"],
  options: () => undefined,
  async run({ client, confirm, output, signal }) {
    await confirm("Start the server again? For some seconds it answers nobody.");
    await (await client()).admin.restart({ signal });
    output.printChange({ value: { restarting: true }, id: "", message: "The server starts again." });
    output.hint("See when it answers: feather doctor");
  },
};
