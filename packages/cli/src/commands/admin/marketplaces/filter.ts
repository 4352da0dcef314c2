import type { Flag, FlagValues } from "../../../command-line.ts";
import { optionalText } from "../../../flags.ts";
import { PROVIDERS } from "./purchase.ts";

/** What purchases and their usage are filtered by. */
type Filter<State extends string> = {
  readonly search?: string;
  readonly status?: State;
  readonly provider?: (typeof PROVIDERS)[number];
};

/** The flags that filter lists of marketplaces. */
export const filterFlags = (states: readonly string[]): readonly Flag[] => [
  { name: "--search <text>", summary: "part of an organization's name, or of an id at the marketplace" },
  { name: "--state <state>", summary: "those in this state", choices: states },
  { name: "--marketplace <id>", summary: "those at this marketplace", choices: PROVIDERS },
];

/** Parses those flags. */
export function parseFilter<State extends string>(flags: FlagValues, states: readonly State[]): Filter<State> {
  const status = states.find((one) => one === flags.state);
  const provider = PROVIDERS.find((one) => one === flags.marketplace);
  return {
    ...optionalText("search", flags.search),
    ...(status !== undefined && { status }),
    ...(provider !== undefined && { provider }),
  };
}
