import type { BrowserContext } from "playwright-core";

/** The data that pages are captured with: typical, none, failing calls, or extremely long names. */
const PAGE_STATES = ["full", "new", "broken", "long"] as const;
/** One of `PAGE_STATES`. */
export type PageState = (typeof PAGE_STATES)[number];

/** Parses the `--state` option. Throws for unknown states. */
export function readState(name: string): PageState {
  const state = PAGE_STATES.find((known) => known === name);
  if (!state) throw new Error(`--state is one of ${PAGE_STATES.join(", ")}, not ${name}.`);
  return state;
}

/** Without these calls every page redirects to the login. */
const ESSENTIAL_CALLS = /\/api\/(auth\/me|config|route-rules)\b/;

/** Makes all other calls fail with status 500. */
export async function failCalls(context: BrowserContext): Promise<void> {
  const message = "Something went wrong on the server.";
  const data = JSON.stringify({ code: "internal_error", message });
  const json = { statusCode: 500, statusMessage: "Internal Server Error", message, data };
  await context.route("**/api/**", (route) =>
    ESSENTIAL_CALLS.test(route.request().url())
      ? route.fallback()
      : route.fulfill({ status: 500, json, headers: { "x-should-retry": "false" } }),
  );
}
