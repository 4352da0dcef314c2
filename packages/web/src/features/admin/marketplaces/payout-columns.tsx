import type { MarketplacePayout } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import type { Column } from "#/components/list/list-table.tsx";
import { Tag } from "#/components/ui/labels/tag.tsx";
import { MARKETPLACES } from "#/entities/billing/marketplaces.ts";
import { formatCents } from "#/entities/money/money.ts";
import { NameWithDetail } from "../name-with-detail.tsx";

/** The columns of payouts of marketplaces. */
export const PAYOUT_COLUMNS: readonly Column<MarketplacePayout>[] = [
  {
    header: t`Payout`,
    cell: ({ provider, reference, reversed_at, reversal_reason }) => (
      <>
        <NameWithDetail name={reference} detail={MARKETPLACES[provider]} />
        {reversed_at === null ? null : (
          <div className="small">
            <Tag>{t`reversed`}</Tag> <span className="faint user-text">{reversal_reason}</span>
          </div>
        )}
      </>
    ),
  },
  { header: t`Paid on`, cell: ({ paid_on }) => <span className="num whitespace-nowrap">{paid_on}</span> },
  {
    header: t`Arrived`,
    cell: ({ amount_usd_cents, reversed_at }) => strike(formatCents(amount_usd_cents), reversed_at),
    isNumeric: true,
  },
  {
    header: t`Fee`,
    cell: ({ fee_usd_cents, reversed_at }) => strike(formatCents(fee_usd_cents), reversed_at),
    isNumeric: true,
    hideWhenNarrow: true,
  },
];

/** An amount that was reversed counts no more. */
const strike = (amount: string, reversedAt: Date | null) => (reversedAt === null ? amount : <s>{amount}</s>);
