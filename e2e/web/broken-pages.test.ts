import type { BrowserContext, Page } from "playwright-core";
import { expect, inject, test } from "vitest";
import { createAccount, signInAsAdmin } from "../support/accounts.ts";
import { useBrowserPages } from "../support/browser-pages.ts";
import { type Route, routeAddress, siteRoutes } from "../support/site.ts";

const baseUrl = inject("baseUrl");
const { open } = useBrowserPages();
const AT_ONCE = 4;
/** Only ends a wait for something that never comes; no page has to be faster. */
const WAIT_LIMIT_MS = 60_000;

/** A page that reads nothing: what is asked on it is the frame's. */
const QUIET = "/admin/sentry-example-page";
/** What a page is opened with where its address alone would not make it read anything. */
const QUERIES: Readonly<Record<string, string>> = {
  "/connect-marketplace-account": "?provider=aws&token=test_acme_feather_scale",
  "/subscription/change": "?plan=feather_max&quantity=1",
  "/oauth/authorize":
    "?client_id=app_1&redirect_uri=https%3A%2F%2Fa.example%2Fcb&response_type=code&scope=user.read&state=s",
};
/** Pages that do as well without what they ask for: the first steps go on with the model that is always here. */
const FRUGAL: ReadonlySet<string> = new Set(["/onboarding"]);
/** Pages on which a refusal is final: it is told, and there is nothing to try. */
const FINAL: ReadonlySet<string> = new Set(["/oauth/authorize"]);
/** Without them there is no page at all, only the way to the login. */
const NEEDED = /\/api\/(auth\/me|config|route-rules)\b/;

type Failure = (context: BrowserContext, onRequest: (path: string) => void) => Promise<unknown>;
const answering =
  (status: number, code: string): Failure =>
  (context, onRequest) =>
    context.route("**/api/**", (route) => {
      const url = new URL(route.request().url());
      if (NEEDED.test(url.pathname)) return route.fallback();
      onRequest(url.pathname);
      const message = "It failed.";
      const body = { statusCode: status, statusMessage: "x", message, data: JSON.stringify({ code, message }) };
      return route.fulfill({ status, json: body, headers: { "x-should-retry": "false" } });
    });
const unreachable: Failure = (context, onRequest) =>
  context.route("**/api/**", (route) => {
    const { pathname } = new URL(route.request().url());
    if (NEEDED.test(pathname)) return route.fallback();
    onRequest(pathname);
    return route.abort("connectionrefused");
  });

/** What a person would miss on a page whose calls fail; null where it tells of it and lets them try again. */
async function missing(page: Page, route: Route, onRequest: Set<string>, frame: ReadonlySet<string>) {
  onRequest.clear();
  await page.goto(routeAddress(route.path) + (QUERIES[route.path] ?? ""));
  const main = page.locator("main");
  await main.getByRole("heading", { level: 1 }).first().waitFor({ timeout: WAIT_LIMIT_MS });
  await page.waitForLoadState("networkidle");
  const own = [...onRequest].filter((path) => !frame.has(path));
  if (own.length === 0) return null;
  const again = main.getByRole("button", { name: "Try again" });
  const tells = FINAL.has(route.path) ? again.or(main.getByRole("alert")) : again;
  if (FRUGAL.has(route.path)) return null;
  const isShown = await tells
    .first()
    .waitFor({ timeout: WAIT_LIMIT_MS })
    .then(
      () => true,
      () => false,
    );
  if (!isShown) return `no “Try again” after ${own.join(" ")}`;
  // Parts of a page give up one after the other: each tries again at its own times.
  const gone = () => !document.querySelector("main .skeleton");
  await page.waitForFunction(gone, null, { timeout: WAIT_LIMIT_MS }).catch(() => {});
  const waiting = await main.locator(".skeleton").count();
  return waiting > 0 ? `${waiting} parts wait for ever` : null;
}

test.each<[string, Failure]>([
  ["the server fails", answering(500, "internal_error")],
  ["the server refuses", answering(403, "forbidden")],
  ["nothing can be reached", unreachable],
])(
  "every page keeps its heading, names what failed to load and offers a retry when %s",
  async (_what, fail) => {
    const sessions = { admin: (await signInAsAdmin(baseUrl)).token, private: (await createAccount(baseUrl)).token };
    const found: Record<string, string> = {};

    async function visit(queue: Route[], session: string, frame: ReadonlySet<string>): Promise<ReadonlySet<string>> {
      const page = await open({ session });
      const onRequest = new Set<string>();
      await fail(page.context(), (path) => onRequest.add(path));
      for (let route = queue.shift(); route; route = queue.shift()) {
        const { path } = route;
        const lacks = await missing(page, route, onRequest, frame).catch((error: Error) => error.message.slice(0, 120));
        if (lacks !== null) found[path] = lacks;
      }
      await page.context().close();
      return onRequest;
    }

    const routes = siteRoutes();
    const quiet = routes.filter(({ path }) => path === QUIET);
    const frame = await visit([...quiet], sessions.admin, new Set());
    delete found[QUIET];
    for (const access of ["private", "admin"] as const) {
      const queue = routes.filter((route) => route.access === access && route.path !== QUIET);
      await Promise.all(Array.from({ length: AT_ONCE }, () => visit(queue, sessions[access], frame)));
    }
    expect(found).toEqual({});
  },
  900_000,
);
