import type { Collection } from "@feather/sdk";
import { formatCount } from "@feather/sdk/format";
import type { Command } from "../../command.ts";
import type { TableView } from "../../output/index.ts";
import { COLLECTION_FIELDS } from "./collection.ts";

/** Lists the collections that the person may read. */
export const collectionsList: Command<null> = {
  name: "collections list",
  summary: "List the collections of documents that you may read",
  prints: "list",
  fields: COLLECTION_FIELDS,
  needs: "sign-in",
  examples: ["feather collections list", "feather collections list --json id,name,documents"],
  options: () => null,
  async run({ client, output, signal }) {
    const response = await (await client()).collections.list({ signal });
    output.printList(VIEW, response.items, response);
  },
};

const VIEW: TableView<Collection> = {
  columns: [
    { header: "NAME", cell: ({ name }) => name, paint: (text, style) => style.bold(text) },
    { header: "DOCUMENTS", cell: ({ documents }) => formatCount(documents) },
    { header: "READ BY", cell: ({ access }) => (access === "owner" ? "you" : "members"), dropOrder: 2 },
    { header: "MODEL", cell: ({ embedding_model }) => embedding_model ?? "none, words alone", dropOrder: 1 },
    { header: "ID", cell: ({ id }) => id, paint: (text, style) => style.dim(text) },
  ],
  id: ({ id }) => id,
  noun: "collections",
  empty: "There are no collections that you may read. Create one: feather collections create <name>",
};
