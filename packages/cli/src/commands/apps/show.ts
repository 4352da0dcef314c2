import type { Application } from "@feather/sdk";
import type { Command } from "../../command.ts";
import type { DetailView } from "../../output/index.ts";
import { formatDay } from "../../output/time.ts";
import { APP_ARGUMENT, APP_FIELDS, paintStatus, resolveAppId } from "./app.ts";

/** Shows an application, without its secret. */
export const appsShow: Command<{ readonly id: string }> = {
  name: "apps show",
  summary: "Show an OAuth application",
  arguments: [APP_ARGUMENT],
  prints: "one",
  fields: APP_FIELDS,
  needs: "sign-in",
  examples: ["feather apps show app_3Lk9", "feather apps show app_3Lk9 --json redirect_uris"],
  options: ([id = ""]) => ({ id }),
  async run(context, options) {
    const id = await resolveAppId(context, options.id);
    context.output.printDetails(
      DETAIL_VIEW,
      await (await context.client()).applications.get(id, { signal: context.signal }),
    );
  },
};

const DETAIL_VIEW: DetailView<Application> = {
  id: ({ id }) => id,
  lines: (app) => [
    ["name", app.name, (text, style) => style.bold(text)],
    ["state", app.status, (text, style) => paintStatus(text, style, app)],
    ["kind", app.client_type],
    ["reviewed", app.verified ? "yes" : "no, people are warned"],
    ["devices", app.device_flow ? "signs people in on devices" : "no"],
    ...(app.description === "" ? [] : [["about", app.description] as const]),
    ...(app.homepage_url === null ? [] : [["home page", app.homepage_url] as const]),
    ["may", app.scopes.join(", ")],
    ...app.redirect_uris.map((address) => ["comes back to", address] as const),
    ["created", formatDay(app.created_at)],
    ["id", app.id],
  ],
};
