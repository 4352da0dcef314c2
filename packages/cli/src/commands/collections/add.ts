import { basename } from "node:path";
import { isApiError } from "@feather/sdk";
import { DOCUMENT_TIMEOUT_MS, MAX_FILE_BYTES, readBytes } from "../../chat/document-files.ts";
import type { Command } from "../../command.ts";
import { COLLECTION_ARGUMENT, DOCUMENT_FIELDS, findCollection } from "./collection.ts";

/** Adds files to a collection. Those that it has already are passed over, so that the same line can be run again. */
export const collectionsAdd: Command<{ readonly collection: string; readonly paths: readonly string[] }> = {
  name: "collections add",
  summary: "Add PDF, DOCX, XLSX and text files to a collection",
  description: "Files that the collection has already are passed over.",
  arguments: [COLLECTION_ARGUMENT, { name: "<path...>", summary: "the files", values: "files" }],
  prints: "one",
  fields: DOCUMENT_FIELDS,
  needs: "sign-in",
  examples: ["feather collections add Handbook handbook.pdf", "feather collections add Handbook docs/*.md"],
  options: ([collection = "", ...paths]) => ({ collection, paths }),
  async run({ client, output, signal }, { collection, paths }) {
    const feather = await client();
    const { id, name } = await findCollection(feather, collection, signal);
    // In turn, since the server reads one document of a person at a time.
    for (const path of paths) {
      const file = new File([await readBytes(path, MAX_FILE_BYTES)], basename(path));
      try {
        const added = await feather.collections.documents.add(id, { file }, { signal, timeout: DOCUMENT_TIMEOUT_MS });
        const cut = added.cut_at === null ? "" : `, cut at the limit of ${added.cut_at}`;
        const passages = added.passages === 1 ? "1 passage" : `${added.passages} passages`;
        const message = `Added ${added.name} to ${name}: ${passages}${cut}.`;
        output.printChange({ value: added, id: added.id, message });
      } catch (error) {
        if (!isApiError(error) || error.code !== "collections.document_exists") throw error;
        output.info(`Passed over ${path}: ${name} has its content already.`);
      }
    }
  },
};
