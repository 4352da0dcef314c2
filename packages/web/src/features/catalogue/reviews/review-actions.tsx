import type { Review } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type MouseEvent, Suspense, useState } from "react";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { lazyComponent } from "#/lib/lazy-component.ts";
import styles from "./review-actions.module.css";
import { useDeleteReview, useHelpfulVote } from "./review-mutations.ts";
import type { ReviewsKey } from "./reviews-query.ts";

// Lazy, because few readers report a review.
const ReportDialog = lazyComponent(async () => (await import("./report-dialog.tsx")).default);

type Props = { list: ReviewsKey; review: Review; signedIn: boolean; onDeleted(): void };

/** Actions on a review: delete one's own; mark others as helpful or report them. */
export function ReviewActions({ list, review, signedIn, onDeleted }: Props) {
  const votes = review.helpful_count;
  if (!signedIn) return votes > 0 ? <p className="small faint mt-2 num">{t`Helpful to ${votes}`}</p> : null;
  return (
    <div className={`row wrapping small ${styles.actions}`}>
      {review.mine ? (
        <DeleteReview list={list} review={review} onDeleted={onDeleted} />
      ) : (
        <VoteAndReport list={list} review={review} />
      )}
    </div>
  );
}

function DeleteReview({ list, review, onDeleted }: Omit<Props, "signedIn">) {
  const confirm = useConfirm();
  const deletion = useDeleteReview(list, review, onDeleted);
  const confirmDeletion = () =>
    confirm({
      title: t`Delete your review`,
      description: t`Its text and its stars go. You can write another one.`,
      confirmButtonText: t`Delete review`,
      destructive: true,
      action: async () => {
        await deletion.run();
      },
    });
  return (
    <button type="button" className="plain" onClick={confirmDeletion}>
      {t`Delete`}
    </button>
  );
}

function VoteAndReport({ list, review }: Pick<Props, "list" | "review">) {
  const helpful = useHelpfulVote(list, review);
  const [reporting, setReporting] = useState<boolean | null>(null);
  const votes = review.helpful_count;
  const vote = (event: MouseEvent) => {
    // Ignores the second click of a double click.
    if (event.detail <= 1) void helpful.run(!review.helpful);
  };
  return (
    <>
      <button type="button" className="plain num" aria-pressed={review.helpful} onClick={vote}>
        {votes > 0 ? t`Helpful (${votes})` : t`Helpful`}
      </button>
      <button type="button" className="plain" onClick={() => setReporting(true)}>
        {t`Report`}
      </button>
      {reporting === null ? null : (
        <Suspense fallback={null}>
          <ReportDialog id={list.id} reviewId={review.id} open={reporting} close={() => setReporting(false)} />
        </Suspense>
      )}
    </>
  );
}
