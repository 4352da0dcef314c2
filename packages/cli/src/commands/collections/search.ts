import type { CollectionHit } from "@feather/sdk";
import type { Command } from "../../command.ts";
import { optionalNumber, parseNumberBetween } from "../../flags.ts";
import type { TableView } from "../../output/index.ts";
import { COLLECTION_ARGUMENT, findCollection } from "./collection.ts";

type SearchOptions = { readonly collection: string; readonly query: string; readonly limit?: number };

/** Searches a collection by words and by meaning. */
export const collectionsSearch: Command<SearchOptions> = {
  name: "collections search",
  summary: "Find passages in a collection by words and meaning",
  arguments: [COLLECTION_ARGUMENT, { name: "<query...>", summary: "a question, or words of the passages" }],
  flags: [
    { name: "--limit <number>", summary: "at most so many, 8 if left out", parse: parseNumberBetween(1, 50, true) },
  ],
  prints: "list",
  fields: [
    ...([
      ...(["collection_id", "document_id", "document_name", "number", "page", "start", "end", "text"] as const),
      ...(["score", "rank_by_words", "rank_by_meaning"] as const),
    ] as const),
  ] satisfies readonly (keyof CollectionHit)[],
  needs: "sign-in",
  examples: [
    'feather collections search Handbook "How many days of leave do I have?"',
    "feather collections search Handbook leave --limit 3 --json document_name,page,text",
  ],
  options: ([collection = "", ...words], flags) => ({
    collection,
    query: words.join(" "),
    ...optionalNumber("limit", flags.limit),
  }),
  async run({ client, output, signal }, { collection, ...request }) {
    const feather = await client();
    const { id } = await findCollection(feather, collection, signal);
    const response = await feather.collections.search({ collection_ids: [id], ...request }, { signal });
    output.printList(VIEW, response.items, response);
    for (const problem of response.problems) output.info(problem);
  },
};

const VIEW: TableView<CollectionHit> = {
  columns: [
    { header: "DOCUMENT", cell: ({ document_name }) => document_name, paint: (text, style) => style.bold(text) },
    { header: "PAGE", cell: ({ page }) => (page === null ? "" : String(page)) },
    { header: "PASSAGE", cell: ({ text }) => text.replaceAll(/\s+/g, " ") },
  ],
  id: ({ document_id, number }) => `${document_id}/${number}`,
  noun: "passages",
  empty: "Nothing was found.",
};
