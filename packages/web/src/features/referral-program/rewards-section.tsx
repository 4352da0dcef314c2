import type { ReferralReward } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Pager } from "#/components/ui/lists/pager.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { formatNanoUsd } from "#/entities/money/money.ts";
import { formatIsoDay } from "#/lib/format.ts";
import { rewardsQuery } from "./queries.ts";

const STATUS_LABELS: Record<ReferralReward["status"], { tier: string; label: string }> = {
  held: { tier: "loading", label: t`held` },
  released: { tier: "good", label: t`released` },
  reversed: { tier: "bad", label: t`taken back` },
};

/** The rewards, newest first. Renders nothing where there are none. */
export function RewardsSection() {
  const [page, setPage] = useState(1);
  const rewards = useQuery(rewardsQuery(page));
  if (rewards.isError)
    return <LoadError subject={t`Your rewards`} error={rewards.error} retry={() => void rewards.refetch()} />;
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
            <Pager {...rewards.data.pagination} goToPage={setPage} label={t`rewards`} scrollTargetId="rewards" />
          ) : null}
        </>
      ) : (
        <Skeleton height={96} />
      )}
    </section>
  );
}

function RewardTable({ items }: { items: readonly ReferralReward[] }) {
  return (
    <table className="mt-2">
      <thead>
        <tr>
          <th>{t`Payment of`}</th>
          <th className="numeric">{t`Reward`}</th>
          <th>{t`State`}</th>
          <th className="wide-only">{t`What follows`}</th>
        </tr>
      </thead>
      <tbody>
        {items.map((reward) => (
          <tr key={reward.id}>
            <td className="num">{formatIsoDay(reward.created_at)}</td>
            <td className="numeric">{formatNanoUsd(reward.amount_nano_usd)}</td>
            <td>
              <StateBadge tier={STATUS_LABELS[reward.status].tier}>{STATUS_LABELS[reward.status].label}</StateBadge>
            </td>
            <td className="wide-only muted">{describeNextStep(reward)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function describeNextStep({ status, method, release_at }: ReferralReward): string {
  if (status === "held") return t`Ready on ${formatIsoDay(release_at)}, when its payment can no longer be given back.`;
  if (status === "reversed") return t`Its payment was given back.`;
  return method === "credits" ? t`Added to your credits.` : t`Ready to be paid out, or paid out already.`;
}
