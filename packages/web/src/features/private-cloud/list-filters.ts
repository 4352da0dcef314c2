import type { Deployment } from "./queries.ts";
import { STATES } from "./states.ts";

const NAMES = ["search", "state", "provider"] as const;
/** Filters of the deployments list. */
export type ListFilters = Partial<Record<(typeof NAMES)[number], string>>;

/** Reads the filters from the URL. Unknown states are ignored. */
export function readFilters(params: URLSearchParams): ListFilters {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = params.get(name)?.slice(0, 200) ?? "";
      return value === "" || (name === "state" && !Object.hasOwn(STATES, value)) ? [] : [[name, value]];
    }),
  );
}

/** Returns the URL parameters after a change, without empty filters. */
export function writeFilters(filters: ListFilters, change: ListFilters): URLSearchParams {
  const next = { ...filters, ...change };
  return new URLSearchParams(NAMES.flatMap((name) => (next[name] ? [[name, next[name]] as [string, string]] : [])));
}

/** Returns the deployments that match the filters. Name, model or id must contain every search term. */
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

/** Counts deployments by state, in the order of `STATE_INFO`, without empty states. */
export function countStates(deployments: readonly Deployment[]): { state: keyof typeof STATES; count: number }[] {
  return (Object.keys(STATES) as (keyof typeof STATES)[])
    .map((state) => ({ state, count: deployments.filter((deployment) => deployment.state === state).length }))
    .filter(({ count }) => count > 0);
}
