import { t } from "@lingui/core/macro";
import type { Backend } from "./queries.ts";

const STATES: Record<Backend["state"], { tier: string; words: string }> = {
  healthy: { tier: "good", words: t`healthy` },
  cooling_down: { tier: "loading", words: t`cooling down` },
  unreachable: { tier: "bad", words: t`unreachable` },
  disabled: { tier: "offline", words: t`off` },
};
const SOURCES: Record<Backend["source"], string> = {
  engine: t`this server`,
  settings: t`settings`,
  discovered: t`found here`,
  admin: t`added here`,
  deployment: t`deployment`,
};

/** Label and colour of a backend's state. */
export const stateOf = ({ state }: Pick<Backend, "state">) => STATES[state];
/** Label of where a backend comes from. */
export const sourceOf = ({ source }: Pick<Backend, "source">): string => SOURCES[source];

/** Only backends that an admin has added can be edited here. */
export const isOurs = ({ source }: Pick<Backend, "source">): boolean => source === "admin";
