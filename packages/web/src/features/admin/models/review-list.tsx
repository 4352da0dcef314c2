import type { AdminReview } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Tag } from "#/components/ui/labels/tag.tsx";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { formatRelativeTime } from "#/lib/format.ts";
import { useAction } from "#/lib/use-action.ts";
import styles from "./review-list.module.css";

/** Returns a function that hides or shows a review, which also settles its reports. */
export function useModerateReview() {
  const { run } = useAction(
    ({ item, hidden }: { item: AdminReview; hidden: boolean }) =>
      feather.admin.reviews.update(item.review.id, { hidden }),
    {
      success: (_, { hidden }) => (hidden ? t`The review is hidden` : t`The review is shown`),
      undo:
        (run, { item, hidden }) =>
        () =>
          run({ item, hidden: !hidden }),
      invalidates: ADMIN_QUERY_KEYS,
    },
  );
  return (item: AdminReview, hidden: boolean) => run({ item, hidden });
}

/** A review with its reports and the moderation actions. */
export function ReviewItemView({ item }: { item: AdminReview }) {
  const moderate = useModerateReview();
  const { review, reports, hidden } = item;
  return (
    <article className={styles.review}>
      <div className="row wrapping small">
        <strong dir="auto">{review.user.name}</strong>
        <span className="num">
          <Trans>{review.rating} of 5</Trans>
        </span>
        {review.verified_caller ? <Tag>{t`has called it`}</Tag> : null}
        <span className="faint">{formatRelativeTime(review.updated_at)}</span>
        <StateBadge tier={hidden ? "offline" : "good"}>{hidden ? t`hidden` : t`shown`}</StateBadge>
      </div>
      <p className={`mt-2 user-text ${styles.text}`} dir="auto">
        {review.review}
      </p>
      {reports.map((report) => (
        <p key={report.created_at.getTime() + report.reason} className="small mt-2 user-text">
          <StateBadge tier="loading">
            <Trans>reported {formatRelativeTime(report.created_at)}</Trans>
          </StateBadge>{" "}
          <span className="muted">{report.reason}</span>
        </p>
      ))}
      <div className="row mt-3">
        {hidden ? (
          <button type="button" className="btn" onClick={() => void moderate(item, false)}>
            {t`Show again`}
          </button>
        ) : (
          <button type="button" className="btn danger" onClick={() => void moderate(item, true)}>
            {t`Hide`}
          </button>
        )}
        {reports.length > 0 && !hidden ? (
          <button type="button" className="btn" onClick={() => void moderate(item, false)}>
            {t`Keep it`}
          </button>
        ) : null}
      </div>
    </article>
  );
}
