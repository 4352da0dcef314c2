import type { Command } from "../../command.ts";
import { UsageError } from "../../errors.ts";
import { findNearest } from "../../suggest.ts";

/** Paths of the site's pages, by the names that `open` accepts. */
const PAGES: Readonly<Record<string, string>> = {
  home: "/",
  models: "/models",
  chat: "/chat",
  pricing: "/pricing",
  docs: "/docs",
  status: "/status",
  account: "/account",
  subscription: "/account",
  profile: "/account/profile",
  keys: "/account/api-keys",
  usage: "/account/usage",
  "payment-methods": "/account/payment-methods",
  "private-models": "/account/private-models",
  deployments: "/account/private-cloud/deployments",
  apps: "/developer/applications",
  admin: "/admin",
};
const NAMES = Object.keys(PAGES);

/** Opens a page of the site in the browser, or prints its URL when there is none. */
export const open: Command<{ readonly path: string; readonly print: boolean }> = {
  name: "open",
  summary: "Open a page of the site in the browser",
  description: `Pages: ${NAMES.join(", ")}; a model's page by its id. Without a browser, and in pipes, the address is printed.`,
  arguments: [{ name: "[page]", summary: "page, or id of a model; the home page if left out", values: "pages" }],
  flags: [{ name: "--print", summary: "print the address, and open nothing" }],
  examples: ["feather open usage", "feather open Qwen/Qwen3-32B", "feather open keys --print"],
  options: ([page = "home"], flags) => ({ path: resolvePath(page), print: flags.print === true }),
  async run({ io, output, settings, openUrl }, { path, print }) {
    const address = settings().baseUrl + path;
    const opened = !print && output.mode === "human" && io.env.browser && (await openUrl(address));
    if (opened) output.info(`Opened ${address}`);
    else output.print(address);
  },
};

function resolvePath(page: string): string {
  const path = Object.hasOwn(PAGES, page) ? PAGES[page] : undefined;
  if (path !== undefined) return path;
  if (/^[\w.-]+\/[\w.:-]+$/.test(page)) return `/models/${page}`;
  const [close] = findNearest(page, NAMES);
  throw new UsageError(
    `there is no page called ${page}`,
    close === undefined ? `feather open with any of ${NAMES.join(", ")}` : `feather open ${close}`,
  );
}

/** Names of all pages, for completion. */
export const PAGE_NAMES: readonly string[] = NAMES;
