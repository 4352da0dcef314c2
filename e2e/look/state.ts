import type { BrowserContext } from "playwright-core";

/** What pages are looked at with: a life, nothing yet, calls that fail, or names as bad as names get. */
const STATES = ["full", "new", "broken", "long"] as const;
export type State = (typeof STATES)[number];

export function readState(name: string): State {
  const state = STATES.find((known) => known === name);
  if (!state) throw new Error(`--state is one of ${STATES.join(", ")}, not ${name}.`);
  return state;
}

/** Without them there is no page at all, only the way to the login. */
const NEEDED = /\/api\/(auth\/me|config|route-rules)\b/;

/** Lets every other call fail as a server does that is ill. */
export async function breakCalls(context: BrowserContext): Promise<void> {
  const message = "Something went wrong on the server.";
  const data = JSON.stringify({ code: "internal_error", message });
  const json = { statusCode: 500, statusMessage: "Internal Server Error", message, data };
  await context.route("**/api/**", (route) =>
    NEEDED.test(route.request().url())
      ? route.fallback()
      : route.fulfill({ status: 500, json, headers: { "x-should-retry": "false" } }),
  );
}
