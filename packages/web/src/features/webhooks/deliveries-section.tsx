import type { WebhookDelivery, WebhookEndpoint } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Pager } from "#/components/ui/lists/pager.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { feather } from "#/lib/feather.ts";
import { formatRelativeTime } from "#/lib/format.ts";
import { useAction } from "#/lib/use-action.ts";
import { deliveriesQuery, WEBHOOK_QUERY_KEYS } from "./queries.ts";
import styles from "./webhooks.module.css";

/** The deliveries of an endpoint in the last 30 days. Finished ones can be replayed. */
export function DeliveriesSection({ endpoint }: { endpoint: WebhookEndpoint }) {
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useQuery(deliveriesQuery(endpoint.id, page));
  const replay = useAction(
    ({ id }: WebhookDelivery, options) => feather.webhooks.deliveries.replay(endpoint.id, id, options),
    { success: (_, { event_type }) => t`${event_type} is on its way again`, invalidates: WEBHOOK_QUERY_KEYS },
  );
  if (error && !data) return <LoadError subject={t`The deliveries`} error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={80} />;
  if (data.items.length === 0) return <p className="muted mt-4">{t`Nothing was sent to it in the last 30 days.`}</p>;
  return (
    <>
      <table className={styles.deliveries}>
        <thead>
          <tr>
            <th>{t`Event`}</th>
            <th>{t`State`}</th>
            <th>{t`When`}</th>
            <th>{t`Result`}</th>
            <th>
              <span className="visually-hidden">{t`Actions`}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {data.items.map((delivery) => (
            <tr key={delivery.id}>
              <td>
                <code className="mono small">{delivery.event_type}</code>
              </td>
              <td>
                <DeliveryState status={delivery.status} />
              </td>
              <td className="muted small">{formatRelativeTime(delivery.created_at)}</td>
              <td className={`muted small ${styles.result}`}>{describeResult(delivery)}</td>
              <td className={styles.action}>
                {delivery.status === "pending" ? null : (
                  <button
                    type="button"
                    className="btn ghost"
                    disabled={endpoint.disabled}
                    aria-label={t`Replay ${delivery.event_type}`}
                    onClick={() => void replay.run(delivery)}
                  >
                    {t`Replay`}
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {data.pagination.total_pages > 1 ? <Pager {...data.pagination} label={t`Deliveries`} goToPage={setPage} /> : null}
    </>
  );
}

function DeliveryState({ status }: { status: WebhookDelivery["status"] }) {
  if (status === "delivered") return <StateBadge tier="good">{t`delivered`}</StateBadge>;
  if (status === "failed") return <StateBadge tier="bad">{t`failed`}</StateBadge>;
  return <StateBadge tier="loading">{t`pending`}</StateBadge>;
}

function describeResult({ attempts, error, response_status, next_attempt_at }: WebhookDelivery): string {
  const tries = plural(attempts, { one: "# attempt", other: "# attempts" });
  const next = next_attempt_at === null || attempts === 0 ? "" : t`Next ${formatRelativeTime(next_attempt_at)}.`;
  const result = error ?? (response_status === null ? "" : t`Status ${response_status}.`);
  return [result, attempts > 1 ? `${tries}.` : "", next].filter((part) => part !== "").join(" ");
}
