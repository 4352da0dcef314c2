import type { ApplicationUpdate } from "@feather/sdk";
import type { Command } from "../../command.ts";
import { UsageError } from "../../errors.ts";
import { optionalText } from "../../flags.ts";
import { APP_ARGUMENT, APP_FIELDS, resolveAppId } from "./app.ts";
import { APP_FLAGS, parseAppChanges } from "./flags.ts";

/** The application and its changes. */
export type AppsUpdateOptions = { readonly id: string; readonly changes: ApplicationUpdate };

/** Updates an application; flags that are omitted change nothing. */
export const appsUpdate: Command<AppsUpdateOptions> = {
  name: "apps update",
  summary: "Change an OAuth application",
  description: "What is not given stays; addresses and scopes are replaced. Some changes are reviewed again.",
  arguments: [APP_ARGUMENT],
  flags: [{ name: "--name <name>", summary: "what people see it called" }, ...APP_FLAGS],
  prints: "one",
  fields: APP_FIELDS,
  needs: "sign-in",
  examples: ["feather apps update app_3Lk9 --name Notes --scope user.read,api.access"],
  options: ([id = ""], flags) => {
    const changes = { ...optionalText("name", flags.name), ...parseAppChanges(flags) };
    if (Object.keys(changes).length === 0) throw new UsageError("nothing to change", "feather apps update --help");
    return { id, changes };
  },
  async run(context, { id: given, changes }) {
    const id = await resolveAppId(context, given);
    const app = await (await context.client()).applications.update(id, changes, { signal: context.signal });
    const reviewNote = app.status === "pending" ? " It works again once it has been reviewed." : "";
    context.output.printChange({ value: app, id: app.id, message: `Changed ${app.name}.${reviewNote}` });
  },
};
