import type { Command } from "../../command.ts";
import { COLLECTION_ARGUMENT, findCollection } from "./collection.ts";

/** Deletes a document of a collection, after confirmation. */
export const collectionsRemove: Command<{ readonly collection: string; readonly document: string }> = {
  name: "collections remove",
  summary: "Delete a document of a collection",
  arguments: [
    COLLECTION_ARGUMENT,
    { name: "<document>", summary: "its id: feather collections documents <collection>" },
  ],
  confirms: true,
  needs: "sign-in",
  examples: ["feather collections remove Handbook doc_4fJqM1t9ZkX2vLr8NwB6yH --yes"],
  options: ([collection = "", document = ""]) => ({ collection, document }),
  async run({ client, confirm, output, signal }, { collection, document }) {
    const feather = await client();
    const { id, name } = await findCollection(feather, collection, signal);
    await confirm(async () => `Delete ${document} of ${name}? It cannot be brought back.`);
    await feather.collections.documents.delete(id, document, { signal });
    output.info(`Deleted ${document}.`);
  },
};
