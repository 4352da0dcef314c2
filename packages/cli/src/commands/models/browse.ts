import type { Result } from "@feather/sdk";
import type { Command } from "../../command.ts";
import { count } from "../../output/format.ts";
import type { Column } from "../../output/table.ts";
import { day } from "../../output/time.ts";
import { type Paging, pagingOf, readPages } from "../../paging.ts";
import { paintId } from "./model.ts";

type Family = Result<"models.families">["items"][number];
type Release = Result<"models.releases">["items"][number];
type Popular = Result<"models.popular">["popular"][number];

/** Lists families of models. */
export const modelsFamilies: Command<undefined> = {
  name: "models families",
  summary: "List families of models",
  prints: "list",
  fields: ["id", "name", "owner", "description", "model_count", "sub_types"],
  examples: ["feather models families", "feather models families --json id,model_count"],
  options: () => undefined,
  async run({ client, output, signal }) {
    const answer = await (await client()).models.families({ signal });
    const empty = "There are no families of models.";
    output.list({ columns: FAMILIES, id: ({ id }) => id, noun: "families", empty }, answer.items, answer);
  },
};

const FAMILIES: readonly Column<Family>[] = [
  { header: "FAMILY", cell: ({ id }) => id, paint: (text, style) => style.bold(text) },
  { header: "MODELS", cell: (one) => count(one.model_count), plain: (one) => String(one.model_count), align: "right" },
  { header: "OWNER", cell: ({ owner }) => owner, yields: 1 },
  { header: "KINDS", cell: ({ sub_types }) => sub_types.map(({ id }) => id).join(", "), yields: 2 },
];

/** Lists models by the day of their release. */
export const modelsReleases: Command<Paging> = {
  name: "models releases",
  summary: "List models by the day they came out",
  prints: "list",
  fields: ["date", "model_count", "models"],
  paged: true,
  examples: ["feather models releases --limit 10"],
  options: (_, flags) => pagingOf(flags),
  async run({ client, output, signal }, paging) {
    const { models } = await client();
    const answer = await readPages(paging, (page) => models.releases(page, { signal }));
    const empty = "There are no releases.";
    output.list({ columns: RELEASES, id: ({ date }) => date, noun: "days", empty }, answer.items, answer);
  },
};

const RELEASES: readonly Column<Release>[] = [
  { header: "DAY", cell: ({ date }) => day(new Date(date)), plain: ({ date }) => date },
  { header: "MODELS", cell: (one) => count(one.model_count), plain: (one) => String(one.model_count), align: "right" },
  { header: "WHICH", cell: ({ models }) => models.join(", "), plain: ({ models }) => models.join(","), yields: 1 },
];

/** Lists the models with the most requests. */
export const modelsPopular: Command<undefined> = {
  name: "models popular",
  summary: "List the models called most in the last seven days",
  prints: "list",
  fields: ["id", "score", "requests_7d"],
  examples: ["feather models popular"],
  options: () => undefined,
  async run({ client, output, signal }) {
    const answer = await (await client()).models.popular({ signal });
    const empty = "Nothing was called in the last seven days.";
    output.list({ columns: POPULAR, id: ({ id }) => id, noun: "models", empty }, answer.popular, answer);
  },
};

const POPULAR: readonly Column<Popular>[] = [
  { header: "MODEL", cell: ({ id }) => id, paint: paintId },
  {
    header: "REQUESTS",
    cell: (one) => count(one.requests_7d),
    plain: (one) => String(one.requests_7d),
    align: "right",
  },
];
