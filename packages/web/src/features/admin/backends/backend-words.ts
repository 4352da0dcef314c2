import type { Backend } from "./queries.ts";

const STATES: Record<Backend["state"], { tier: string; words: string }> = {
  healthy: { tier: "good", words: "healthy" },
  cooling_down: { tier: "loading", words: "cooling down" },
  unreachable: { tier: "bad", words: "unreachable" },
  disabled: { tier: "offline", words: "off" },
};
const SOURCES: Record<Backend["source"], string> = {
  engine: "this server",
  settings: "settings",
  discovered: "found here",
  admin: "added here",
  deployment: "deployment",
};

export const stateOf = ({ state }: Pick<Backend, "state">) => STATES[state];
export const sourceOf = ({ source }: Pick<Backend, "source">): string => SOURCES[source];

/** Only what was added on this page can be changed on it. */
export const isOurs = ({ source }: Pick<Backend, "source">): boolean => source === "admin";
