import { type Insertable, sql } from "kysely";
import type { Database } from "../../core/db/connect.ts";
import type { Reviews } from "../../core/db/schema.generated.ts";

/** The order of a list of reviews. */
export type ReviewSort = { column: "created_at" | "helpful_count" | "rating"; direction: "asc" | "desc" };
/** Which reviews an administrator lists. */
export type ReviewStatus = "reported" | "hidden" | "all";
/** The columns that the author of a review writes. */
export type ReviewFields = Pick<Insertable<Reviews>, "rating" | "review" | "tags" | "updated_at">;

/** Stores reviews of models, their votes, reports and tags. */
export function createReviewsRepository(db: Database) {
  function selectReviews(viewerId: string | null, trx: Database = db) {
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

  /** Only its author still sees a hidden review. */
  const isVisible = (modelId: string, viewerId: string | null) =>
    sql<boolean>`reviews.model_id = ${modelId} and (hidden_at is null or user_id = ${viewerId})`;
  const openReportCount = sql`(select count(*) from review_reports p where p.review_id = reviews.id and p.resolved_at is null)`;

  function moderated(status: ReviewStatus) {
    if (status === "hidden") return sql<boolean>`hidden_at is not null`;
    return status === "reported" ? sql<boolean>`${openReportCount} > 0` : sql<boolean>`true`;
  }

  return {
    async list(modelId: string, viewerId: string | null, sort: ReviewSort, limit: number, offset: number) {
      const [rows, { total }] = await Promise.all([
        selectReviews(viewerId)
          .where(isVisible(modelId, viewerId))
          .orderBy(`reviews.${sort.column}`, sort.direction)
          .orderBy("reviews.id")
          .limit(limit)
          .offset(offset)
          .execute(),
        db
          .selectFrom("reviews")
          .select((eb) => eb.fn.countAll<number>().as("total"))
          .where(isVisible(modelId, viewerId))
          .executeTakeFirstOrThrow(),
      ]);
      return { rows, total };
    },

    async summarize(modelId: string) {
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
    },

    find: (id: string, viewerId: string) => selectReviews(viewerId).where("reviews.id", "=", id).executeTakeFirst(),

    findOwn: (modelId: string, userId: string) =>
      selectReviews(userId).where("model_id", "=", modelId).where("user_id", "=", userId).executeTakeFirst(),

    /** Returns a review that the viewer can see, and locks its row, so that concurrent changes happen in turn. */
    lock: (id: string, modelId: string, viewerId: string, trx: Database) =>
      trx
        .selectFrom("reviews")
        .select(["id", "user_id"])
        .where("id", "=", id)
        .where(isVisible(modelId, viewerId))
        .forUpdate()
        .executeTakeFirst(),

    upsert: (id: string, modelId: string, userId: string, fields: ReviewFields, now: Date) =>
      db
        .insertInto("reviews")
        .values({ id, model_id: modelId, user_id: userId, created_at: now, ...fields })
        .onConflict((conflict) => conflict.columns(["model_id", "user_id"]).doUpdateSet(fields))
        // In PostgreSQL xmax is 0 only if the row was inserted, not updated.
        .returning(["id", sql<boolean>`xmax = 0`.as("is_new")])
        .executeTakeFirstOrThrow(),

    async delete(id: string, modelId: string, userId: string): Promise<boolean> {
      const row = await db
        .deleteFrom("reviews")
        .where("id", "=", id)
        .where("model_id", "=", modelId)
        .where("user_id", "=", userId)
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    },

    async hasVote(id: string, userId: string, trx: Database): Promise<boolean> {
      const vote = await trx
        .selectFrom("review_votes")
        .select("user_id")
        .where("review_id", "=", id)
        .where("user_id", "=", userId)
        .executeTakeFirst();
      return vote !== undefined;
    },

    async vote(id: string, userId: string, helpful: boolean, now: Date, trx: Database): Promise<number> {
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
    },

    upsertReport: (id: string, userId: string, reason: string, now: Date, trx: Database) =>
      trx
        .insertInto("review_reports")
        .values({ review_id: id, user_id: userId, reason, created_at: now })
        .onConflict((conflict) =>
          conflict.columns(["review_id", "user_id"]).doUpdateSet({ reason, created_at: now, resolved_at: null }),
        )
        .execute(),

    async moderated(status: ReviewStatus, viewerId: string, limit: number, offset: number) {
      const [rows, { total }] = await Promise.all([
        selectReviews(viewerId)
          .where(moderated(status))
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
          .where(moderated(status))
          .executeTakeFirstOrThrow(),
      ]);
      return { rows, total };
    },

    /** Hides or shows a review and resolves its open reports. Returns false if there is no such review. */
    async setHidden(id: string, hidden: boolean, now: Date, trx: Database): Promise<boolean> {
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
    },

    tags: (trx: Database = db) =>
      trx.selectFrom("review_tags").select(["id", "label"]).orderBy("position").orderBy("id").execute(),

    async setTags(items: readonly { id: string; label: string }[], trx: Database): Promise<void> {
      await sql`lock table review_tags in exclusive mode`.execute(trx);
      await trx.deleteFrom("review_tags").execute();
      await trx
        .insertInto("review_tags")
        .values(items.map(({ id, label }, position) => ({ id, label, position })))
        .execute();
    },
  };
}

export type ReviewsRepository = ReturnType<typeof createReviewsRepository>;
/** A review with its author, votes, and whether the author has called the model. */
export type ReviewRow = NonNullable<Awaited<ReturnType<ReviewsRepository["find"]>>>;
