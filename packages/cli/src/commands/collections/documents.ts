import type { CollectionDocument } from "@feather/sdk";
import { formatCount } from "@feather/sdk/format";
import type { Command } from "../../command.ts";
import type { TableView } from "../../output/index.ts";
import { type Paging, parsePaging, readPages } from "../../paging.ts";
import { COLLECTION_ARGUMENT, DOCUMENT_FIELDS, findCollection } from "./collection.ts";

/** Lists the documents of a collection, and how far their vectors are. */
export const collectionsDocuments: Command<{ readonly collection: string; readonly paging: Paging }> = {
  name: "collections documents",
  summary: "List the documents of a collection, and their state",
  arguments: [COLLECTION_ARGUMENT],
  prints: "list",
  fields: DOCUMENT_FIELDS,
  paged: true,
  needs: "sign-in",
  examples: [
    "feather collections documents Handbook",
    "feather collections documents Handbook --all --json name,state",
  ],
  options: ([collection = ""], flags) => ({ collection, paging: parsePaging(flags) }),
  async run({ client, output, signal }, { collection, paging }) {
    const feather = await client();
    const { id } = await findCollection(feather, collection, signal);
    const response = await readPages(paging, (page) => feather.collections.documents.list(id, page, { signal }));
    output.printList(VIEW, response.items, response);
    for (const { name, problem } of response.items) if (problem !== null) output.info(`${name}: ${problem}`);
  },
};

/** Returns the state of a document, and how far it is while vectors are being made. */
const describeState = ({ state, embedded_passages, passages }: CollectionDocument): string =>
  state === "embedding" ? `embedding, ${embedded_passages} of ${passages}` : state;

const VIEW: TableView<CollectionDocument> = {
  columns: [
    { header: "NAME", cell: ({ name }) => name, paint: (text, style) => style.bold(text) },
    { header: "PAGES", cell: ({ pages }) => (pages === null ? "" : formatCount(pages)), dropOrder: 2 },
    { header: "PASSAGES", cell: ({ passages }) => formatCount(passages), dropOrder: 1 },
    { header: "STATE", cell: describeState },
    { header: "ID", cell: ({ id }) => id, paint: (text, style) => style.dim(text) },
  ],
  id: ({ id }) => id,
  noun: "documents",
  empty: "It has no documents yet. Add one: feather collections add <collection> <path>",
};
