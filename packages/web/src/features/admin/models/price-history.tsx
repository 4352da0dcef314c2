import type { Schemas } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { State } from "#/components/ui/bits.tsx";
import { Moment } from "../cells.tsx";
import { type Column, ListTable } from "../list/list-table.tsx";
import { perMillion, priceWords } from "./price-math.ts";

type Price = Schemas["Price"];

/** Returns the price that applies now: the latest one in effect. `prices` starts with the newest. */
export function currentOf(prices: readonly Price[], now: Date): Price | undefined {
  return prices.find(({ effective_at }) => effective_at <= now);
}

/** Past, current and future prices. Prices are never changed. */
export function PriceHistory({ prices, now }: { prices: readonly Price[] | undefined; now: Date }) {
  const current = currentOf(prices ?? [], now);
  const columns: Column<Price>[] = [
    {
      head: t`From`,
      cell: (price) => (
        <>
          <time className="num whitespace-nowrap" dateTime={price.effective_at.toISOString()}>
            {price.effective_at.toISOString().slice(0, 16).replace("T", " ")}
          </time>
          <div className="small">
            <PriceState begins={price.effective_at > now} holds={price === current} />
          </div>
        </>
      ),
    },
    { head: t`Input`, cell: ({ prompt }) => priceWords(perMillion(prompt)), figure: true },
    { head: t`Output`, cell: ({ completion }) => priceWords(perMillion(completion)), figure: true },
    { head: t`Image`, cell: ({ image }) => (Number(image) === 0 ? "–" : priceWords(image)), figure: true, wide: true },
    {
      head: t`Request`,
      cell: ({ request }) => (Number(request) === 0 ? "–" : priceWords(request)),
      figure: true,
      wide: true,
    },
    { head: t`Set`, cell: ({ created_at }) => <Moment date={created_at} />, wide: true },
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

function PriceState({ begins, holds }: { begins: boolean; holds: boolean }) {
  if (begins) return <State tier="loading">{t`to come`}</State>;
  return holds ? <State tier="good">{t`holds now`}</State> : <State tier="offline">{t`past`}</State>;
}
