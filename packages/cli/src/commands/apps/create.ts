import type { ApplicationCreate } from "@feather/sdk";
import type { Command } from "../../command.ts";
import { UsageError } from "../../errors.ts";
import { isSet } from "../../flags.ts";
import { APP_FLAGS, parseAppChanges } from "./flags.ts";

/** Registers an application. Only its secret goes to stdout, so that it can be piped; it is shown once. */
export const appsCreate: Command<ApplicationCreate> = {
  name: "apps create",
  summary: "Register an OAuth application and print its secret",
  description: "A public application, such as one on the machines of its users, has no secret; its id is printed then.",
  arguments: [{ name: "<name>", summary: "what people see it called" }],
  flags: [...APP_FLAGS, { name: "--public", summary: "it cannot keep a secret" }],
  prints: "secret",
  needs: "sign-in",
  examples: [
    "feather apps create Notes --redirect https://notes.example/callback",
    "feather apps create Notes --public --redirect http://127.0.0.1/callback --scope api.access",
  ],
  options: ([name = ""], flags) => {
    const { redirect_uris = [], scopes = ["user.read"], ...rest } = parseAppChanges(flags);
    if (redirect_uris.length === 0)
      throw new UsageError("an application needs an address to come back to", "--redirect https://…");
    const client_type = isSet(flags, "public") ? ("public" as const) : ("confidential" as const);
    return { ...rest, name, redirect_uris, scopes, client_type };
  },
  async run({ client, output, signal }, body) {
    const app = await (await client()).applications.create(body, { signal });
    const reviewNote = app.status === "pending" ? " It works once it has been reviewed." : "";
    const secret = app.client_secret === null ? "" : " Its secret is shown this one time; keep it safe.";
    output.printSecret({
      value: app,
      secret: app.client_secret ?? app.id,
      message: `Registered ${app.name} (${app.id}).${reviewNote}${secret}`,
    });
  },
};
