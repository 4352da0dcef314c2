import { isApiError, type Schemas } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Link } from "react-router-dom";
import { EmptyState, Skeleton, Star, Tag } from "#/components/ui/bits.tsx";
import { ReadFault } from "#/components/ui/fault-notice.tsx";
import { useToast } from "#/components/ui/toast.tsx";
import { paths } from "#/config/paths.ts";
import { feather } from "#/lib/feather.ts";
import { moment } from "#/lib/format.ts";
import { tabStorage } from "#/lib/storage.ts";
import { modelQuery, reviewsQuery } from "./queries.ts";
import { RatingDistribution } from "./rating-distribution.tsx";
import { ReviewDeeds } from "./review-deeds.tsx";

type Review = Schemas["Review"];
const STARS = [1, 2, 3, 4, 5];
const MOST = 4000;

/** What users say of a model, and the form to say something oneself. */
export function Reviews({ id, signedIn }: { id: string; signedIn: boolean }) {
  const { data, error, refetch } = useQuery(reviewsQuery(id));
  const mine = data?.items.find((review) => review.mine);
  return (
    <>
      {data && data.summary.avg !== null ? (
        <RatingDistribution average={data.summary.avg} total={data.summary.count} histogram={data.summary.histogram} />
      ) : null}
      {signedIn ? (
        <ReviewForm key={mine?.id ?? "new"} id={id} mine={mine} />
      ) : (
        <p className="mid">
          <Trans>
            <Link className="link" to={paths.login(paths.model(id, "reviews"))}>
              Log in
            </Link>{" "}
            to write a review.
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
        data.items.map((review) => <ReviewView key={review.id} id={id} review={review} signedIn={signedIn} />)
      )}
    </>
  );
}

type ReviewProps = { id: string; review: Review; signedIn: boolean };

function ReviewView({ id, review, signedIn }: ReviewProps) {
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
      <ReviewDeeds id={id} review={review} signedIn={signedIn} />
    </article>
  );
}

/** What is being written outlives a reload, and a visit to the login. */
const draftKey = (id: string): string => `review-draft ${id}`;

function ReviewForm({ id, mine }: { id: string; mine: Review | undefined }) {
  const client = useQueryClient();
  const toast = useToast();
  const [rating, setRating] = useState(mine?.rating ?? 0);
  const [text, setText] = useState(() => tabStorage.get(draftKey(id)) ?? mine?.review ?? "");
  const save = useMutation({
    mutationFn: async () => feather.models.reviews.create(id, { review: text, rating, tags: [] }),
    onSuccess: async () => {
      tabStorage.remove(draftKey(id));
      toast({ title: t`Review saved`, variant: "success" });
      await Promise.all([
        client.invalidateQueries({ queryKey: reviewsQuery(id).queryKey }),
        client.invalidateQueries({ queryKey: modelQuery(id).queryKey }),
      ]);
    },
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    save.mutate();
  }
  const incomplete = rating === 0 || text.trim() === "";
  return (
    <form onSubmit={submit} className="mb-6" style={{ maxWidth: "70ch" }}>
      <h2 className="h4">{mine ? t`Your review` : t`Write a review`}</h2>
      <div className="rate my-2" role="radiogroup" aria-label={t`Rating`}>
        {STARS.map((stars) => (
          // biome-ignore lint/a11y/useSemanticElements: a star is pressed, not ticked
          <button
            key={stars}
            type="button"
            role="radio"
            aria-checked={stars <= rating}
            aria-label={t`${stars} of 5`}
            onClick={() => setRating(stars)}
          >
            <Star lit={stars <= rating} size={22} />
          </button>
        ))}
      </div>
      <label className="visually-hidden" htmlFor="review-text">
        {t`Review`}
      </label>
      <textarea
        id="review-text"
        className="input"
        rows={3}
        maxLength={MOST}
        value={text}
        dir="auto"
        onChange={(event) => {
          setText(event.target.value);
          tabStorage.set(draftKey(id), event.target.value);
        }}
        placeholder={t`What did you use it for, and how did it do?`}
      />
      {save.error ? (
        <p className="small mt-2" style={{ color: "var(--bad)" }} role="alert">
          {isApiError(save.error) ? save.error.message : t`The server cannot be reached. What you wrote is still here.`}
        </p>
      ) : null}
      <button type="submit" className="btn primary mt-3" disabled={incomplete || save.isPending}>
        {save.isPending ? t`Saving …` : mine ? t`Save changes` : t`Publish review`}
      </button>
    </form>
  );
}
