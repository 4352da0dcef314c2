import type { StoredModel } from "@feather/sdk";
import { formatBytes } from "@feather/sdk/format";
import type { Command } from "../../command.ts";
import type { Column } from "../../output/table.ts";
import { formatAgo } from "../../output/time.ts";

/** Lists the models whose files are on the server. */
export const modelsStored: Command<undefined> = {
  name: "models stored",
  summary: "List the models on the server's disk",
  description: "Models whose files were downloaded, the largest first. feather rm deletes one.",
  prints: "list",
  fields: [
    "model_id",
    "organization_id",
    "repository",
    "file",
    "quantization",
    "bytes",
    "parameter_size",
    "is_loaded",
    "is_pinned",
    "created_at",
    "last_used_at",
  ] as const satisfies readonly (keyof StoredModel)[],
  needs: "admin",
  examples: ["feather models stored", "feather models stored --json model_id,bytes"],
  options: () => undefined,
  async run({ client, now, output, signal }) {
    const stored = await (await client()).admin.store.models.list({ signal });
    const empty = "Nothing was downloaded yet. Begin: feather run";
    const columns = listColumns(now());
    output.printList({ columns, id: ({ model_id }) => model_id, noun: "models", empty }, stored.items, stored);
  },
};

function listColumns(now: Date): readonly Column<StoredModel>[] {
  return [
    { header: "MODEL", cell: ({ model_id }) => model_id, paint: (text, style) => style.bold(text) },
    { header: "SIZE", cell: ({ bytes }) => formatBytes(bytes), plain: ({ bytes }) => String(bytes), align: "right" },
    { header: "BITS", cell: ({ quantization }) => quantization ?? "", dropOrder: 2 },
    {
      header: "LAST CALL",
      cell: ({ last_used_at }) => (last_used_at === null ? "never" : formatAgo(new Date(last_used_at), now)),
      plain: ({ last_used_at }) => (last_used_at === null ? "" : new Date(last_used_at).toISOString()),
      dropOrder: 1,
    },
    {
      header: "PINNED",
      cell: ({ is_pinned }) => (is_pinned ? "yes" : ""),
      plain: ({ is_pinned }) => String(is_pinned),
      dropOrder: 2,
    },
    { header: "FILE", cell: ({ repository, file }) => `${repository}: ${file}`, dropOrder: 3 },
  ];
}
