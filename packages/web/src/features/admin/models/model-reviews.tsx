import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { reviewsOfModelQuery } from "./queries.ts";
import { ReviewItemView } from "./review-list.tsx";

/** Reviews of a model for moderation, including hidden ones and reports. */
export function ModelReviews({ id }: { id: string }) {
  const reviews = useQuery(reviewsOfModelQuery(id));
  if (reviews.isError)
    return <LoadError subject={t`The reviews`} error={reviews.error} retry={() => void reviews.refetch()} />;
  if (reviews.data === undefined) return <Skeleton height={80} />;
  if (reviews.data.length === 0) return <p className="muted">{t`Nobody has written about it yet.`}</p>;
  return reviews.data.map((item) => <ReviewItemView key={item.review.id} item={item} />);
}
