import type { Body } from "@feather/sdk";
import type { Command } from "../../command.ts";
import { UsageError } from "../../errors.ts";
import { given } from "../../flags.ts";
import { APP_ARGUMENT, APP_FIELDS, chosenApp } from "./app.ts";
import { APP_FLAGS, appChangesOf } from "./flags.ts";

/** The application and its changes. */
export type AppsUpdateOptions = { readonly id: string; readonly changes: Body<"applications.update"> };

/** Updates an application; flags that are omitted change nothing. */
export const appsUpdate: Command<AppsUpdateOptions> = {
  name: "apps update",
  summary: "Change an OAuth application",
  about: "What is not given stays; addresses and scopes are replaced. Some changes are reviewed again.",
  arguments: [APP_ARGUMENT],
  flags: [{ name: "--name <name>", summary: "what people see it called" }, ...APP_FLAGS],
  prints: "one",
  fields: APP_FIELDS,
  needs: "sign-in",
  examples: ["feather apps update app_3Lk9 --name Notes --scope user.read,api.access"],
  options: ([id = ""], flags) => {
    const changes = { ...given("name", flags.name), ...appChangesOf(flags) };
    if (Object.keys(changes).length === 0) throw new UsageError("nothing to change", "feather apps update --help");
    return { id, changes };
  },
  async run(context, { id: given, changes }) {
    const id = await chosenApp(context, given);
    const app = await (await context.client()).applications.update(id, changes, { signal: context.signal });
    const waits = app.status === "pending" ? " It works again once it has been reviewed." : "";
    context.output.changed({ value: app, id: app.id, said: `Changed ${app.name}.${waits}` });
  },
};
