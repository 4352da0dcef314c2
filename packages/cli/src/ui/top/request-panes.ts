import type { Concurrency, Receipt } from "@feather/sdk";
import { formatCount } from "@feather/sdk/format";
import type { DetailLine } from "../../output/index.ts";
import type { Column } from "../../output/table.ts";
import { formatAgo, formatDuration } from "../../output/time.ts";
import { formatTokenRate } from "../../views/live-usage.ts";
import { formatResult, RECEIPT_VIEW } from "../../views/receipt.ts";
import type { TopData } from "./data-state.ts";
import { definePane, type Pane, type StopAction } from "./pane.ts";
import type { TopSource } from "./source.ts";

/** A request that runs, or one that has ended. */
type RequestRow =
  | { readonly state: "running"; readonly request: Concurrency["requests"][number] }
  | { readonly state: "ended"; readonly receipt: Receipt };

/** Shorter answers are sent at once, so that no rate can be measured. */
const MIN_GENERATION_MS = 100;

/** What panes of requests need besides the data. */
export type RequestPaneOptions = {
  readonly now: Date;
  /** Address of the site, without a slash at its end. */
  readonly siteUrl: string;
  readonly source: Pick<TopSource, "stopRequest">;
};

/** Returns the requests that run, and below them those that ended last; `x` stops one of the person's own. */
export function createRequestsPane({ usage, collections: { recent } }: TopData, options: RequestPaneOptions): Pane {
  const { now, siteUrl, source } = options;
  const running = usage.requests.map((request): RequestRow => ({ state: "running", request }));
  const runningIds = new Set(usage.requests.map(({ id }) => id));
  const ended = (recent.value?.receipts ?? [])
    .filter(({ id }) => !runningIds.has(id))
    .map((receipt): RequestRow => ({ state: "ended", receipt }));
  return definePane<RequestRow>({
    id: "requests",
    title: "Requests",
    rows: [...running, ...ended],
    count: running.length,
    empty: "Nothing is running, and nothing was called in the last 30 days.",
    error: recent.error,
    columns: requestColumns(now),
    rowId: (row) => (row.state === "running" ? row.request.id : row.receipt.id),
    details: (row) => (row.state === "running" ? runningDetails(row.request, now) : RECEIPT_VIEW.lines(row.receipt)),
    page: () => usagePage(siteUrl),
    stop: (row) => (row.state === "running" ? createStop(row.request, source) : null),
  });
}

const usagePage = (siteUrl: string): string => `${siteUrl}/account/usage`;

/** Returns the action that stops a request; null for a request of another caller. */
function createStop(
  { id, model, is_own: isOwn }: Concurrency["requests"][number],
  source: RequestPaneOptions["source"],
): StopAction | null {
  if (!isOwn) return null;
  return {
    label: "stop",
    question: `Stop this request to ${model}? Whoever waits for its answer gets an error.`,
    async run() {
      await source.stopRequest(id);
      return `Stopped ${id}.`;
    },
  };
}

/** Returns the requests that failed, among those that ended last. */
export function createErrorsPane({ collections: { recent } }: TopData, options: RequestPaneOptions): Pane {
  const { now, siteUrl } = options;
  const refused = recent.value?.refused ?? 0;
  return definePane<Receipt>({
    id: "errors",
    title: "Errors",
    rows: recent.value?.receipts.filter(({ outcome }) => outcome === "failed" || outcome === "interrupted") ?? null,
    empty: "None of the last requests failed.",
    note:
      refused === 0
        ? null
        : `${formatCount(refused)} ${refused === 1 ? "call was" : "calls were"} refused in the last hour, because all units were in use`,
    error: recent.error,
    columns: errorColumns(now),
    rowId: ({ id }) => id,
    details: RECEIPT_VIEW.lines,
    page: () => usagePage(siteUrl),
  });
}

/** Returns the output tokens of a second, from the first token to the end; null where that cannot be measured. */
export function tokensPerSecond(receipt: Receipt): number | null {
  const { streamed, completion_tokens: tokens, first_byte_ms: first, duration_ms: duration } = receipt;
  if (!streamed || first === null || tokens < 2 || duration - first < MIN_GENERATION_MS) return null;
  return tokens / ((duration - first) / 1000);
}

function formatRowRate(row: RequestRow): string {
  return formatTokenRate(row.state === "running" ? row.request.tokens_per_second : tokensPerSecond(row.receipt));
}

function requestColumns(now: Date): readonly Column<RequestRow>[] {
  return [
    {
      header: "MODEL",
      cell: (row) => (row.state === "running" ? row.request.model : row.receipt.model),
      paint: (text, style, row) => (row.state === "running" ? style.bold(text) : text),
    },
    {
      header: "STATE",
      cell: (row) => (row.state === "running" ? "running" : formatResult(row.receipt)),
      paint: (text, style, row) => {
        if (row.state === "running") return style.accent(text);
        return row.receipt.outcome === "failed" ? style.red(text) : style.dim(text);
      },
    },
    {
      header: "UNITS",
      cell: (row) => String(row.state === "running" ? row.request.cost : row.receipt.units),
      align: "right",
      dropOrder: 3,
    },
    {
      header: "FOR",
      cell: (row) => formatDuration(row.state === "running" ? elapsedMs(row.request, now) : row.receipt.duration_ms),
      align: "right",
    },
    { header: "TOKENS", cell: formatRowRate, align: "right", dropOrder: 2 },
    {
      header: "BEGUN",
      cell: (row) => formatAgo(row.state === "running" ? row.request.started_at : row.receipt.started_at, now),
      dropOrder: 3,
    },
    {
      header: "KEY",
      cell: (row) => (row.state === "running" ? "" : (row.receipt.api_key_id ?? "")),
      paint: (text, style) => style.dim(text),
      dropOrder: 4,
    },
    {
      header: "REQUEST",
      cell: (row) => (row.state === "running" ? row.request.id : row.receipt.id),
      paint: (text, style) => style.dim(text),
      dropOrder: 1,
    },
  ];
}

function errorColumns(now: Date): readonly Column<Receipt>[] {
  return [
    { header: "MODEL", cell: ({ model }) => model, paint: (text, style) => style.bold(text) },
    { header: "RESULT", cell: formatResult, paint: (text, style) => style.red(text) },
    { header: "STATUS", cell: ({ status }) => String(status), align: "right", dropOrder: 2 },
    { header: "WHEN", cell: ({ started_at }) => formatAgo(started_at, now) },
    { header: "REQUEST", cell: ({ id }) => id, paint: (text, style) => style.dim(text), dropOrder: 1 },
  ];
}

const elapsedMs = ({ started_at }: Concurrency["requests"][number], now: Date): number =>
  Math.max(0, now.getTime() - started_at.getTime());

/** Returns how much of the answer there is: `57 tokens, 62/s`. */
function formatOutput({ output_tokens: tokens, tokens_per_second: rate }: Concurrency["requests"][number]): string {
  if (tokens === null) return "nothing yet";
  const count = `${formatCount(tokens)} ${tokens === 1 ? "token" : "tokens"}`;
  return rate === null ? count : `${count}, ${formatTokenRate(rate)}`;
}

function runningDetails(request: Concurrency["requests"][number], now: Date): readonly DetailLine[] {
  return [
    ["request", request.id, (text, style) => style.bold(text)],
    ["model", request.model],
    ["units", String(request.cost)],
    ["running for", formatDuration(elapsedMs(request, now))],
    ["answer", formatOutput(request)],
  ];
}
