import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { EmptyState, State } from "#/components/ui/bits.tsx";
import { ReadFault } from "#/components/ui/fault-notice.tsx";
import { paths } from "#/config/paths.ts";
import { usd } from "#/features/billing/money.ts";
import { useBilling } from "#/features/billing/permission.ts";
import { Figures } from "#/features/referral-program/figures.tsx";
import { LinkBlock } from "#/features/referral-program/link-block.tsx";
import { PayoutSection } from "#/features/referral-program/payout-section.tsx";
import { PayoutsSection } from "#/features/referral-program/payouts-section.tsx";
import { type Summary, summaryQuery } from "#/features/referral-program/queries.ts";
import { RewardsSection } from "#/features/referral-program/rewards-section.tsx";
import { termsOf } from "#/features/referral-program/terms.ts";
import { count } from "#/lib/format.ts";

/** The affiliate program: commission by stage, payouts and the referral link. */
export default function AffiliatePage() {
  const summary = useQuery(summaryQuery);
  return (
    <>
      <h1 className="h2">{t`Affiliate Program`}</h1>
      {summary.isError ? (
        <ReadFault what={t`Your commission`} error={summary.error} again={() => void summary.refetch()} />
      ) : summary.data?.method === "credits" ? (
        <NoAffiliate />
      ) : (
        <Commission summary={summary.data} />
      )}
    </>
  );
}

function NoAffiliate() {
  return (
    <EmptyState
      title={t`You are rewarded by credits`}
      action={
        <Link className="btn primary" to={paths.referral}>
          {t`See your referrals`}
        </Link>
      }
    >
      {t`Affiliates earn a part of what the people they bring pay, in money. It is meant for those who write, film or teach for many. Who runs this server makes somebody an affiliate: write to them. Your link stays the same.`}
    </EmptyState>
  );
}

function Commission({ summary }: { summary: Summary | undefined }) {
  const { sees } = useBilling();
  return (
    <>
      <p className="mid mt-2 terms">
        {summary ? termsOf(summary) : <span className="visually-hidden">{t`Loading your commission`}</span>}
      </p>
      <Figures
        items={[
          {
            label: t`Held`,
            value: summary ? usd(summary.held_nano_usd) : null,
            note: t`until payments can no longer be given back`,
          },
          { label: t`Ready`, value: summary ? usd(summary.available_nano_usd) : null, note: t`can be paid out` },
          { label: t`Paid out`, value: summary ? usd(summary.paid_out_nano_usd) : null, note: t`so far` },
        ]}
      />
      {summary ? (
        <>
          <Way summary={summary} />
          <PayoutSection summary={summary} />
          <RewardsSection />
          {sees ? <PayoutsSection /> : null}
        </>
      ) : null}
      <h2 className="h4 mt-8">{t`Your link`}</h2>
      <LinkBlock />
    </>
  );
}

/** The stages of commission, from sign-up to payout, with the amount or number in each. */
function Way({ summary }: { summary: Summary }) {
  const rows: [string, string, string, string][] = [
    [t`signed up`, "cold", count(summary.referred_count), t`People who came by your link.`],
    ["paying", "good", count(summary.paying_count), t`Those who made a payment.`],
    ["earned", "good", usd(summary.earned_nano_usd), t`What they brought you, with what is held.`],
    ["held", "loading", usd(summary.held_nano_usd), t`It becomes ready when its payment can no longer be given back.`],
    ["ready", "good", usd(summary.available_nano_usd), t`It can be paid out.`],
    [t`paid out`, "good", usd(summary.paid_out_nano_usd), t`What has left.`],
  ];
  return (
    <table className="mt-6">
      <thead>
        <tr>
          <th>{t`Stage`}</th>
          <th className="n">{t`So far`}</th>
          <th className="w">{t`What it is`}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([word, tier, value, note]) => (
          <tr key={word}>
            <td>
              <State tier={tier}>{word}</State>
            </td>
            <td className="n">{value}</td>
            <td className="w mid">{note}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
