import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { EmptyState, Skeleton, Star, Tag } from "#/components/ui/bits.tsx";
import { ReadFault } from "#/components/ui/fault-notice.tsx";
import { LoginLink } from "#/components/ui/login-link.tsx";
import { useUser } from "#/features/auth/user.ts";
import { moment } from "#/lib/format.ts";
import { reviewsQuery } from "./queries.ts";
import { RatingDistribution } from "./rating-distribution.tsx";
import type { Review } from "./review-changes.ts";
import { ReviewDeeds } from "./review-deeds.tsx";
import { ReviewForm, STARS } from "./review-form.tsx";

/** What users say of a model, and the form to say something oneself. */
export function Reviews({ id, signedIn }: { id: string; signedIn: boolean }) {
  const { data, error, refetch } = useQuery(reviewsQuery(id));
  const { user } = useUser();
  // What was written stays in the form as long as it is not deleted for good.
  const [deletions, setDeletions] = useState(0);
  const mine = data?.items.find((review) => review.mine);
  return (
    <>
      {data && data.summary.avg !== null ? (
        <RatingDistribution average={data.summary.avg} total={data.summary.count} histogram={data.summary.histogram} />
      ) : null}
      {signedIn && data === undefined && !error ? (
        <Skeleton height={190} />
      ) : signedIn ? (
        <ReviewForm key={data === undefined ? "unread" : deletions} id={id} author={user?.name ?? ""} mine={mine} />
      ) : (
        <p className="mid">
          <Trans>
            <LoginLink>Log in</LoginLink> to write a review.
          </Trans>
        </p>
      )}
      {error && !data ? (
        <ReadFault what={t`The reviews`} error={error} again={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={80} />
      ) : data.items.length === 0 ? (
        <EmptyState title={t`No reviews yet`}>
          {t`The first one helps the next reader most: say what you used the model for, and how it did.`}
        </EmptyState>
      ) : (
        data.items.map((review) => (
          <ReviewView
            key={review.id}
            id={id}
            review={review}
            signedIn={signedIn}
            deleted={() => setDeletions(deletions + 1)}
          />
        ))
      )}
    </>
  );
}

type ReviewProps = { id: string; review: Review; signedIn: boolean; deleted(): void };

function ReviewView({ id, review, signedIn, deleted }: ReviewProps) {
  return (
    <article className="review">
      <div className="row wraps">
        <span className="stars" role="img" aria-label={t`${review.rating} of 5 stars`}>
          {STARS.map((stars) => (
            <Star key={stars} lit={stars <= review.rating} />
          ))}
        </span>
        <strong className="stranger" dir="auto">
          {review.user.name}
        </strong>
        {review.verified_caller ? <Tag>{t`has called it`}</Tag> : null}
        <span className="small dim">{moment(review.updated_at)}</span>
      </div>
      <p className="mt-2" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere", maxWidth: "70ch" }} dir="auto">
        {review.review}
      </p>
      <ReviewDeeds id={id} review={review} signedIn={signedIn} deleted={deleted} />
    </article>
  );
}
