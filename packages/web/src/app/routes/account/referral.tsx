import type { ReferralSummary } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { TerminalCommand } from "#/components/ui/code/terminal-command.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { paths } from "#/config/paths.ts";
import { formatNanoUsd } from "#/entities/money/money.ts";
import { useUser } from "#/entities/session/user.ts";
import { KeyFigures } from "#/features/referral-program/key-figures.tsx";
import { codeQuery, rewardsQuery, summaryQuery } from "#/features/referral-program/queries.ts";
import { ReferralLink } from "#/features/referral-program/referral-link.tsx";
import { ReferrerForm } from "#/features/referral-program/referrer-form.tsx";
import { RewardsSection } from "#/features/referral-program/rewards-section.tsx";
import { canSetReferrer, countFriendsByStatus, describeTerms } from "#/features/referral-program/terms.ts";
import { formatCount } from "#/lib/format.ts";
import styles from "./referral.module.css";

/** The referral program: the user's link, who signed up by it, and rewards. */
export default function ReferralPage() {
  const { user } = useUser();
  const summary = useQuery(summaryQuery);
  const { data } = summary;
  return (
    <>
      <h1 className="h2">{t`Referral Program`}</h1>
      <p className={`muted mt-2 ${styles.terms}`}>
        {data ? describeTerms(data) : summary.isError ? null : <Skeleton width={420} />}{" "}
        {data?.method === "commission" ? (
          <Link className="link" to={paths.affiliate}>
            {t`Your commission`}
          </Link>
        ) : null}
      </p>
      <h2 className="h4 mt-6">{t`Your link`}</h2>
      <ReferralLink />
      {summary.isError ? (
        <LoadError subject={t`Your referrals`} error={summary.error} retry={() => void summary.refetch()} />
      ) : (
        <>
          <KeyFigures
            items={[
              {
                label: t`Came`,
                value: data ? formatCount(data.referred_count) : null,
                note: t`signed up by your link`,
              },
              { label: t`Paid`, value: data ? formatCount(data.paying_count) : null, note: t`made a first payment` },
              {
                label: t`Earned`,
                value: data ? formatNanoUsd(data.earned_nano_usd) : null,
                note: data?.method === "commission" ? t`of commission` : t`of credits`,
              },
            ]}
          />
          {data ? <ReferredFriends summary={data} /> : <Skeleton height={96} />}
          <RewardsSection />
        </>
      )}
      <p className="small faint mt-6 measure">
        {t`A reward needs two people: accounts that have paid with the same card, or share an organization, count as one and bring none.`}
      </p>
      {data?.referred ? (
        <p className="muted mt-6">{t`A friend sent you: their code is noted.`}</p>
      ) : user && data && canSetReferrer(user.created_at) ? (
        <ReferrerForm />
      ) : null}
      <TerminalCommand command="feather api GET /account/referral" />
    </>
  );
}

function ReferredFriends({ summary }: { summary: ReferralSummary }) {
  if (summary.referred_count === 0)
    return (
      <p className="muted mt-6">
        {t`Nobody has come yet. Send the link to somebody who runs models, or put it where you write about them: who signs up by it stands here.`}
      </p>
    );
  return (
    <section className="mt-8" aria-labelledby="friends">
      <h2 className="h4" id="friends">
        {t`Who came`}
      </h2>
      <table className="mt-2">
        <thead>
          <tr>
            <th>{t`State`}</th>
            <th className="numeric">{t`Friends`}</th>
            <th>{t`What follows`}</th>
          </tr>
        </thead>
        <tbody>
          {countFriendsByStatus(summary).map(({ label, tier, count: friends, note }) => (
            <tr key={label}>
              <td>
                <StateBadge tier={tier}>{label}</StateBadge>
              </td>
              <td className="numeric">{formatCount(friends)}</td>
              <td className="muted">{note}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="small faint mt-3">{t`Who they are is not shown: that is theirs to tell.`}</p>
    </section>
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient): Promise<unknown> =>
  Promise.all([
    client.prefetchQuery(summaryQuery),
    client.prefetchQuery(codeQuery),
    client.prefetchQuery(rewardsQuery(1)),
  ]);
