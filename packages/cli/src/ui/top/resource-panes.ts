import type { Deployment, Model, ModelHost, StorePull } from "@feather/sdk";
import { formatBytes, formatTokens } from "@feather/sdk/format";
import type { DetailLine } from "../../output/index.ts";
import { formatRate } from "../../output/rate.ts";
import type { Column } from "../../output/table.ts";
import { formatAgo, formatDayTime } from "../../output/time.ts";
import { BACKEND_COLUMNS } from "../../views/backend.ts";
import {
  createDetailView as createDeploymentView,
  formatState as formatDeploymentState,
  paintState as paintDeploymentState,
} from "../../views/deployment.ts";
import { formatState, formatUnitBarbs, paintId, paintState } from "../../views/model.ts";
import { formatAmount, pullColumns } from "../../views/pull.ts";
import type { TopData } from "./data-state.ts";
import { definePane, type Pane, type StopAction } from "./pane.ts";
import type { TopSource } from "./source.ts";

/** What panes of resources need besides the data. */
export type PaneOptions = {
  readonly now: Date;
  readonly unicode: boolean;
  /** Address of the site, without a slash at its end. */
  readonly siteUrl: string;
  readonly source: Pick<TopSource, "pauseDeployment" | "cancelDownload" | "unloadModel">;
};

/**
 * A model of the catalogue, and its entry in the server's memory; null if it is not loaded or the caller may not see
 * that.
 */
type ModelRow = { readonly model: Model; readonly loaded: ModelHost["models"][number] | null };

/** Returns the models of the catalogue with their state; for admins with their memory, and `x` unloads one. */
export function createModelsPane({ collections: { models, modelHost } }: TopData, options: PaneOptions): Pane {
  const { now, unicode, siteUrl, source } = options;
  const loadedById = new Map(
    (modelHost.value?.models ?? [])
      .filter(({ organization_id: organization }) => organization === null)
      .map((loaded) => [loaded.model_id, loaded]),
  );
  const rows = models.value?.items.map((model): ModelRow => ({ model, loaded: loadedById.get(model.id) ?? null }));
  return definePane<ModelRow>({
    id: "models",
    title: "Models",
    rows: rows === undefined ? null : rows.toSorted((a, b) => memoryOf(b) - memoryOf(a)),
    ...(models.value !== null && { count: models.value.total }),
    empty: "There are no models.",
    note: modelHost.value === null ? null : formatMemory(modelHost.value),
    error: models.error ?? modelHost.error,
    columns: [
      { header: "MODEL", cell: ({ model }) => model.id, paint: paintId },
      {
        header: "STATE",
        cell: (row) => formatModelState(row, now),
        paint: (text, style, { model }) => paintState(text, style, model),
      },
      ...(modelHost.value === null ? [] : [MEMORY_COLUMN]),
      { header: "UNITS", cell: ({ model }) => formatUnitBarbs(model.concurrency_cost, unicode), dropOrder: 1 },
      {
        header: "CONTEXT",
        cell: ({ model }) => (model.context_length === null ? "unknown" : formatTokens(model.context_length)),
        align: "right",
        dropOrder: 2,
      },
    ],
    rowId: ({ model }) => model.id,
    details: (row) => [...modelDetails(row, now), ["about", row.model.description], ["page", modelPage(siteUrl, row)]],
    page: (row) => modelPage(siteUrl, row),
    stop: (row) => createUnload(row, source),
  });
}

const MEMORY_COLUMN: Column<ModelRow> = {
  header: "MEMORY",
  cell: (row) => (memoryOf(row) === 0 ? "" : formatBytes(memoryOf(row))),
  align: "right",
};

const memoryOf = ({ loaded }: ModelRow): number => loaded?.memory_bytes ?? 0;
const modelPage = (siteUrl: string, { model }: ModelRow): string => `${siteUrl}/models/${model.id}`;

/** Returns the state of a model. What the server's memory holds is newer than the catalogue. */
function formatModelState({ model, loaded }: ModelRow, now: Date): string {
  return loaded === null || loaded.state === "warm" || loaded.state === "loading"
    ? formatState(model, now)
    : loaded.state === "waiting"
      ? "waits for memory"
      : loaded.state;
}

/** Returns how much memory all models take, those of organizations included: `Models take 6.4 GB of 19 GB.` */
function formatMemory({ memory_bytes: total, free_bytes: free }: ModelHost): string {
  return `Models take ${formatBytes(total - free)} of ${formatBytes(total)} of memory.`;
}

function modelDetails(row: ModelRow, now: Date): readonly DetailLine[] {
  const { model, loaded } = row;
  const { loading_stage: stage, loading_reason: reason } = model.availability;
  return [
    ["model", model.id, paintId],
    ["state", formatModelState(row, now), (text, style) => paintState(text, style, model)],
    ...(stage === null ? [] : ([["waits for", stage]] as const)),
    ...(reason === null ? [] : ([["reason", reason]] as const)),
    ["units", String(model.concurrency_cost)],
    ...(loaded === null
      ? []
      : ([
          ["memory", formatBytes(loaded.memory_bytes)],
          ["context", `${formatTokens(loaded.context_length)} tokens here`],
          ["running", String(loaded.request_count)],
          ["last used", formatAgo(loaded.last_used_at, now)],
        ] as const)),
  ];
}

function createUnload({ model, loaded }: ModelRow, source: PaneOptions["source"]): StopAction | null {
  if (loaded === null || loaded.state === "unloading") return null;
  const { request_count: count } = loaded;
  const consequence = count === 0 ? "" : ` ${count} ${count === 1 ? "request" : "requests"} that it answers will fail.`;
  return {
    label: "unload",
    question: `Unload ${model.id}?${consequence} The next call loads it again.`,
    async run() {
      await source.unloadModel(model.id);
      return `${model.id} is unloaded.`;
    },
  };
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
      ["page", deploymentPage(siteUrl, deployment)],
    ],
    page: (deployment) => deploymentPage(siteUrl, deployment),
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

const deploymentPage = (siteUrl: string, { id }: Deployment): string =>
  `${siteUrl}/account/private-cloud/deployments/${id}`;

const DEPLOYMENT_COLUMNS: readonly Column<Deployment>[] = [
  { header: "NAME", cell: ({ name }) => name, paint: (text, style) => style.bold(text) },
  { header: "STATE", cell: formatDeploymentState, paint: paintDeploymentState },
  { header: "MODEL", cell: ({ model_id: model }) => model, dropOrder: 1 },
  { header: "WHERE", cell: ({ provider_id, region }) => `${provider_id}, ${region}`, dropOrder: 2 },
];

/** Returns the backends that run models, for admins. */
export function createBackendsPane({ collections: { backends } }: TopData, { siteUrl }: PaneOptions): Pane {
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
    page: () => `${siteUrl}/admin/backends`,
  });
}

const STOPPABLE_DOWNLOADS: readonly StorePull["state"][] = [
  "queued",
  "downloading",
  "verifying",
  "converting",
  "paused",
];

/** Returns the downloads from the hub with rate and time left, for admins; `x` stops one. */
export function createDownloadsPane(data: TopData, { now, siteUrl, source }: PaneOptions): Pane {
  const { downloads } = data.collections;
  const rateOf = ({ id, state, bytes_done: done, bytes_total: total }: StorePull): string =>
    state === "downloading" ? formatRate(data.samples[id] ?? [], { done, total, unit: "bytes" }, now) : "";
  return definePane<StorePull>({
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
    page: () => `${siteUrl}/admin/downloads`,
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
