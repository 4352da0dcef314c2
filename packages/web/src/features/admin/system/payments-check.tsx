import type { ServerSettings } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { formatMoney } from "#/entities/money/money.ts";
import { RelativeTime } from "../relative-time.tsx";

type Check = NonNullable<ServerSettings["payments_check"]>;
type Difference = Check["differences"][number];

const KINDS: Readonly<Record<Difference["kind"], string>> = {
  unknown_here: t`charged there, unknown here`,
  unknown_at_service: t`paid here, unknown there`,
  not_posted: t`charged there, was not posted`,
  amount: t`another amount`,
  currency: t`charged in another currency`,
  refund: t`other refunds`,
  dispute: t`dispute in another state`,
};

/** The latest comparison of payments with the payment service, and what differed. */
export function PaymentsCheck({ check }: { check: Check }) {
  const { checked_at, charges, refunds, disputes, differences } = check;
  return (
    <section aria-label={t`Payments compared`} className="mb-4">
      <h2 className="h4">{t`Payments compared`}</h2>
      <p className="small muted">
        <RelativeTime date={checked_at} /> · {t`${charges} charges, ${refunds} refunded, ${disputes} disputes`}
      </p>
      {differences.length === 0 ? (
        <p>
          <StateBadge tier="good">{t`They agree with the payment service`}</StateBadge>
        </p>
      ) : (
        <DifferencesTable differences={differences} />
      )}
    </section>
  );
}

function DifferencesTable({ differences }: { differences: readonly Difference[] }) {
  return (
    <table className="mt-2">
      <thead>
        <tr>
          <th>{t`Payment`}</th>
          <th>{t`Difference`}</th>
          <th className="numeric wide-only">{t`There`}</th>
          <th className="numeric wide-only">{t`Here`}</th>
          <th>{t`State`}</th>
        </tr>
      </thead>
      <tbody>
        {differences.map(({ kind, reference, payment_id, currency, service_cents, our_cents, repaired }) => (
          <tr key={`${kind} ${payment_id} ${reference}`}>
            <td className="mono small user-text">{payment_id ?? reference}</td>
            <td>{KINDS[kind]}</td>
            <td className="numeric wide-only">{service_cents === null ? "–" : formatMoney(service_cents, currency)}</td>
            <td className="numeric wide-only">{our_cents === null ? "–" : formatMoney(our_cents, currency)}</td>
            <td className="small">
              <StateBadge tier={repaired ? "good" : "bad"}>{repaired ? t`posted now` : t`look at it`}</StateBadge>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
