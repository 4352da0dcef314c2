import type { Price } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type Column, ListTable } from "#/components/list/list-table.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { formatPricePerMillion, formatUsd } from "#/entities/money/money.ts";
import { formatUtcDateTime } from "../forms/field-schemas.ts";
import { RelativeTime } from "../relative-time.tsx";

/** Returns the price that applies now: the latest one in effect. `prices` starts with the newest. */
export function findCurrentPrice(prices: readonly Price[], now: Date): Price | undefined {
  return prices.find(({ effective_at }) => effective_at <= now);
}

/** Past, current and future prices. Prices are never changed. */
export function PriceHistory({ prices, now }: { prices: readonly Price[] | undefined; now: Date }) {
  const current = findCurrentPrice(prices ?? [], now);
  const columns: Column<Price>[] = [
    {
      header: t`Valid from`,
      cell: (price) => (
        <>
          <time className="num whitespace-nowrap" dateTime={price.effective_at.toISOString()}>
            {formatUtcDateTime(price.effective_at)}
          </time>
          <div className="small">
            <PriceState isFuture={price.effective_at > now} isCurrent={price === current} />
          </div>
        </>
      ),
    },
    { header: t`Input`, cell: ({ prompt }) => formatPricePerMillion(prompt), isNumeric: true },
    { header: t`Output`, cell: ({ completion }) => formatPricePerMillion(completion), isNumeric: true },
    {
      header: t`Image`,
      cell: ({ image }) => (Number(image) === 0 ? "–" : formatUsd(image)),
      isNumeric: true,
      hideWhenNarrow: true,
    },
    {
      header: t`Request`,
      cell: ({ request }) => (Number(request) === 0 ? "–" : formatUsd(request)),
      isNumeric: true,
      hideWhenNarrow: true,
    },
    { header: t`Set`, cell: ({ created_at }) => <RelativeTime date={created_at} />, hideWhenNarrow: true },
  ];
  return (
    <ListTable
      caption={t`Prices, in dollars for a million tokens, an image and a request`}
      columns={columns}
      items={prices}
      idOf={({ id }) => id}
    />
  );
}

function PriceState({ isFuture, isCurrent }: { isFuture: boolean; isCurrent: boolean }) {
  if (isFuture) return <StateBadge tier="loading">{t`to come`}</StateBadge>;
  return isCurrent ? (
    <StateBadge tier="good">{t`holds now`}</StateBadge>
  ) : (
    <StateBadge tier="offline">{t`past`}</StateBadge>
  );
}
