import type { Review, ReviewSummary } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { LoginLink } from "#/components/ui/controls/login-link.tsx";
import { Select } from "#/components/ui/controls/select.tsx";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Star } from "#/components/ui/labels/star.tsx";
import { Tag } from "#/components/ui/labels/tag.tsx";
import { Toolbar } from "#/components/ui/lists/toolbar.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { useUser } from "#/entities/session/user.ts";
import { formatRelativeTime } from "#/lib/format.ts";
import { RatingDistribution } from "./rating-distribution.tsx";
import { ReviewActions } from "./review-actions.tsx";
import { RATINGS, ReviewForm } from "./review-form.tsx";
import { ReviewTagFilter } from "./review-tag-filter.tsx";
import { ReviewTags } from "./review-tags.tsx";
import styles from "./reviews.module.css";
import { type ReviewSort, type ReviewsKey, reviewsQuery } from "./reviews-query.ts";

const SORTS: readonly (readonly [ReviewSort, string])[] = [
  ["-created_at", t`Newest`],
  ["-helpful_count", t`Most helpful`],
  ["-rating", t`Highest rating`],
  ["rating", t`Lowest rating`],
];

/** The reviews of a model, and the form to write one. */
export function Reviews({ id, signedIn }: { id: string; signedIn: boolean }) {
  const [sort, setSort] = useState<ReviewSort>("-created_at");
  const [tags, setTags] = useState<readonly string[]>([]);
  const list = { id, sort, tags };
  const query = useInfiniteQuery({ ...reviewsQuery(list), placeholderData: keepPreviousData });
  const { data, error, refetch } = query;
  const { user } = useUser();
  // The form keeps its text until the review was deleted on the server.
  const [deletions, setDeletions] = useState(0);
  const first = data?.pages[0];
  return (
    <>
      {first && first.summary.avg !== null ? <Summary summary={first.summary} tags={tags} onSelect={setTags} /> : null}
      {signedIn && first === undefined && !error ? (
        <Skeleton height={190} />
      ) : signedIn ? (
        <ReviewForm
          key={first === undefined ? "unread" : deletions}
          list={list}
          author={user?.name ?? ""}
          mine={first?.mine ?? undefined}
        />
      ) : (
        <p className="muted">
          <Trans>
            <LoginLink>Log in</LoginLink> to write a review.
          </Trans>
        </p>
      )}
      {error && !data ? (
        <LoadError subject={t`The reviews`} error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={80} />
      ) : first?.items.length === 0 && tags.length > 0 ? (
        <EmptyState
          title={t`No review has all of these tags`}
          action={<button type="button" className="btn" onClick={() => setTags([])}>{t`Show all reviews`}</button>}
        >
          {t`With fewer of them there are more to read.`}
        </EmptyState>
      ) : first === undefined || first.items.length === 0 ? (
        <EmptyState title={t`No reviews yet`}>
          {t`The first one helps the next reader most: say what you used the model for, and how it did.`}
        </EmptyState>
      ) : (
        <>
          {first.pagination.total_items > 1 ? <SortSelect sort={sort} onSelect={setSort} /> : null}
          <div className={query.isPlaceholderData ? "stale" : undefined}>
            {uniqueById(data.pages.flatMap(({ items }) => items)).map((review) => (
              <ReviewView
                key={review.id}
                list={list}
                review={review}
                signedIn={signedIn}
                onDeleted={() => setDeletions(deletions + 1)}
              />
            ))}
          </div>
          {query.isFetchNextPageError ? (
            <LoadError subject={t`More reviews`} error={query.error} retry={() => void query.fetchNextPage()} />
          ) : query.hasNextPage ? (
            <button
              type="button"
              className="btn mt-4"
              disabled={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              {query.isFetchingNextPage ? t`Please wait …` : t`Show more`}
            </button>
          ) : null}
        </>
      )}
    </>
  );
}

/** A new review moves others to the next page, so that pages may contain the same one twice. */
const uniqueById = (reviews: readonly Review[]): Review[] => [...new Map(reviews.map((one) => [one.id, one])).values()];

type SummaryProps = { summary: ReviewSummary; tags: readonly string[]; onSelect(tags: readonly string[]): void };

/** The ratings of all reviews, and their tags, which filter the list. */
function Summary({ summary: { avg, count, histogram, tag_counts }, tags, onSelect }: SummaryProps) {
  return (
    <>
      <RatingDistribution average={avg ?? 0} total={count} histogram={histogram} />
      <div className="mb-6">
        <ReviewTagFilter counts={tag_counts} selected={tags} onSelect={onSelect} />
      </div>
    </>
  );
}

function SortSelect({ sort, onSelect }: { sort: ReviewSort; onSelect(sort: ReviewSort): void }) {
  return (
    <Toolbar>
      <Select
        look="button"
        aria-label={t`Sort reviews by`}
        value={sort}
        options={SORTS.map(([value, label]) => ({ value, label }))}
        onChange={onSelect}
      />
    </Toolbar>
  );
}

type ReviewProps = { list: ReviewsKey; review: Review; signedIn: boolean; onDeleted(): void };

function ReviewView({ list, review, signedIn, onDeleted }: ReviewProps) {
  return (
    <article className={styles.review}>
      <div className="row wrapping">
        <span className={styles.stars} role="img" aria-label={t`${review.rating} of 5 stars`}>
          {RATINGS.map((stars) => (
            <Star key={stars} filled={stars <= review.rating} />
          ))}
        </span>
        <strong className="user-text" dir="auto">
          {review.user.name}
        </strong>
        {review.verified_caller ? <Tag>{t`has called it`}</Tag> : null}
        <span className="small faint">{formatRelativeTime(review.updated_at)}</span>
      </div>
      <p className={`mt-2 ${styles.text}`} dir="auto">
        {review.review}
      </p>
      <ReviewTags ids={review.tags} />
      <ReviewActions list={list} review={review} signedIn={signedIn} onDeleted={onDeleted} />
    </article>
  );
}
