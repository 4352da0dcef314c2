import { type Insertable, sql } from "kysely";
import { bind } from "../../../platform/core/bind.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { Reviews } from "../../../platform/core/db/schema.generated.ts";
import type { Page } from "../../../platform/core/http/pagination.ts";

/** The order of a list of reviews. */
export type ReviewSort = { column: "created_at" | "helpful_count" | "rating"; direction: "asc" | "desc" };
/** The reviews that an administrator lists. */
export type ReviewStatus = "reported" | "hidden" | "all";
/** The columns that the author of a review writes. */
export type ReviewFields = Pick<Insertable<Reviews>, "rating" | "review" | "tags" | "updated_at">;

type Context = ReturnType<typeof createContext>;

/** Stores reviews of models, their votes, reports and tags. */
export function createReviewsRepository(db: Database) {
  const context = createContext(db);
  return {
    ...bind(context, {
      list: listReviews,
      summarize: summarizeReviews,
      find: findReview,
      findOwn,
      moderated: findModeratedReview,
      tags: listReviewTags,
    }),
    lock: lockReview,
    upsert: upsertReview,
    delete: deleteReview,
    hasVote,
    vote: voteReview,
    upsertReport,
    setHidden,
    setTags,
  };
}

export type ReviewsRepository = ReturnType<typeof createReviewsRepository>;

/** Returns the dependencies with what is derived from them. */
function createContext(db: Database) {
  const openReportCount = sql`(select count(*) from review_reports p where p.review_id = reviews.id and p.resolved_at is null)`;
  return { db, openReportCount };
}

function selectReviews(context: Context, viewerId: string | null, trx: Database = context.db) {
  return trx
    .selectFrom("reviews")
    .innerJoin("users", "users.id", "reviews.user_id")
    .select([
      "reviews.id",
      "model_id",
      "user_id",
      "users.name as user_name",
      "rating",
      "review",
      "tags",
      "helpful_count",
      "hidden_at",
      "reviews.created_at",
      "reviews.updated_at",
    ])
    .select(
      sql<boolean>`exists (
          select 1 from requests r
          where r.user_id = reviews.user_id and r.model_id = reviews.model_id and r.outcome = 'completed'
        )`.as("verified_caller"),
    )
    .select(
      sql<boolean>`exists (
          select 1 from review_votes v where v.review_id = reviews.id and v.user_id = ${viewerId}
        )`.as("helpful"),
    );
}

/** Returns the condition that the viewer can see a review. A hidden one is visible only to its author. */
function isVisible(modelId: string, viewerId: string | null) {
  return sql<boolean>`reviews.model_id = ${modelId} and (hidden_at is null or user_id = ${viewerId})`;
}

function moderated(context: Context, status: ReviewStatus) {
  const { openReportCount } = context;
  if (status === "hidden") return sql<boolean>`hidden_at is not null`;
  return status === "reported" ? sql<boolean>`${openReportCount} > 0` : sql<boolean>`true`;
}

