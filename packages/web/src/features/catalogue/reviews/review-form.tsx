import type { Review } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Star } from "#/components/ui/labels/star.tsx";
import { reviewTagsQuery } from "#/entities/models/queries.ts";
import { tabStorage } from "#/lib/browser/storage.ts";
import styles from "./review-form.module.css";
import { useSaveReview } from "./review-mutations.ts";
import { ReviewTagPicker } from "./review-tag-picker.tsx";
import type { ReviewsKey } from "./reviews-query.ts";

/** The possible ratings. */
export const RATINGS = [1, 2, 3, 4, 5];
const MAX_REVIEW_LENGTH = 4000;

/** The storage key of a draft, which survives a reload and a login. */
const draftKey = (id: string): string => `review-draft ${id}`;

type Props = { list: ReviewsKey; author: string; mine: Review | undefined };

/** Creates or edits the user's review. The text stays where the server rejects it. */
export function ReviewForm({ list, author, mine }: Props) {
  const { id } = list;
  const { data: offered } = useQuery(reviewTagsQuery);
  const [rating, setRating] = useState(mine?.rating ?? 0);
  const [text, setText] = useState(() => tabStorage.get(draftKey(id)) ?? mine?.review ?? "");
  const [tags, setTags] = useState<readonly string[]>(mine?.tags ?? []);
  const saving = useSaveReview(list, author, () => {
    tabStorage.remove(draftKey(id));
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    // The server rejects tags that the operator has removed after they were chosen.
    const validTags = offered ? tags.filter((tag) => offered.some((one) => one.id === tag)) : [...tags];
    void saving.run({ review: text, rating, tags: validTags });
  }
  const incomplete = rating === 0 || text.trim() === "";
  return (
    <form onSubmit={submit} className={`mb-6 ${styles.form}`}>
      <h2 className="h4">{mine ? t`Your review` : t`Write a review`}</h2>
      <div className={`${styles.rate} my-2`} role="radiogroup" aria-label={t`Rating`}>
        {RATINGS.map((stars) => (
          // biome-ignore lint/a11y/useSemanticElements: a star is pressed, not ticked
          <button
            key={stars}
            type="button"
            role="radio"
            aria-checked={stars <= rating}
            aria-label={t`${stars} of 5`}
            onClick={() => setRating(stars)}
          >
            <Star filled={stars <= rating} size={22} />
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
        maxLength={MAX_REVIEW_LENGTH}
        value={text}
        dir="auto"
        onChange={(event) => {
          setText(event.target.value);
          tabStorage.set(draftKey(id), event.target.value);
        }}
        placeholder={t`What did you use it for, and how did it do?`}
      />
      {offered && offered.length > 0 ? <ReviewTagPicker offered={offered} selected={tags} onSelect={setTags} /> : null}
      <button
        type="submit"
        className="btn primary mt-3"
        disabled={incomplete || saving.busy}
        // Ignores the second click of a double click, even if the first request has finished.
        onClick={(event) => event.detail > 1 && event.preventDefault()}
      >
        {saving.busy ? t`Saving …` : mine ? t`Save changes` : t`Publish review`}
      </button>
    </form>
  );
}
