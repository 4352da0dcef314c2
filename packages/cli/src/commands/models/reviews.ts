import type { Query, Review, ReviewCreate } from "@feather/sdk";
import type { Command } from "../../command.ts";
import { UsageError } from "../../errors.ts";
import { parseNumberBetween } from "../../flags.ts";
import type { Column } from "../../output/table.ts";
import { formatAgo } from "../../output/time.ts";
import { type Paging, parsePaging, readPages } from "../../paging.ts";
import { MODEL_ARGUMENT, resolveModelId } from "./resolve-model.ts";
import { withSuggestions } from "./suggestions.ts";

const REVIEW_FIELDS = [
  "id",
  "user",
  "rating",
  "review",
  "tags",
  "helpful_count",
  "helpful",
  "verified_caller",
  "mine",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof Review)[];
type Sort = NonNullable<Query<"models.reviews.list">["sort"]>;
const SORTS: readonly Sort[] = ["-created_at", "-helpful_count", "-rating", "rating"];

/** Lists the reviews of a model. */
export const modelsReviewsList: Command<{
  readonly id: string;
  readonly sort: Sort | undefined;
  readonly tags: string | undefined;
  readonly paging: Paging;
}> = {
  name: "models reviews list",
  summary: "List reviews of a model",
  arguments: [MODEL_ARGUMENT],
  flags: [
    { name: "--sort <order>", summary: "order; a minus means falling (--sort=-rating)", choices: SORTS },
    { name: "--tags <names>", summary: "only with all these tags, by comma" },
  ],
  prints: "list",
  fields: REVIEW_FIELDS,
  paged: true,
  isPublic: true,
  examples: ["feather models reviews list Qwen/Qwen3-32B"],
  options: ([id = ""], flags) => ({
    id,
    sort: SORTS.find((sort) => sort === flags.sort),
    tags: typeof flags.tags === "string" ? flags.tags : undefined,
    paging: parsePaging(flags),
  }),
  async run(context, { id: given, sort, tags, paging }) {
    const { client, now, output, signal } = context;
    const feather = await client();
    const id = await resolveModelId(context, feather, given);
    const response = await withSuggestions(feather, id, signal, () =>
      readPages(paging, (page) =>
        feather.models.reviews.list(id, { ...page, ...(sort && { sort }), ...(tags && { tags }) }, { signal }),
      ),
    );
    const empty = tags
      ? `There are no reviews with these tags. All of them: feather models reviews list ${id}`
      : `There are no reviews yet. Write one: feather models reviews write ${id} <text> --rating 5`;
    output.printList(
      { columns: columns(now()), id: (one) => one.id, noun: "reviews", empty },
      response.items,
      response,
    );
  },
};

/** Creates or replaces the caller's review of a model. */
export const modelsReviewsWrite: Command<{ readonly id: string; readonly body: ReviewCreate }> = {
  name: "models reviews write",
  summary: "Write your review of a model",
  arguments: [
    { ...MODEL_ARGUMENT, name: "<id>", summary: "model, as owner/name" },
    { name: "<text>", summary: "what you think of it" },
  ],
  flags: [
    { name: "--rating <number>", summary: "from 1 to 5", parse: parseNumberBetween(1, 5, true) },
    { name: "--tags <names>", summary: "what it is good for, by comma" },
  ],
  prints: "one",
  fields: REVIEW_FIELDS,
  needs: "sign-in",
  examples: ['feather models reviews write Qwen/Qwen3-32B "Careful with long tables." --rating 5 --tags coding'],
  options: ([id = "", review = ""], { rating, tags }) => {
    if (typeof rating !== "number") throw new UsageError("a rating is missing", "--rating with a number from 1 to 5");
    const names = typeof tags === "string" ? tags.split(",").map((tag) => tag.trim()) : [];
    return { id, body: { review, rating, ...(names.length > 0 && { tags: names }) } };
  },
  async run({ client, output, signal }, { id, body }) {
    const feather = await client();
    const value = await withSuggestions(feather, id, signal, () => feather.models.reviews.create(id, body, { signal }));
    output.printChange({ value, id: value.id, message: `Your review of ${id} is there, with ${value.rating} of 5.` });
  },
};

function columns(now: Date): readonly Column<Review>[] {
  return [
    { header: "RATING", cell: ({ rating }) => String(rating), align: "right" },
    { header: "WHO", cell: ({ user }) => user.name, paint: (text, style) => style.bold(text) },
    {
      header: "WHEN",
      cell: ({ updated_at }) => formatAgo(new Date(updated_at), now),
      plain: ({ updated_at }) => new Date(updated_at).toISOString(),
      dropOrder: 2,
    },
    { header: "HELPFUL", cell: ({ helpful_count }) => String(helpful_count), align: "right", dropOrder: 3 },
    { header: "REVIEW", cell: ({ review }) => review, dropOrder: 1 },
    { header: "TAGS", cell: ({ tags }) => tags.join(", "), dropOrder: 4 },
  ];
}