/** Lists the reviews of a model that the viewer can see and that have all the tags. */
async function listReviews(
  context: Context,
  modelId: string,
  viewerId: string | null,
  { sort, tags }: { sort: ReviewSort; tags: readonly string[] },
  { limit, offset }: Page,
) {
  const { db } = context;
  const isListed = sql<boolean>`${isVisible(modelId, viewerId)} and reviews.tags @> ${tags}::text[]`;
  const [rows, { total }] = await Promise.all([
    selectReviews(context, viewerId)
      .where(isListed)
      .orderBy(`reviews.${sort.column}`, sort.direction)
      .orderBy("reviews.id")
      .limit(limit)
      .offset(offset)
      .execute(),
    db
      .selectFrom("reviews")
      .select((eb) => eb.fn.countAll<number>().as("total"))
      .where(isListed)
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}

async function summarizeReviews({ db }: Context, modelId: string) {
  const visibleReviews = db.selectFrom("reviews").where("model_id", "=", modelId).where("hidden_at", "is", null);
  const [ratings, tags] = await Promise.all([
    visibleReviews
      .select(["rating", (eb) => eb.fn.countAll<number>().as("count")])
      .groupBy("rating")
      .execute(),
    visibleReviews
      .select([sql<string>`unnest(tags)`.as("tag"), (eb) => eb.fn.countAll<number>().as("count")])
      .groupBy("tag")
      .execute(),
  ]);
  const histogram = [1, 2, 3, 4, 5].map((stars) => ratings.find(({ rating }) => rating === stars)?.count ?? 0);
  const count = histogram.reduce((sum, n) => sum + n, 0);
  const stars = histogram.reduce((sum, n, index) => sum + n * (index + 1), 0);
  return {
    avg: count === 0 ? null : stars / count,
    count,
    histogram,
    tag_counts: Object.fromEntries(tags.map((row) => [row.tag, row.count])),
  };
}

function findReview(context: Context, id: string, viewerId: string) {
  return selectReviews(context, viewerId).where("reviews.id", "=", id).executeTakeFirst();
}

function findOwn(context: Context, modelId: string, userId: string) {
  return selectReviews(context, userId)
    .where("model_id", "=", modelId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
}

/** Returns a review that the viewer can see, and locks its row, so that changes run one after the other. */
function lockReview(id: string, modelId: string, viewerId: string, trx: Database) {
  return trx
    .selectFrom("reviews")
    .select(["id", "user_id"])
    .where("id", "=", id)
    .where(isVisible(modelId, viewerId))
    .forUpdate()
    .executeTakeFirst();
}

function upsertReview(id: string, modelId: string, userId: string, fields: ReviewFields, now: Date, trx: Database) {
  return (
    trx
      .insertInto("reviews")
      .values({ id, model_id: modelId, user_id: userId, created_at: now, ...fields })
      .onConflict((conflict) => conflict.columns(["model_id", "user_id"]).doUpdateSet(fields))
      // In PostgreSQL xmax is 0 only if the row was inserted, not updated.
      .returning(["id", sql<boolean>`xmax = 0`.as("is_new")])
      .executeTakeFirstOrThrow()
  );
}

async function deleteReview(id: string, modelId: string, userId: string, trx: Database): Promise<boolean> {
  const row = await trx
    .deleteFrom("reviews")
    .where("id", "=", id)
    .where("model_id", "=", modelId)
    .where("user_id", "=", userId)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

async function hasVote(id: string, userId: string, trx: Database): Promise<boolean> {
  const vote = await trx
    .selectFrom("review_votes")
    .select("user_id")
    .where("review_id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return vote !== undefined;
}

async function voteReview(id: string, userId: string, helpful: boolean, now: Date, trx: Database): Promise<number> {
  if (helpful)
    await trx
      .insertInto("review_votes")
      .values({ review_id: id, user_id: userId, created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  else await trx.deleteFrom("review_votes").where("review_id", "=", id).where("user_id", "=", userId).execute();
  const { helpful_count } = await trx
    .selectFrom("reviews")
    .select("helpful_count")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return helpful_count;
}

function upsertReport(id: string, userId: string, reason: string, now: Date, trx: Database) {
  return trx
    .insertInto("review_reports")
    .values({ review_id: id, user_id: userId, reason, created_at: now })
    .onConflict((conflict) =>
      conflict.columns(["review_id", "user_id"]).doUpdateSet({ reason, created_at: now, resolved_at: null }),
    )
    .execute();
}

async function findModeratedReview(
  context: Context,
  status: ReviewStatus,
  viewerId: string,
  limit: number,
  offset: number,
) {
  const { db, openReportCount } = context;
  const [rows, { total }] = await Promise.all([
    selectReviews(context, viewerId)
      .where(moderated(context, status))
      .select(
        sql<{ reason: string; created_at: string }[]>`(
              select coalesce(json_agg(json_build_object('reason', p.reason, 'created_at', p.created_at)
                order by p.created_at), '[]')
              from review_reports p where p.review_id = reviews.id and p.resolved_at is null
            )`.as("reports"),
      )
      .orderBy(openReportCount, "desc")
      .orderBy("reviews.created_at", "desc")
      .orderBy("reviews.id")
      .limit(limit)
      .offset(offset)
      .execute(),
    db
      .selectFrom("reviews")
      .select((eb) => eb.fn.countAll<number>().as("total"))
      .where(moderated(context, status))
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}

/** Hides or shows a review, and resolves its open reports. Returns false if it does not exist. */
async function setHidden(id: string, hidden: boolean, now: Date, trx: Database): Promise<boolean> {
  const row = await trx
    .updateTable("reviews")
    .set({ hidden_at: hidden ? sql<Date>`coalesce(hidden_at, ${now})` : null })
    .where("id", "=", id)
    .returning("id")
    .executeTakeFirst();
  if (!row) return false;
  await trx
    .updateTable("review_reports")
    .set({ resolved_at: now })
    .where("review_id", "=", id)
    .where("resolved_at", "is", null)
    .execute();
  return true;
}

function listReviewTags({ db }: Context, trx: Database = db) {
  return trx.selectFrom("review_tags").select(["id", "label"]).orderBy("position").orderBy("id").execute();
}

async function setTags(items: readonly { id: string; label: string }[], trx: Database): Promise<void> {
  await sql`lock table review_tags in exclusive mode`.execute(trx);
  await trx.deleteFrom("review_tags").execute();
  await trx
    .insertInto("review_tags")
    .values(items.map(({ id, label }, position) => ({ id, label, position })))
    .execute();
}

/** A review with its author, votes, and whether the author has called the model. */
export type ReviewRow = NonNullable<Awaited<ReturnType<ReviewsRepository["find"]>>>;
