import type { Database } from "../../db/connect.ts";
import type { SignedIn } from "../../http/actor.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError, invalidRequest, notFound } from "../../shared/errors.ts";
import type { Ids } from "../../shared/ids.ts";
import type { Audit } from "../audit/audit.ts";
import type { ReviewsRepository } from "./reviews.repository.ts";

type Deps = { db: Database; reviews: ReviewsRepository; audit: Audit; clock: Clock; ids: Ids };
/** What the author of a review sends. `rating` is 1 to 5. */
export type ReviewInput = { rating: number; review: string; tags: readonly string[] };
/** A tag that reviews can have. */
export type ReviewTag = { id: string; label: string };

/** Unicode marks that override the direction of text and can make it read differently. */
const DIRECTION_MARKS = /[\u202A-\u202E\u2066-\u2069]/g;

/** Use cases of reviews: writing, voting, reporting and moderating. */
export function createReviews({ db, reviews, audit, clock, ids }: Deps) {
  async function refuseUnknownTags(tags: readonly string[]): Promise<void> {
    if (tags.length === 0) return;
    const known = await reviews.tags();
    const unknown = tags.find((tag) => !known.some(({ id }) => id === tag));
    if (unknown !== undefined)
      throw invalidRequest(`There is no tag ${unknown}. GET /api/feather/review-tags lists them.`, { param: "tags" });
  }

  return {
    async write(actor: SignedIn, modelId: string, { rating, review, tags }: ReviewInput) {
      await refuseUnknownTags(tags);
      const now = clock.now();
      const fields = {
        rating,
        review: review.replaceAll(DIRECTION_MARKS, "").trim(),
        tags: [...tags],
        updated_at: now,
      };
      if (fields.review === "") throw invalidRequest("review is not valid.", { param: "review" });
      const { id, is_new } = await reviews.write(ids.next("rev"), modelId, actor.userId, fields, now);
      const row = await reviews.find(id, actor.userId);
      if (!row) throw noSuchReview(); // deleted in the meantime
      return { row, isNew: is_new };
    },

    async delete(actor: SignedIn, modelId: string, id: string): Promise<void> {
      if (!(await reviews.delete(id, modelId, actor.userId)))
        throw notFound("There is no such review of yours.", "reviews.not_found");
    },

    /** Sets the user's vote; without `requestedVote` toggles it. Throws `reviews.own` (409) for one's own review. */
    vote: (actor: SignedIn, modelId: string, id: string, wanted: boolean | undefined) =>
      db.transaction().execute(async (trx) => {
        const review = await reviews.hold(id, modelId, actor.userId, trx);
        if (!review) throw noSuchReview();
        if (review.user_id === actor.userId)
          throw new AppError(409, "reviews.own", "This is your own review. Others say whether it is helpful.");
        const helpful = wanted ?? !(await reviews.hasVote(id, actor.userId, trx));
        return { helpful, helpful_count: await reviews.vote(id, actor.userId, helpful, clock.now(), trx) };
      }),

    report: (actor: SignedIn, modelId: string, id: string, reason: string) =>
      db.transaction().execute(async (trx) => {
        if (!(await reviews.hold(id, modelId, actor.userId, trx))) throw noSuchReview();
        await reviews.report(id, actor.userId, reason.trim(), clock.now(), trx);
      }),

    moderate: (actor: SignedIn, id: string, hidden: boolean) =>
      db.transaction().execute(async (trx) => {
        if (!(await reviews.decide(id, hidden, clock.now(), trx))) throw noSuchReview();
        await audit.record({ actor, action: hidden ? "reviews.hide" : "reviews.show", target: id }, trx);
      }),

    async setTags(actor: SignedIn, items: readonly ReviewTag[]): Promise<void> {
      const names = items.map(({ id }) => id);
      if (new Set(names).size < names.length)
        throw invalidRequest("items is not valid: an id occurs twice.", { param: "items" });
      await db.transaction().execute(async (trx) => {
        await reviews.setTags(
          items.map(({ id, label }) => ({ id, label: label.trim() })),
          trx,
        );
        await audit.record({ actor, action: "review_tags.update", details: { ids: names } }, trx);
      });
    },
  };
}

export type Reviews = ReturnType<typeof createReviews>;

const noSuchReview = () => notFound("There is no such review.", "reviews.not_found");
