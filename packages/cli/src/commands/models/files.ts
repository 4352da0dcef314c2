import type { StoreFiles } from "@feather/sdk";
import { formatBytes } from "@feather/sdk/format";
import type { Command } from "../../command.ts";
import type { TableView } from "../../output/index.ts";
import { formatAgo } from "../../output/time.ts";

type File = StoreFiles["files"][number];

/** Lists the files of a model on the hub that the server could load. */
export const modelsFiles: Command<{ readonly model: string }> = {
  name: "models files",
  summary: "List a model's files on the hub",
  description: "The files that the server could load, and which of them a download takes.",
  arguments: [{ name: "<id>", summary: "model as owner/name, with or without a quantization: owner/name:Q5_K_M" }],
  prints: "list",
  fields: ["file", "bytes", "quantization", "fits"],
  needs: "admin",
  examples: ["feather models files Qwen/Qwen3-8B", "feather models files Qwen/Qwen3-8B --json file,bytes"],
  options: ([model = ""]) => ({ model }),
  async run({ client, now, output, signal }, { model }) {
    const feather = await client();
    const found = await feather.admin.store.files({ model_id: model }, { signal });
    const { model_id, repository, chosen, reason } = found;
    const tableView: TableView<File> = {
      columns: [
        { header: "FILE", cell: ({ file }) => file, paint: (text, style) => style.bold(text) },
        {
          header: "SIZE",
          cell: ({ bytes }) => formatBytes(bytes),
          plain: ({ bytes }) => String(bytes),
          align: "right",
        },
        { header: "BITS", cell: ({ quantization }) => quantization ?? "" },
        { header: "FITS", cell: ({ fits }) => (fits ? "yes" : "no"), plain: ({ fits }) => String(fits) },
      ],
      id: ({ file }) => file,
      noun: "files",
      empty: "No file of it can be loaded.",
    };
    output.printList(tableView, found.files, found);
    if (found.cached_at !== null)
      output.hint(`The hub cannot be reached. This is what it had ${formatAgo(new Date(found.cached_at), now())}.`);
    if (repository !== model_id) output.hint(`They are in ${repository}.`);
    if (found.is_conversion) output.hint("It is made here of the safetensors files, so its size is an estimate.");
    output.hint(chosen === null ? (reason ?? "") : `feather models pull ${model} takes ${chosen}.`);
  },
};
