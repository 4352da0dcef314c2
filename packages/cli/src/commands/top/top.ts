import { setTimeout as wait } from "node:timers/promises";
import type { Feather } from "@feather/sdk";
import type { Command } from "../../command.ts";
import { UsageError } from "../../errors.ts";
import { canAdminister } from "../../sign-in/rights.ts";
import { createTopSource } from "./source.ts";

/** Shows units, requests, models, deployments and errors as they change, on the whole terminal. */
export const top: Command<undefined> = {
  name: "top",
  summary: "Watch units, requests, models and deployments",
  description:
    "Fills the terminal until q is pressed, and leaves it as it was. Keys: Tab or a number chooses what is listed, the arrow keys a row, Enter shows its details, o opens its page on the site, / filters, and x, after a question, stops a request of your own, pauses a deployment, or for admins unloads a model or stops a download. Admins see the memory of models, backends and downloads, too. In pipes: `feather usage --live --json`.",
  needs: "sign-in",
  examples: ["feather top"],
  options: () => undefined,
  async run(context) {
    const { client, output, io, now, settings, signal, interactive } = context;
    if (!interactive || !output.tty || output.mode !== "human")
      throw new UsageError("feather top needs a terminal", "feather usage --live --json");
    const feather = await client();
    const [first, isAdmin] = await Promise.all([feather.concurrency.get({ signal }), isAdministrator(feather, signal)]);
    const { isUnauthorized } = await import("@feather/sdk");
    const { toExitReport } = await import("../../exit/exit-report.ts");
    const siteUrl = settings().baseUrl;
    const ui = await context.loadUi("feather usage --live --json");
    await ui.watchTop(
      {
        first,
        source: createTopSource(feather, { isAdmin }),
        now,
        pause: (milliseconds, end) => wait(milliseconds, undefined, { signal: end }).catch(() => {}),
        explain: (error) => toExitReport(error).message ?? "it was stopped",
        isFatal: isUnauthorized,
        style: output.style,
        host: new URL(siteUrl).host,
        siteUrl,
        stopProcess: ui.stopProcess,
        openUrl: async (address) => io.env.browser && (await context.openUrl(address)),
      },
      io,
      signal,
    );
  },
};

/** Returns whether the caller may make admin calls. Keys that may not read their owner may not. */
async function isAdministrator(feather: Feather, signal: AbortSignal): Promise<boolean> {
  const { isApiError } = await import("@feather/sdk");
  try {
    const user = await feather.auth.me({ signal });
    return user.is_admin && (await canAdminister(feather, signal));
  } catch (error) {
    if (isApiError(error) && [401, 403, 404].includes(error.status)) return false;
    throw error;
  }
}
