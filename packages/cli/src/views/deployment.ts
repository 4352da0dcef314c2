import type { Deployment } from "@feather/sdk";
import type { DetailLine, DetailView } from "../output/index.ts";
import type { Style } from "../output/style.ts";
import { formatAgo } from "../output/time.ts";

/** Returns the range of replicas: `1`, or `0..2`. */
export function formatReplicas({
  min_replicas: min,
  max_replicas: max,
}: Pick<Deployment, "min_replicas" | "max_replicas">) {
  return min === max ? String(min) : `${min}..${max}`;
}

/** Returns the state for people: `running, 2 of 2 replicas`. */
export function formatState({
  state,
  state_reason: reason,
  ready_replicas: ready,
  desired_replicas: desired,
}: Deployment) {
  const replicaCount = desired === 0 ? "" : `, ${ready} of ${desired} replica${desired === 1 ? "" : "s"}`;
  return `${state.replaceAll("_", " ")}${replicaCount}${reason === null ? "" : `: ${reason}`}`;
}

/** Colours the state of a deployment. */
export function paintState(text: string, style: Style, { state }: Deployment): string {
  switch (state) {
    case "running":
      return style.green(text);
    case "failed":
    case "update_failed":
      return style.red(text);
    case "pending":
    case "initializing":
    case "updating":
      return style.accent(text);
    default:
      return style.dim(text);
  }
}

/** Returns the view that prints one deployment. */
export function createDetailView(now: Date): DetailView<Deployment> {
  return {
    id: ({ id }) => id,
    lines: (deployment) => {
      const { scale_to_zero_after_s: idle, autoscale } = deployment;
      const rows: [string, string | null, DetailLine[2]?][] = [
        ["name", deployment.name, (text, style) => style.bold(text)],
        ["id", deployment.id],
        ["state", formatState(deployment), (text, style) => paintState(text, style, deployment)],
        ["model", deployment.model_id + (deployment.revision === null ? "" : ` at ${deployment.revision}`)],
        ["where", `${deployment.provider_id}, ${deployment.region}, ${deployment.instance_type}`],
        ["replicas", formatReplicas(deployment)],
        ["scales", `at ${autoscale.target} ${autoscale.metric.replaceAll("_", " ")} for each replica`],
        ["sleeps", idle === null ? "never" : `after ${idle} s without a request`],
        ["open to", deployment.visibility === "public" ? "everybody" : "its token and keys of the organization"],
        ["address", deployment.url],
        ["changed", formatAgo(new Date(deployment.updated_at), now)],
      ];
      return rows.flatMap(([label, text, paint]) =>
        text === null ? [] : [[label, text, paint ?? unpainted] as const],
      );
    },
  };
}

const unpainted = (text: string) => text;
