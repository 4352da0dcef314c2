import { isApiError, type Schemas } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useConfirm } from "#/components/ui/confirm.tsx";
import { useToast } from "#/components/ui/toast.tsx";
import { feather } from "#/lib/feather.ts";
import { modelQuery, reviewsQuery } from "./queries.ts";

type Props = { id: string; review: Schemas["Review"]; signedIn: boolean };

/** What can be done with a review: one's own is taken back, those of others are helpful, or not for here. */
export function ReviewDeeds({ id, review, signedIn }: Props) {
  const client = useQueryClient();
  const toast = useToast();
  const confirm = useConfirm();
  const refresh = () =>
    Promise.all([reviewsQuery(id), modelQuery(id)].map(({ queryKey }) => client.invalidateQueries({ queryKey })));
  const failed = (error: unknown) =>
    toast({
      title: t`That did not work`,
      description: isApiError(error) ? error.message : t`The server cannot be reached. Try again in a moment.`,
      variant: "destructive",
    });
  const helpful = useMutation({
    mutationFn: async () => feather.models.reviews.helpful(id, review.id),
    onSuccess: refresh,
    onError: failed,
  });

  function takeBack(): void {
    confirm({
      title: t`Delete your review`,
      description: t`Its text and its stars go. You can write another one.`,
      confirmButtonText: t`Delete review`,
      destructive: true,
      action: () =>
        feather.models.reviews
          .delete(id, review.id)
          .then(refresh, failed)
          .then(() => {}),
    });
  }

  function report(): void {
    confirm({
      title: t`Report this review`,
      description: t`Whoever runs this server looks at it. It stays here until they have decided.`,
      confirmButtonText: t`Report`,
      action: () =>
        feather.models.reviews
          .report(id, review.id, { reason: "Reported on the site" })
          .then(() => toast({ title: t`Reported`, variant: "success" }), failed)
          .then(() => {}),
    });
  }

  const votes = review.helpful_count;
  if (!signedIn) return votes > 0 ? <p className="small dim mt-2 num">{t`Helpful to ${votes}`}</p> : null;
  return (
    <p className="row wraps small review-deeds">
      {review.mine ? (
        <button type="button" className="plain" onClick={takeBack}>
          {t`Delete`}
        </button>
      ) : (
        <>
          <button type="button" className="plain num" onClick={() => helpful.mutate()} disabled={helpful.isPending}>
            {votes > 0 ? t`Helpful (${votes})` : t`Helpful`}
          </button>
          <button type="button" className="plain" onClick={report}>
            {t`Report`}
          </button>
        </>
      )}
    </p>
  );
}
