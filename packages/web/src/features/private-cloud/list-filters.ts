import type { Deployment } from "./queries.ts";
import { STATES } from "./states.ts";

const NAMES = ["search", "state", "provider"] as const;
export type ListFilters = Partial<Record<(typeof NAMES)[number], string>>;

/** The filters as they stand in the address. A state that does not exist is none. */
export function readFilters(params: URLSearchParams): ListFilters {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = params.get(name)?.slice(0, 200) ?? "";
      return value === "" || (name === "state" && !Object.hasOwn(STATES, value)) ? [] : [[name, value]];
    }),
  );
}

/** The address after a change, without empty filters. */
export function writeFilters(filters: ListFilters, change: ListFilters): URLSearchParams {
  const next = { ...filters, ...change };
  return new URLSearchParams(NAMES.flatMap((name) => (next[name] ? [[name, next[name]] as [string, string]] : [])));
}

/** The deployments that a list with these filters shows: name, model or address hold every word searched for. */
export function pick(deployments: readonly Deployment[], { search = "", state, provider }: ListFilters): Deployment[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return deployments.filter((deployment) => {
    const text = `${deployment.name} ${deployment.model_id} ${deployment.id}`.toLowerCase();
    return (
      words.every((word) => text.includes(word)) &&
      (state === undefined || deployment.state === state) &&
      (provider === undefined || deployment.provider_id === provider)
    );
  });
}

/** How many there are in each state, in the order of `STATES`, without empty ones. */
export function countStates(deployments: readonly Deployment[]): { state: keyof typeof STATES; count: number }[] {
  return (Object.keys(STATES) as (keyof typeof STATES)[])
    .map((state) => ({ state, count: deployments.filter((deployment) => deployment.state === state).length }))
    .filter(({ count }) => count > 0);
}
