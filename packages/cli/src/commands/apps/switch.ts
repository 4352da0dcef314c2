import type { Command } from "../../command.ts";
import { APP_ARGUMENT, APP_FIELDS, chosenApp } from "./app.ts";

type Switch = Command<{ readonly id: string }>;

/** Creates a command that sets the status of an application. */
function switchTo(verb: string, status: "active" | "inactive", words: Pick<Switch, "summary" | "about">): Switch {
  return {
    name: `apps ${verb}`,
    ...words,
    arguments: [APP_ARGUMENT],
    prints: "one",
    fields: APP_FIELDS,
    needs: "sign-in",
    examples: [`feather apps ${verb} app_3Lk9`],
    options: ([id = ""]) => ({ id }),
    async run(context, options) {
      const id = await chosenApp(context, options.id);
      const { applications } = await context.client();
      const app = await applications.setStatus(id, { status }, { signal: context.signal });
      context.output.changed({ value: app, id: app.id, said: `${app.name} is ${app.status} now.` });
    },
  };
}

/** Enables an application. */
export const appsEnable = switchTo("enable", "active", { summary: "Switch an OAuth application on again" });
/** Disables an application: its tokens are refused. */
export const appsDisable = switchTo("disable", "inactive", {
  summary: "Switch an OAuth application off",
  about: "Its tokens are refused at once, and hold again when it is switched on.",
});
