import type { Schemas } from "@feather/sdk";
import { State } from "#/components/ui/bits.tsx";
import { Moment } from "../cells.tsx";
import { type Column, ListTable } from "../list/list-table.tsx";
import { perMillion } from "./price-math.ts";

type Price = Schemas["Price"];

/** The price that holds at a moment: the latest that has begun. Prices come the latest first. */
export function currentOf(prices: readonly Price[], now: Date): Price | undefined {
  return prices.find(({ effective_at }) => effective_at <= now);
}

/** Every price there was, is and will be. None of them is ever changed. */
export function PriceHistory({ prices, now }: { prices: readonly Price[] | undefined; now: Date }) {
  const current = currentOf(prices ?? [], now);
  const columns: Column<Price>[] = [
    {
      head: "From",
      cell: ({ effective_at }) => (
        <time className="num whitespace-nowrap" dateTime={effective_at.toISOString()}>
          {effective_at.toISOString().slice(0, 16).replace("T", " ")}
        </time>
      ),
    },
    { head: "Input, a million", cell: ({ prompt }) => `$${perMillion(prompt)}`, figure: true },
    { head: "Output, a million", cell: ({ completion }) => `$${perMillion(completion)}`, figure: true },
    { head: "Image", cell: ({ image }) => (Number(image) === 0 ? "–" : `$${image}`), figure: true, wide: true },
    { head: "Request", cell: ({ request }) => (Number(request) === 0 ? "–" : `$${request}`), figure: true, wide: true },
    { head: "Set", cell: ({ created_at }) => <Moment date={created_at} />, wide: true },
    {
      head: "State",
      cell: (price) => (
        <span className="small">
          {price.effective_at > now ? (
            <State tier="loading">to come</State>
          ) : price === current ? (
            <State tier="good">holds now</State>
          ) : (
            <State tier="offline">past</State>
          )}
        </span>
      ),
    },
  ];
  return <ListTable caption="Prices" columns={columns} items={prices} idOf={({ id }) => id} />;
}
