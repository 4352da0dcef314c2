import type { HostedModel } from "@feather/sdk";
import { formatBytes } from "@feather/sdk/format";
import type { Command } from "../../command.ts";
import type { Column } from "../../output/table.ts";
import { formatAgo } from "../../output/time.ts";

/** Lists the models in the memory of the server. */
export const ps: Command<undefined> = {
  name: "ps",
  summary: "List the models in the server's memory",
  description:
    "Models that are loaded, on their way into memory, or wait for it, those with the most memory first. What everybody can call now: feather models list --warm",
  prints: "list",
  fields: [
    "model_id",
    "organization_id",
    "runtime",
    "state",
    "reason",
    "memory_bytes",
    "context_length",
    "request_count",
    "last_used_at",
  ] as const satisfies readonly (keyof HostedModel)[],
  needs: "admin",
  examples: ["feather ps", "feather ps --json model_id,memory_bytes"],
  options: () => undefined,
  async run({ client, now, output, signal }) {
    const host = await (await client()).admin.modelHost.get({ signal });
    const empty = "No model is loaded. The first call loads one.";
    const columns = listColumns(now());
    output.printList({ columns, id: ({ model_id }) => model_id, noun: "models", empty }, host.models, host);
    for (const { model_id, reason } of host.models) if (reason !== null) output.hint(`${model_id}: ${reason}`);
    output.hint(`${formatBytes(host.free_bytes)} of ${formatBytes(host.memory_bytes)} of memory are free.`);
    for (const { name, memory_bytes, free_bytes } of host.graphics_cards)
      output.hint(`${name}: ${formatBytes(free_bytes)} of ${formatBytes(memory_bytes)} are free.`);
    if (host.gpu !== null) {
      const { free_bytes, memory_bytes } = host.gpu;
      output.hint(`${formatBytes(free_bytes)} of ${formatBytes(memory_bytes)} of GPU memory are free for models.`);
    }
  },
};

function listColumns(now: Date): readonly Column<HostedModel>[] {
  return [
    { header: "MODEL", cell: ({ model_id }) => model_id, paint: (text, style) => style.bold(text) },
    {
      header: "STATE",
      cell: ({ state }) => state,
      paint: (text, style, { state }) => (state === "failed" ? style.red(text) : text),
    },
    { header: "RUNTIME", cell: ({ runtime }) => runtime, dropOrder: 4 },
    {
      header: "MEMORY",
      cell: ({ memory_bytes }) => formatBytes(memory_bytes),
      plain: ({ memory_bytes }) => String(memory_bytes),
      align: "right",
    },
    {
      header: "CONTEXT",
      cell: ({ context_length }) => String(context_length),
      align: "right",
      dropOrder: 2,
    },
    { header: "REQUESTS", cell: ({ request_count }) => String(request_count), align: "right", dropOrder: 1 },
    {
      header: "LAST CALL",
      cell: ({ last_used_at }) => formatAgo(new Date(last_used_at), now),
      plain: ({ last_used_at }) => new Date(last_used_at).toISOString(),
      dropOrder: 3,
    },
  ];
}
