import type { Feather, ProbedPlace } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import type { Context } from "../../../context.ts";
import type { Column } from "../../../output/table.ts";
import { formatAgo } from "../../../output/time.ts";
import { formatProbe } from "../../../views/probes.ts";
import { parseWaitOptions, type WaitOptions, type WorkStatus, waitFor } from "../../../wait.ts";
import { MODEL_ARGUMENT, resolveAdminModelId } from "./model.ts";

type Places = { items: ProbedPlace[] };

/** Has a model asked what it can do. */
export const adminModelsProbe: Command<{ readonly id: string; readonly waitOptions: WaitOptions }> = {
  name: "admin models probe",
  summary: "Ask a model what it can do",
  description:
    "At each of its backends, small calls show whether it calls tools, follows JSON schemas, sees pictures and reads long prompts, and how fast it is. Nothing is loaded for it. Without --wait, the results so far are printed.",
  arguments: [MODEL_ARGUMENT],
  prints: "list",
  fields: [
    "backend",
    "hosted",
    "state",
    "obstacle",
    "note",
    "started_at",
    "finished_at",
    "results",
  ] as const satisfies readonly (keyof ProbedPlace)[],
  waits: true,
  needs: "admin",
  examples: [
    "feather admin models probe Qwen/Qwen3-32B --wait",
    "feather admin models probe feather/demo --json backend,results",
  ],
  options: ([id = ""], flags) => ({ id, waitOptions: parseWaitOptions(flags) }),
  async run(context, { id: given, waitOptions: { wait, timeout } }) {
    const { client, now, output, signal } = context;
    const feather = await client();
    const id = await resolveAdminModelId(context, feather, given);
    const first = await feather.admin.models.probes.create(id, { signal });
    const places = wait ? await waitForProbes(context, feather, id, timeout) : first;
    const empty = `No backend runs ${id} now.`;
    const columns = listColumns(now());
    output.printList({ columns, id: ({ backend }) => backend, noun: "backends", empty }, places.items, places);
  },
};

function waitForProbes(context: Context, feather: Feather, id: string, timeout: number): Promise<Places> {
  return waitFor(context, {
    name: id,
    timeout,
    resume: `feather admin models probe ${id} --wait`,
    poll: () => feather.admin.models.probes.list(id, { signal: context.signal }),
    status: toWorkStatus,
  });
}

/** It has ended when it is neither waited for nor asked at any backend. */
function toWorkStatus({ items }: Places): WorkStatus {
  const isRunning = items.some(({ state }) => state === "running");
  const isOpen = isRunning || items.some(({ state }) => state === "waiting");
  return {
    state: isRunning ? "asking" : isOpen ? "waiting" : "asked",
    ...(!isOpen && { outcome: "succeeded" as const }),
  };
}

function listColumns(now: Date): readonly Column<ProbedPlace>[] {
  return [
    { header: "BACKEND", cell: ({ backend }) => backend, paint: (text, style) => style.bold(text) },
    { header: "WHERE", cell: ({ hosted }) => hosted, dropOrder: 2 },
    { header: "STATE", cell: ({ state }) => state },
    {
      header: "ASKED",
      cell: ({ finished_at }) => (finished_at === null ? "" : formatAgo(finished_at, now)),
      plain: ({ finished_at }) => finished_at?.toISOString() ?? "",
      dropOrder: 1,
    },
    { header: "SHOWN", cell: ({ results, obstacle, note }) => describeResults(results, obstacle ?? note) },
  ];
}

function describeResults(results: ProbedPlace["results"], reason: string | null): string {
  return [...results.map(formatProbe), ...(reason === null ? [] : [reason])].join(", ");
}
