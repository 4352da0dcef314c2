import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Skeleton } from "#/components/ui/bits.tsx";
import { ReadFault } from "#/components/ui/fault-notice.tsx";
import { reviewsOfQuery } from "./queries.ts";
import { ReviewItemView } from "./review-list.tsx";

/** Reviews of a model for moderation, including hidden ones and reports. */
export function ModelReviews({ id }: { id: string }) {
  const reviews = useQuery(reviewsOfQuery(id));
  if (reviews.isError)
    return <ReadFault what={t`The reviews`} error={reviews.error} again={() => void reviews.refetch()} />;
  if (reviews.data === undefined) return <Skeleton height={80} />;
  if (reviews.data.length === 0) return <p className="mid">{t`Nobody has written about it yet.`}</p>;
  return reviews.data.map((item) => <ReviewItemView key={item.review.id} item={item} />);
}
