import type { ReferralSummary } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { paths } from "#/config/paths.ts";
import { useBillingPermission } from "#/entities/billing/use-billing-permission.ts";
import { formatNanoUsd } from "#/entities/money/money.ts";
import { KeyFigures } from "#/features/referral-program/key-figures.tsx";
import { PayoutSection } from "#/features/referral-program/payout-section.tsx";
import { PayoutsSection } from "#/features/referral-program/payouts-section.tsx";
import { codeQuery, summaryQuery } from "#/features/referral-program/queries.ts";
import { ReferralLink } from "#/features/referral-program/referral-link.tsx";
import { RewardsSection } from "#/features/referral-program/rewards-section.tsx";
import { describeTerms } from "#/features/referral-program/terms.ts";
import { formatCount } from "#/lib/format.ts";
import { useContact } from "#/lib/site-config.ts";
import styles from "./referral.module.css";

/** The affiliate program: commission by stage, payouts and the referral link. */
export default function AffiliatePage() {
  const summary = useQuery(summaryQuery);
  return (
    <>
      <h1 className="h2">{t`Affiliate Program`}</h1>
      {summary.isError ? (
        <LoadError subject={t`Your commission`} error={summary.error} retry={() => void summary.refetch()} />
      ) : summary.data?.method === "credits" ? (
        <NoAffiliate />
      ) : (
        <Commission summary={summary.data} />
      )}
    </>
  );
}

function NoAffiliate() {
  const { email } = useContact();
  return (
    <EmptyState
      title={t`You are rewarded by credits`}
      action={
        <Link className="btn primary" to={paths.referral}>
          {t`See your referrals`}
        </Link>
      }
    >
      {t`Affiliates earn a part of what the people they bring pay, in money. It is meant for those who write, film or teach for many. Who runs this server makes somebody an affiliate. Your link stays the same.`}{" "}
      {email === null ? null : (
        <Trans>
          Write to{" "}
          <a className="link" href={`mailto:${email}`}>
            {email}
          </a>
          .
        </Trans>
      )}
    </EmptyState>
  );
}

function Commission({ summary }: { summary: ReferralSummary | undefined }) {
  const { canView } = useBillingPermission();
  return (
    <>
      <p className={`muted mt-2 ${styles.terms}`}>
        {summary ? describeTerms(summary) : <span className="visually-hidden">{t`Loading your commission`}</span>}
      </p>
      <KeyFigures
        items={[
          {
            label: t`Held`,
            value: summary ? formatNanoUsd(summary.held_nano_usd) : null,
            note: t`until payments can no longer be given back`,
          },
          {
            label: t`Ready`,
            value: summary ? formatNanoUsd(summary.available_nano_usd) : null,
            note: t`can be paid out`,
          },
          { label: t`Paid out`, value: summary ? formatNanoUsd(summary.paid_out_nano_usd) : null, note: t`so far` },
        ]}
      />
      {summary ? (
        <>
          <CommissionStages summary={summary} />
          <PayoutSection summary={summary} />
          <RewardsSection />
          {canView ? <PayoutsSection /> : null}
        </>
      ) : null}
      <h2 className="h4 mt-8">{t`Your link`}</h2>
      <ReferralLink />
    </>
  );
}

/** The stages of commission, from sign-up to payout, with the amount or number in each. */
function CommissionStages({ summary }: { summary: ReferralSummary }) {
  const rows: [string, string, string, string][] = [
    [t`signed up`, "cold", formatCount(summary.referred_count), t`People who came by your link.`],
    ["paying", "good", formatCount(summary.paying_count), t`Those who made a payment.`],
    ["earned", "good", formatNanoUsd(summary.earned_nano_usd), t`What they brought you, with what is held.`],
    [
      "held",
      "loading",
      formatNanoUsd(summary.held_nano_usd),
      t`It becomes ready when its payment can no longer be given back.`,
    ],
    ["ready", "good", formatNanoUsd(summary.available_nano_usd), t`It can be paid out.`],
    [t`paid out`, "good", formatNanoUsd(summary.paid_out_nano_usd), t`What has left.`],
  ];
  return (
    <table className="mt-6">
      <thead>
        <tr>
          <th>{t`Stage`}</th>
          <th className="numeric">{t`So far`}</th>
          <th className="wide-only">{t`What it is`}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([stage, tier, value, note]) => (
          <tr key={stage}>
            <td>
              <StateBadge tier={tier}>{stage}</StateBadge>
            </td>
            <td className="numeric">{value}</td>
            <td className="wide-only muted">{note}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient): Promise<unknown> =>
  Promise.all([client.prefetchQuery(summaryQuery), client.prefetchQuery(codeQuery)]);
