import { BACKEND_COLUMNS } from "../../commands/admin/backends/list.ts";
import {
  createDetailView as createDeploymentView,
  type Deployment,
  formatState as formatDeploymentState,
  paintState as paintDeploymentState,
} from "../../commands/deployments/deployment.ts";
import { formatState, formatUnitBarbs, type Model, paintId, paintState } from "../../commands/models/model.ts";
import { formatAmount, type Pull } from "../../commands/models/pull-state.ts";
import { pullColumns } from "../../commands/models/pulls.ts";
import { formatTokens } from "../../output/format.ts";
import { formatRate } from "../../output/rate.ts";
import type { Column } from "../../output/table.ts";
import { formatDayTime } from "../../output/time.ts";
import type { TopData } from "./data-state.ts";
import { definePane, type Pane, type StopAction } from "./pane.ts";
import type { TopSource } from "./source.ts";

/** What panes of resources need besides the data. */
export type PaneOptions = {
  readonly now: Date;
  readonly unicode: boolean;
  /** Address of the site, without a slash at its end. */
  readonly siteUrl: string;
  readonly source: Pick<TopSource, "pauseDeployment" | "cancelDownload">;
};

/** Returns the models of the catalogue with their state. */
export function createModelsPane({ collections: { models } }: TopData, options: PaneOptions): Pane {
  const { now, unicode, siteUrl } = options;
  return definePane<Model>({
    id: "models",
    title: "Models",
    rows: models.value?.items ?? null,
    ...(models.value !== null && { count: models.value.total }),
    empty: "There are no models.",
    error: models.error,
    columns: [
      { header: "MODEL", cell: ({ id }) => id, paint: paintId },
      { header: "STATE", cell: (model) => formatState(model, now), paint: paintState },
      { header: "UNITS", cell: ({ concurrency_cost: cost }) => formatUnitBarbs(cost, unicode), dropOrder: 1 },
      { header: "CONTEXT", cell: (model) => formatTokens(model.context_length), align: "right", dropOrder: 2 },
    ],
    rowId: ({ id }) => id,
    details: (model) => [
      ["model", model.id, paintId],
      ["state", formatState(model, now), (text, style) => paintState(text, style, model)],
      ...(model.availability.loading_stage === null
        ? []
        : ([["waits for", model.availability.loading_stage]] as const)),
      ["units", String(model.concurrency_cost)],
      ["about", model.description],
      ["page", `${siteUrl}/models/${model.id}`],
    ],
  });
}

/** Returns the deployments of the organization; `x` pauses one. */
export function createDeploymentsPane({ collections: { deployments } }: TopData, options: PaneOptions): Pane {
  const { now, siteUrl, source } = options;
  return definePane<Deployment>({
    id: "deployments",
    title: "Deployments",
    rows: deployments.value,
    empty: "There are no deployments.",
    error: deployments.error,
    columns: DEPLOYMENT_COLUMNS,
    rowId: ({ id }) => id,
    details: (deployment) => [
      ...createDeploymentView(now).lines(deployment),
      ["page", `${siteUrl}/account/private-cloud/deployments/${deployment.id}`],
    ],
    stop({ id, name, state }): StopAction | null {
      if (state === "paused" || state === "deleting") return null;
      return {
        label: "pause",
        question: `Pause ${name}? Its replicas are stopped, its settings stay.`,
        async run() {
          await source.pauseDeployment(id);
          return `${name} is paused. Start it: feather deployments resume ${name}`;
        },
      };
    },
  });
}

const DEPLOYMENT_COLUMNS: readonly Column<Deployment>[] = [
  { header: "NAME", cell: ({ name }) => name, paint: (text, style) => style.bold(text) },
  { header: "STATE", cell: formatDeploymentState, paint: paintDeploymentState },
  { header: "MODEL", cell: ({ model_id: model }) => model, dropOrder: 1 },
  { header: "WHERE", cell: ({ provider_id, region }) => `${provider_id}, ${region}`, dropOrder: 2 },
];

/** Returns the backends that run models, for admins. */
export function createBackendsPane({ collections: { backends } }: TopData): Pane {
  return definePane({
    id: "backends",
    title: "Backends",
    rows: backends.value,
    empty: "There are no backends.",
    error: backends.error,
    columns: BACKEND_COLUMNS,
    rowId: ({ id }) => id,
    details: (backend) => [
      ["backend", backend.name, (text, style) => style.bold(text)],
      ["id", backend.id],
      ["address", backend.base_url],
      ["state", backend.state.replaceAll("_", " ")],
      ["running", String(backend.in_flight)],
      ["models", backend.models.join(", ")],
      ["last error", backend.last_error ?? "none"],
      ["checked", backend.checked_at === null ? "never" : formatDayTime(new Date(backend.checked_at))],
    ],
  });
}

const STOPPABLE_DOWNLOADS: readonly Pull["state"][] = ["queued", "downloading", "verifying"];

/** Returns the downloads from the hub with rate and time left, for admins; `x` stops one. */
export function createDownloadsPane(data: TopData, { now, source }: PaneOptions): Pane {
  const { downloads } = data.collections;
  const rateOf = ({ id, state, bytes_done: done, bytes_total: total }: Pull): string =>
    state === "downloading" ? formatRate(data.samples[id] ?? [], { done, total, unit: "bytes" }, now) : "";
  return definePane<Pull>({
    id: "downloads",
    title: "Downloads",
    rows: downloads.value,
    empty: "Nothing was downloaded yet.",
    error: downloads.error,
    columns: [...pullColumns(now).slice(0, 3), { header: "RATE", cell: rateOf }, ...pullColumns(now).slice(3)],
    rowId: ({ id }) => id,
    details: (pull) => [
      ["download", pull.id, (text, style) => style.bold(text)],
      ["model", pull.model_id],
      ["file", pull.file],
      ["state", pull.state],
      ["done", formatAmount(pull)],
      ...(pull.error === null ? [] : ([["error", pull.error]] as const)),
      ["begun", formatDayTime(new Date(pull.created_at))],
    ],
    stop({ id, model_id: model, state }): StopAction | null {
      if (!STOPPABLE_DOWNLOADS.includes(state)) return null;
      return {
        label: "stop",
        question: `Stop the download of ${model}? What is downloaded is kept.`,
        async run() {
          await source.cancelDownload(id);
          return `Stopped ${model}. feather models pull ${model} resumes it.`;
        },
      };
    },
  });
}
