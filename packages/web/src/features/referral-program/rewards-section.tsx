import type { Result } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Skeleton, State } from "#/components/ui/bits.tsx";
import { ReadFault } from "#/components/ui/fault-notice.tsx";
import { Pager } from "#/components/ui/pager.tsx";
import { usd } from "#/features/billing/money.ts";
import { day } from "#/lib/format.ts";
import { rewardsQuery } from "./queries.ts";

type Reward = Result<"referral.rewards">["items"][number];

const STATES: Record<Reward["status"], { tier: string; word: string }> = {
  held: { tier: "loading", word: t`held` },
  released: { tier: "good", word: t`released` },
  reversed: { tier: "bad", word: t`taken back` },
};

/** The rewards, newest first. Renders nothing where there are none. */
export function RewardsSection() {
  const [page, setPage] = useState(1);
  const rewards = useQuery(rewardsQuery(page));
  if (rewards.isError)
    return <ReadFault what={t`Your rewards`} error={rewards.error} again={() => void rewards.refetch()} />;
  if (rewards.data?.pagination.total_items === 0) return null;
  return (
    <section className="mt-8" aria-labelledby="rewards">
      <h2 className="h4" id="rewards">
        {t`Rewards`}
      </h2>
      {rewards.data ? (
        <>
          <RewardTable items={rewards.data.items} />
          {rewards.data.pagination.total_pages > 1 ? (
            <Pager {...rewards.data.pagination} go={setPage} what={t`rewards`} top="rewards" />
          ) : null}
        </>
      ) : (
        <Skeleton height={96} />
      )}
    </section>
  );
}

function RewardTable({ items }: { items: readonly Reward[] }) {
  return (
    <table className="mt-2">
      <thead>
        <tr>
          <th>{t`Payment of`}</th>
          <th className="n">{t`Reward`}</th>
          <th>{t`State`}</th>
          <th className="w">{t`What follows`}</th>
        </tr>
      </thead>
      <tbody>
        {items.map((reward) => (
          <tr key={reward.id}>
            <td className="num">{day(reward.created_at)}</td>
            <td className="n">{usd(reward.amount_nano_usd)}</td>
            <td>
              <State tier={STATES[reward.status].tier}>{STATES[reward.status].word}</State>
            </td>
            <td className="w mid">{whatFollows(reward)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function whatFollows({ status, method, release_at }: Reward): string {
  if (status === "held") return t`Ready on ${day(release_at)}, when its payment can no longer be given back.`;
  if (status === "reversed") return t`Its payment was given back.`;
  return method === "credits" ? t`Added to your credits.` : t`Ready to be paid out, or paid out already.`;
}
