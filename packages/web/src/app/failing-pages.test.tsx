import { http } from "@feather/sdk/msw";
import { errorResponse } from "@feather/testing/errors";
import { cleanup, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { ROUTES, type RouteSpec } from "#/config/routes.ts";
import { type Fallback, maria, neverSettles, respondWith } from "#/testing/page.tsx";
import { openSite } from "#/testing/site.tsx";

// The SDK waits a random time before it repeats a call; here, none.
vi.hoisted(() => {
  Math.random = () => 0;
});

beforeEach(() => {
  localStorage.clear();
  for (const method of ["info", "error", "warn"] as const) vi.spyOn(console, method).mockImplementation(() => {});
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Queries without which a page reads nothing. */
const QUERIES: Readonly<Record<string, string>> = {
  "/connect-marketplace-account": "?provider=aws&token=test_acme_feather_scale",
  "/subscription/change": "?plan=feather_max&quantity=1",
  "/oauth/authorize":
    "?client_id=app_1&redirect_uri=https%3A%2F%2Fa.example%2Fcb&response_type=code&scope=user.read&state=s",
};
/** Pages that work without the data that they read: the first steps use the model that every server has. */
const DO_WITHOUT: ReadonlySet<string> = new Set(["/onboarding"]);
/** Pages on which an error is final: they show it, and there is nothing to try again. */
const FINAL: ReadonlySet<string> = new Set(["/oauth/authorize"]);
/** A page that requests nothing itself: its requests come from the frame that surrounds every page. */
const QUIET = "/admin/sentry-example-page";

/** A cause that lasts: the SDK does not try again, so that no test waits for it. */
const EXPIRED = Object.assign(new Error("certificate has expired"), { code: "CERT_HAS_EXPIRED" });
/** Public pages that show data of the server. */
const PUBLIC_LISTS = ["/models", "/models/:owner/:name", "/models/:owner/:name/reviews", "/status"];
const READING_PAGES = ROUTES.filter(({ access, path }) => access !== "public" || PUBLIC_LISTS.includes(path));
const FAILURES: readonly [string, Fallback][] = [
  ["the server fails", () => errorResponse(500, "internal_error", "It failed.")],
  ["the server refuses", () => errorResponse(403, "organization_permission_denied", "It failed.")],
  [
    "nothing can be reached",
    () => {
      throw new TypeError("Failed to fetch", { cause: EXPIRED });
    },
  ],
  [
    "a proxy answers with a web page",
    () => respondWith(200, "<!doctype html><h1>Proxy</h1>", { "content-type": "text/html" }),
  ],
  ["answers are cut off", () => respondWith(200, '{"items": [{')],
];

function addressOf({ path }: RouteSpec): string {
  return path.replaceAll(/:(\w+)|\*/g, "x") + (QUERIES[path] ?? "");
}

/** Opens a page as an admin, waits until it shows all it can, and returns the paths of its calls. */
async function openAndSettle(address: string, fallback: Fallback): Promise<string[]> {
  const user = { ...maria, is_admin: true };
  const { requests } = await openSite(address, [http.auth.me(user)], fallback);
  await waitFor(() => expect(document.querySelector("main h1")).not.toBeNull());
  await waitFor(() => expect(document.querySelector("main .skeleton, main [aria-busy=true]")).toBeNull());
  return requests.map(({ path }) => path);
}

let callsOfFrame: ReadonlySet<string>;
beforeAll(async () => {
  const calls = await openAndSettle(QUIET, () => errorResponse(403, "organization_permission_denied", "No."));
  callsOfFrame = new Set([...calls, "/config"]); // the configuration is read after the first paint, so maybe later
  cleanup();
});

const offersRetry = () =>
  [...document.querySelectorAll("main button")].some(({ textContent }) => textContent.trim() === "Try again");
const showsError = () => document.querySelector("main [role=alert]") !== null;

test.each(
  FAILURES.flatMap(([name, fallback]) => READING_PAGES.map((route) => [name, route.path, route, fallback] as const)),
)("when %s, %s keeps its heading, shows the failure and offers a retry", async (_name, _path, route, fallback) => {
  const calls = await openAndSettle(addressOf(route), fallback);
  if (calls.every((path) => callsOfFrame.has(path)) || DO_WITHOUT.has(route.path)) return;
  await waitFor(() => expect(offersRetry() || (FINAL.has(route.path) && showsError())).toBe(true));
});

test.each(READING_PAGES.map((route) => [route.path, route] as const))(
  "while nothing is answered, %s shows where its content will be",
  async (path, route) => {
    const user = { ...maria, is_admin: true };
    const { requests } = await openSite(addressOf(route), [http.auth.me(user)], () => neverSettles());
    const isReading = () => requests.some((request) => !callsOfFrame.has(request.path));
    const isBusy = () => document.querySelector(".skeleton, [aria-busy=true]") !== null;
    await waitFor(() => expect(document.querySelector("main")).not.toBeNull());
    await waitFor(() => expect(!isReading() || isBusy() || DO_WITHOUT.has(path)).toBe(true));
  },
);
