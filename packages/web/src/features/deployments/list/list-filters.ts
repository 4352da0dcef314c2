import type { Deployment } from "@feather/sdk";
import { STATE_INFO } from "../states.ts";

const FILTER_NAMES = ["search", "state", "provider"] as const;
/** Filters of the deployments list. */
export type DeploymentFilters = Partial<Record<(typeof FILTER_NAMES)[number], string>>;

/** Reads the filters from the URL. Unknown states are ignored. */
export function readFilters(params: URLSearchParams): DeploymentFilters {
  return Object.fromEntries(
    FILTER_NAMES.flatMap((name) => {
      const value = params.get(name)?.slice(0, 200) ?? "";
      return value === "" || (name === "state" && !Object.hasOwn(STATE_INFO, value)) ? [] : [[name, value]];
    }),
  );
}

/** Returns the URL parameters after a change, without empty filters. */
export function toSearchParams(filters: DeploymentFilters, change: DeploymentFilters): URLSearchParams {
  const next = { ...filters, ...change };
  return new URLSearchParams(
    FILTER_NAMES.flatMap((name) => (next[name] ? [[name, next[name]] as [string, string]] : [])),
  );
}

/** Returns the deployments that match the filters. Name, model or id must contain every search term. */
export function filterDeployments(
  deployments: readonly Deployment[],
  { search = "", state, provider }: DeploymentFilters,
): Deployment[] {
  const terms = search.toLowerCase().split(/\s+/).filter(Boolean);
  return deployments.filter((deployment) => {
    const text = `${deployment.name} ${deployment.model_id} ${deployment.id}`.toLowerCase();
    return (
      terms.every((word) => text.includes(word)) &&
      (state === undefined || deployment.state === state) &&
      (provider === undefined || deployment.provider_id === provider)
    );
  });
}

/** Counts deployments by state, in the order of `STATE_INFO`, without empty states. */
export function countStates(deployments: readonly Deployment[]): { state: keyof typeof STATE_INFO; count: number }[] {
  return (Object.keys(STATE_INFO) as (keyof typeof STATE_INFO)[])
    .map((state) => ({ state, count: deployments.filter((deployment) => deployment.state === state).length }))
    .filter(({ count }) => count > 0);
}
