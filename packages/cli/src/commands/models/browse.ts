import type { ModelFamily, ModelRelease, PopularModel } from "@feather/sdk";
import { formatCount } from "@feather/sdk/format";
import type { Command } from "../../command.ts";
import type { Column } from "../../output/table.ts";
import { formatDay } from "../../output/time.ts";
import { type Paging, parsePaging, readPages, takePage } from "../../paging.ts";
import { paintId } from "../../views/model.ts";

/** Lists families of models. */
export const modelsFamilies: Command<undefined> = {
  name: "models families",
  summary: "List families of models",
  prints: "list",
  fields: ["id", "name", "owner", "description", "model_count", "sub_types"],
  isPublic: true,
  examples: ["feather models families", "feather models families --json id,model_count"],
  options: () => undefined,
  async run({ client, output, signal }) {
    const response = await (await client()).models.families({ signal });
    const empty = "There are no families of models.";
    output.printList(
      { columns: FAMILY_COLUMNS, id: ({ id }) => id, noun: "families", empty },
      response.items,
      response,
    );
  },
};

const FAMILY_COLUMNS: readonly Column<ModelFamily>[] = [
  { header: "FAMILY", cell: ({ id }) => id, paint: (text, style) => style.bold(text) },
  {
    header: "MODELS",
    cell: (one) => formatCount(one.model_count),
    plain: (one) => String(one.model_count),
    align: "right",
  },
  { header: "OWNER", cell: ({ owner }) => owner, dropOrder: 1 },
  { header: "KINDS", cell: ({ sub_types }) => sub_types.map(({ id }) => id).join(", "), dropOrder: 2 },
];

/** Lists models by the day of their release. */
export const modelsReleases: Command<Paging> = {
  name: "models releases",
  summary: "List models by the day they came out",
  prints: "list",
  fields: ["date", "model_count", "models"],
  paged: true,
  isPublic: true,
  examples: ["feather models releases --limit 10"],
  options: (_, flags) => parsePaging(flags),
  async run({ client, output, signal }, paging) {
    const { models } = await client();
    const response = await readPages(paging, (page) => models.releases(page, { signal }));
    const empty = "There are no releases.";
    output.printList(
      { columns: RELEASE_COLUMNS, id: ({ date }) => date, noun: "days", empty },
      response.items,
      response,
    );
  },
};

const RELEASE_COLUMNS: readonly Column<ModelRelease>[] = [
  { header: "DAY", cell: ({ date }) => formatDay(new Date(date)), plain: ({ date }) => date },
  {
    header: "MODELS",
    cell: (one) => formatCount(one.model_count),
    plain: (one) => String(one.model_count),
    align: "right",
  },
  { header: "WHICH", cell: ({ models }) => models.join(", "), plain: ({ models }) => models.join(","), dropOrder: 1 },
];

/** Lists the models with the most requests. */
export const modelsPopular: Command<Paging> = {
  name: "models popular",
  summary: "List the models called most in the last seven days",
  prints: "list",
  fields: ["id", "score", "requests_7d"],
  paged: true,
  isPublic: true,
  examples: ["feather models popular", "feather models popular --limit 10 -q"],
  options: (_, flags) => parsePaging(flags),
  async run({ client, output, signal }, paging) {
    const { popular } = await (await client()).models.popular({ signal });
    const page = takePage(paging, popular);
    const response = { popular: page.items, pagination: page.pagination };
    const empty = "Nothing was called in the last seven days.";
    output.printList({ columns: POPULAR_COLUMNS, id: ({ id }) => id, noun: "models", empty }, page.items, response);
  },
};

const POPULAR_COLUMNS: readonly Column<PopularModel>[] = [
  { header: "MODEL", cell: ({ id }) => id, paint: paintId },
  {
    header: "REQUESTS",
    cell: (one) => formatCount(one.requests_7d),
    plain: (one) => String(one.requests_7d),
    align: "right",
  },
];
