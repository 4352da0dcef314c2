import type { ContentSummary, Query } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import { optionalText } from "../../../flags.ts";
import type { Column } from "../../../output/table.ts";
import { formatDayTime, formatRfc3339 } from "../../../output/time.ts";
import { type Paging, parsePaging, readPages } from "../../../paging.ts";
import { formatPlace } from "./content-place.ts";

const KINDS = ["post", "page"] as const satisfies readonly ContentSummary["kind"][];
const STATES = ["draft", "scheduled", "published"] as const satisfies readonly ContentSummary["state"][];
/** Fields of a list that `--json` accepts. */
export const CONTENT_SUMMARY_FIELDS = [
  "kind",
  "slug",
  "title",
  "description",
  "author",
  "tags",
  "source",
  "replaces",
  "state",
  "published_at",
  "version",
  "edited_by",
  "edited_at",
] as const satisfies readonly (keyof ContentSummary)[];

/** Lists posts and pages, whether they are shown or not. */
export const contentList: Command<Query<"admin.content.list"> & { readonly paging: Paging }> = {
  name: "admin content list",
  summary: "List posts of the blog and pages of the operator",
  description: "Files of the data folder that are not shown are named on stderr, with the reason.",
  prints: "list",
  fields: CONTENT_SUMMARY_FIELDS,
  paged: true,
  needs: "admin",
  flags: [
    { name: "--kind <kind>", summary: "only posts, or only pages", choices: KINDS },
    { name: "--state <state>", summary: "those in this state", choices: STATES },
    { name: "--search <text>", summary: "part of a title or an address" },
  ],
  examples: ["feather admin content list", "feather admin content list --state draft -q"],
  options: (_, flags) => {
    const kind = KINDS.find((one) => one === flags.kind);
    const state = STATES.find((one) => one === flags.state);
    return {
      ...optionalText("search", flags.search),
      ...(kind && { kind }),
      ...(state && { state }),
      paging: parsePaging(flags),
    };
  },
  async run({ client, output, signal }, { paging, ...query }) {
    const { admin } = await client();
    const response = await readPages(paging, (page) => admin.content.list({ ...query, ...page }, { signal }));
    const view = { columns: COLUMNS, id: formatPlace, noun: "posts and pages", empty: "No post or page fits." };
    output.printList(view, response.items, response);
    for (const { file, problem } of response.problems) output.info(`Not shown: ${file}: ${problem}`);
  },
};

const COLUMNS: readonly Column<ContentSummary>[] = [
  { header: "POST OR PAGE", cell: formatPlace, paint: (text, style) => style.bold(text) },
  { header: "TITLE", cell: ({ title }) => title, dropOrder: 2 },
  { header: "SOURCE", cell: ({ source }) => source.replace("_", " "), plain: ({ source }) => source, dropOrder: 3 },
  {
    header: "STATE",
    cell: ({ state }) => state,
    paint: (text, style, { state }) => (state === "published" ? style.green(text) : style.dim(text)),
  },
  {
    header: "DATE (UTC)",
    cell: ({ published_at }) => (published_at === null ? "" : formatDayTime(published_at)),
    plain: ({ published_at }) => formatRfc3339(published_at),
    dropOrder: 1,
  },
];
