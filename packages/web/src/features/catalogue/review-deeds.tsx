import { t } from "@lingui/core/macro";
import { type MouseEvent, Suspense, useState } from "react";
import { useConfirm } from "#/components/ui/confirm.tsx";
import { lazyPart } from "#/lib/lazy-part.ts";
import { type Review, type ReviewList, useHelpful, useTakeBack } from "./review-changes.ts";

// Lazy, because few readers report a review.
const ReportDialog = lazyPart(async () => (await import("./report-dialog.tsx")).default);

type Props = { list: ReviewList; review: Review; signedIn: boolean; deleted(): void };

/** Actions on a review: delete one's own; mark others as helpful or report them. */
export function ReviewDeeds({ list, review, signedIn, deleted }: Props) {
  const votes = review.helpful_count;
  if (!signedIn) return votes > 0 ? <p className="small dim mt-2 num">{t`Helpful to ${votes}`}</p> : null;
  return (
    <div className="row wraps small review-deeds">
      {review.mine ? <TakeBack list={list} review={review} deleted={deleted} /> : <Judge list={list} review={review} />}
    </div>
  );
}

function TakeBack({ list, review, deleted }: Omit<Props, "signedIn">) {
  const confirm = useConfirm();
  const takeBack = useTakeBack(list, review, deleted);
  const ask = () =>
    confirm({
      title: t`Delete your review`,
      description: t`Its text and its stars go. You can write another one.`,
      confirmButtonText: t`Delete review`,
      destructive: true,
      action: () => takeBack.mutate(),
    });
  return (
    <button type="button" className="plain" onClick={ask}>
      {t`Delete`}
    </button>
  );
}

function Judge({ list, review }: Pick<Props, "list" | "review">) {
  const helpful = useHelpful(list, review);
  const [reporting, setReporting] = useState<boolean | null>(null);
  const votes = review.helpful_count;
  const vote = (event: MouseEvent) => {
    // Ignores the second click of a double click.
    if (event.detail <= 1) helpful.mutate(!review.helpful);
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
