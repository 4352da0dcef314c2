import type { Audit } from "../../../platform/core/audit.ts";
import type { SignedInActor } from "../../../platform/core/auth/actor.ts";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import type { Ids } from "../../../platform/core/ids.ts";
import type { ReviewsRepository } from "./reviews.repository.ts";

type Deps = { db: Database; reviewsRepository: ReviewsRepository; audit: Audit; clock: Clock; ids: Ids };
/** The fields that the author of a review sends. `rating` is 1 to 5. */
export type ReviewInput = { rating: number; review: string; tags: readonly string[] };
/** A tag that reviews can have. */
export type ReviewTag = { id: string; label: string };

/** Unicode marks that override the direction of text and can make it read differently. */
const DIRECTION_MARKS = /[\u202A-\u202E\u2066-\u2069]/g;

/** Creates the use cases of reviews: writing, voting, reporting and moderating. */
export function createReviews(deps: Deps) {
  return bind(deps, {
    write: writeReview,
    delete: deleteReview,
    vote: voteReview,
    report: reportReview,
    moderate: moderateReview,
    setTags,
  });
}

export type Reviews = ReturnType<typeof createReviews>;

async function assertKnownTags(deps: Deps, tags: readonly string[]): Promise<void> {
  const { reviewsRepository } = deps;
  if (tags.length === 0) return;
  const known = await reviewsRepository.tags();
  const unknown = tags.find((tag) => !known.some(({ id }) => id === tag));
  if (unknown !== undefined)
    throw errors.invalidRequest(`There is no tag ${unknown}. GET /api/feather/review-tags lists them.`, {
      param: "tags",
    });
}

async function writeReview(deps: Deps, actor: SignedInActor, modelId: string, { rating, review, tags }: ReviewInput) {
  const { db, reviewsRepository, audit, clock, ids } = deps;
  await assertKnownTags(deps, tags);
  const now = clock.now();
  const fields = {
    rating,
    review: review.replaceAll(DIRECTION_MARKS, "").trim(),
    tags: [...tags],
    updated_at: now,
  };
  if (fields.review === "") throw errors.invalidRequest("review is not valid.", { param: "review" });
  const { id, is_new } = await db.transaction().execute(async (trx) => {
    const written = await reviewsRepository.upsert(ids.next("rev"), modelId, actor.userId, fields, now, trx);
    const action = written.is_new ? "reviews.create" : "reviews.update";
    await audit.record({ actor, action, target: written.id, details: { model_id: modelId } }, trx);
    return written;
  });
  const row = await reviewsRepository.find(id, actor.userId);
  if (!row) throw errors.reviews.notFound(); // deleted in the meantime
  return { row, isNew: is_new };
}

async function deleteReview(
  { db, reviewsRepository, audit }: Deps,
  actor: SignedInActor,
  modelId: string,
  id: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (!(await reviewsRepository.delete(id, modelId, actor.userId, trx))) throw errors.reviews.notFound();
    await audit.record({ actor, action: "reviews.delete", target: id, details: { model_id: modelId } }, trx);
  });
}

/** Sets the user's vote; without `requestedVote`, toggles it. Throws `reviews.own` (409) for the author. */
function voteReview(
  { db, reviewsRepository, clock }: Deps,
  actor: SignedInActor,
  modelId: string,
  id: string,
  requestedVote: boolean | undefined,
) {
  return db.transaction().execute(async (trx) => {
    const review = await reviewsRepository.lock(id, modelId, actor.userId, trx);
    if (!review) throw errors.reviews.notFound();
    if (review.user_id === actor.userId) throw errors.reviews.own();
    const helpful = requestedVote ?? !(await reviewsRepository.hasVote(id, actor.userId, trx));
    return { helpful, helpful_count: await reviewsRepository.vote(id, actor.userId, helpful, clock.now(), trx) };
  });
}

function reportReview(
  { db, reviewsRepository, clock }: Deps,
  actor: SignedInActor,
  modelId: string,
  id: string,
  reason: string,
) {
  return db.transaction().execute(async (trx) => {
    if (!(await reviewsRepository.lock(id, modelId, actor.userId, trx))) throw errors.reviews.notFound();
    await reviewsRepository.upsertReport(id, actor.userId, reason.trim(), clock.now(), trx);
  });
}

function moderateReview(
  { db, reviewsRepository, audit, clock }: Deps,
  actor: SignedInActor,
  id: string,
  hidden: boolean,
) {
  return db.transaction().execute(async (trx) => {
    if (!(await reviewsRepository.setHidden(id, hidden, clock.now(), trx))) throw errors.reviews.notFound();
    await audit.record({ actor, action: hidden ? "reviews.hide" : "reviews.show", target: id }, trx);
  });
}

async function setTags(
  { db, reviewsRepository, audit }: Deps,
  actor: SignedInActor,
  items: readonly ReviewTag[],
): Promise<void> {
  const names = items.map(({ id }) => id);
  if (new Set(names).size < names.length)
    throw errors.invalidRequest("items is not valid: an id occurs twice.", { param: "items" });
  await db.transaction().execute(async (trx) => {
    await reviewsRepository.setTags(
      items.map(({ id, label }) => ({ id, label: label.trim() })),
      trx,
    );
    await audit.record({ actor, action: "review_tags.update", details: { ids: names } }, trx);
  });
}
