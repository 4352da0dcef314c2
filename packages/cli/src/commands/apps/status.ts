import type { Command } from "../../command.ts";
import { APP_ARGUMENT, APP_FIELDS, resolveAppId } from "./app.ts";

type StatusCommand = Command<{ readonly id: string }>;

/** Creates a command that sets the status of an application. */
function createStatusCommand(
  verb: string,
  status: "active" | "inactive",
  texts: Pick<StatusCommand, "summary" | "description">,
): StatusCommand {
  return {
    name: `apps ${verb}`,
    ...texts,
    arguments: [APP_ARGUMENT],
    prints: "one",
    fields: APP_FIELDS,
    needs: "sign-in",
    examples: [`feather apps ${verb} app_3Lk9`],
    options: ([id = ""]) => ({ id }),
    async run(context, options) {
      const id = await resolveAppId(context, options.id);
      const { applications } = await context.client();
      const app = await applications.setStatus(id, { status }, { signal: context.signal });
      context.output.printChange({ value: app, id: app.id, message: `${app.name} is ${app.status} now.` });
    },
  };
}

/** Enables an application. */
export const appsEnable = createStatusCommand("enable", "active", { summary: "Switch an OAuth application on again" });
/** Disables an application: its tokens are refused. */
export const appsDisable = createStatusCommand("disable", "inactive", {
  summary: "Switch an OAuth application off",
  description: "Its tokens are refused at once, and hold again when it is switched on.",
});
