import type { Result } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { State, Tag } from "#/components/ui/bits.tsx";
import { feather } from "#/lib/feather.ts";
import { moment } from "#/lib/format.ts";
import { useAct } from "../use-act.ts";

/** A review with its reports. */
export type ReviewItem = Result<"admin.reviews.list">["items"][number];

/** Returns a function that hides or shows a review, which also settles its reports. */
export function useDecide() {
  const act = useAct();
  return async function decide(item: ReviewItem, hidden: boolean): Promise<void> {
    await act(() => feather.admin.reviews.update(item.review.id, { hidden }), {
      title: hidden ? t`The review is hidden` : t`The review is shown`,
      ...(item.hidden !== hidden && { undo: () => void decide({ ...item, hidden }, !hidden) }),
    });
  };
}

/** A review with its reports and the moderation actions. */
export function ReviewItemView({ item }: { item: ReviewItem }) {
  const decide = useDecide();
  const { review, reports, hidden } = item;
  return (
    <article className="review">
      <div className="row wraps small">
        <strong dir="auto">{review.user.name}</strong>
        <span className="num">
          <Trans>{review.rating} of 5</Trans>
        </span>
        {review.verified_caller ? <Tag>{t`has called it`}</Tag> : null}
        <span className="dim">{moment(review.updated_at)}</span>
        <State tier={hidden ? "offline" : "good"}>{hidden ? t`hidden` : t`shown`}</State>
      </div>
      <p className="mt-2 stranger" style={{ whiteSpace: "pre-wrap", maxWidth: "70ch" }} dir="auto">
        {review.review}
      </p>
      {reports.map((report) => (
        <p key={report.created_at.getTime() + report.reason} className="small mt-2 stranger">
          <State tier="loading">
            <Trans>reported {moment(report.created_at)}</Trans>
          </State>{" "}
          <span className="mid">{report.reason}</span>
        </p>
      ))}
      <div className="row mt-3">
        {hidden ? (
          <button type="button" className="btn" onClick={() => void decide(item, false)}>
            {t`Show again`}
          </button>
        ) : (
          <button type="button" className="btn danger" onClick={() => void decide(item, true)}>
            {t`Hide`}
          </button>
        )}
        {reports.length > 0 && !hidden ? (
          <button type="button" className="btn" onClick={() => void decide(item, false)}>
            {t`Keep it`}
          </button>
        ) : null}
      </div>
    </article>
  );
}
