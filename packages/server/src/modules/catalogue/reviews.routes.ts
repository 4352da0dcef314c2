import type { components } from "@feather/openapi/schema";
import { sql } from "kysely";
import type { Database } from "../../db/connect.ts";
import { signedIn } from "../../http/actor.ts";
import type { Handlers } from "../../http/bind.ts";
import { pageOf, pagination } from "../../http/pages.ts";
import type { Clock } from "../../shared/clock.ts";
import { invalidRequest, notFound } from "../../shared/errors.ts";
import type { Ids } from "../../shared/ids.ts";

type Review = components["schemas"]["Review"];
type Deps = { db: Database; clock: Clock; ids: Ids };

export function reviewRoutes({ db, clock, ids }: Deps): Handlers {
  async function modelId(id: string): Promise<string> {
    const row = await db
      .selectFrom("models")
      .select("id")
      .where("id_lower", "=", id.toLowerCase())
      .where("organization_id", "is", null)
      .executeTakeFirst();
    if (!row) throw notFound(`There is no model called ${id}.`, "model_not_found");
    return row.id;
  }

  function reviewsOf(model: string) {
    return db
      .selectFrom("reviews")
      .innerJoin("users", "users.id", "reviews.user_id")
      .select([
        "reviews.id",
        "user_id",
        "users.name as user_name",
        "rating",
        "review",
        "tags",
        "helpful_count",
        "reviews.created_at",
        "reviews.updated_at",
      ])
      .select(
        sql<boolean>`exists (select 1 from requests r where r.user_id = reviews.user_id and r.model_id = reviews.model_id and r.outcome = 'completed')`.as(
          "verified_caller",
        ),
      )
      .where("model_id", "=", model);
  }

  type Row = Awaited<ReturnType<ReturnType<typeof reviewsOf>["executeTakeFirstOrThrow"]>>;

  function present({ user_id, user_name, created_at, updated_at, ...row }: Row, reader: string | null): Review {
    return {
      ...row,
      tags: row.tags,
      user: { name: user_name, avatar: null },
      mine: user_id === reader,
      created_at: created_at.toISOString(),
      updated_at: updated_at.toISOString(),
    };
  }

  async function summary(model: string) {
    const rows = await db.selectFrom("reviews").select(["rating", "tags"]).where("model_id", "=", model).execute();
    const histogram = [1, 2, 3, 4, 5].map((stars) => rows.filter((row) => row.rating === stars).length);
    const tagCounts: Record<string, number> = {};
    for (const tag of rows.flatMap((row) => row.tags)) tagCounts[tag] = (tagCounts[tag] ?? 0) + 1;
    const sum = rows.reduce((total, row) => total + row.rating, 0);
    return { avg: rows.length === 0 ? null : sum / rows.length, count: rows.length, histogram, tag_counts: tagCounts };
  }

  /** The model's average and count follow from its reviews, in the transaction that changed them. */
  async function recount(trx: Database, model: string): Promise<void> {
    await trx
      .updateTable("models")
      .set({
        avg_rating: sql`(select round(avg(rating), 2) from reviews where model_id = ${model})`,
        total_reviews: sql`(select count(*) from reviews where model_id = ${model})`,
      })
      .where("id", "=", model)
      .execute();
  }

  return {
    "models.reviews.list": async ({ actor, path, query }) => {
      const model = await modelId(path.id);
      const page = pageOf(query);
      const sort = query.sort ?? "-created_at";
      const column = sort.replace("-", "") as "created_at" | "helpful_count" | "rating";
      const figures = await summary(model);
      const rows = await reviewsOf(model)
        .orderBy(`reviews.${column}`, sort.startsWith("-") ? "desc" : "asc")
        .orderBy("reviews.id")
        .limit(page.limit)
        .offset(page.offset)
        .execute();
      const reader = actor.kind === "user" ? actor.userId : null;
      return {
        items: rows.map((row) => present(row, reader)),
        pagination: pagination(page, figures.count),
        summary: figures,
      };
    },

    "models.reviews.create": async ({ actor, path, body, reply }) => {
      const { userId } = signedIn(actor);
      const model = await modelId(path.id);
      if (body.modelId !== undefined && body.modelId.toLowerCase() !== model.toLowerCase())
        throw invalidRequest("modelId is not valid: it names another model than the address.", { param: "modelId" });
      const now = clock.now();
      const values = { rating: body.rating, review: body.review.trim(), tags: body.tags ?? [], updated_at: now };
      const id = await db.transaction().execute(async (trx) => {
        const row = await trx
          .insertInto("reviews")
          .values({ id: ids.next("rev"), model_id: model, user_id: userId, created_at: now, ...values })
          .onConflict((conflict) => conflict.columns(["model_id", "user_id"]).doUpdateSet(values))
          // PostgreSQL's own mark of a row that was there before.
          .returning(["id", sql<boolean>`xmax = 0`.as("is_new")])
          .executeTakeFirstOrThrow();
        await recount(trx, model);
        reply.code(row.is_new ? 201 : 200);
        return row.id;
      });
      return present(await reviewsOf(model).where("reviews.id", "=", id).executeTakeFirstOrThrow(), userId);
    },

    "models.reviews.delete": async ({ actor, path }) => {
      const { userId } = signedIn(actor);
      const model = await modelId(path.id);
      await db.transaction().execute(async (trx) => {
        const { numDeletedRows } = await trx
          .deleteFrom("reviews")
          .where("id", "=", path.reviewId)
          .where("model_id", "=", model)
          .where("user_id", "=", userId)
          .executeTakeFirst();
        if (numDeletedRows === 0n) throw notFound("There is no such review of yours.", "reviews.not_found");
        await recount(trx, model);
      });
      return undefined;
    },
  };
}
