import type { Routing } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { ChoiceList } from "#/components/ui/controls/choice-list.tsx";
import { Loaded } from "#/components/ui/loading/loaded.tsx";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { routingQuery } from "./queries.ts";

type Order = Routing["order"];

const ORDERS: readonly { value: Order; name: string; hint: string }[] = [
  {
    value: "balanced",
    name: t`Balanced`,
    hint: t`First the backend with the least to do until it answers, by its cache, its calls and its weight.`,
  },
  {
    value: "own_first",
    name: t`Own first`,
    hint: t`This server and its private networks before providers and other public addresses.`,
  },
  {
    value: "price",
    name: t`Price`,
    hint: t`The backend that charges the least first. This server charges nothing; unknown prices come last.`,
  },
  {
    value: "latency",
    name: t`Latency`,
    hint: t`The backend first that begins to answer soonest, by the streams of the last ten minutes.`,
  },
  {
    value: "throughput",
    name: t`Throughput`,
    hint: t`The backend first that writes the most tokens a second, by the same streams.`,
  },
];
const labelOf = (order: Order): string => ORDERS.find(({ value }) => value === order)?.name ?? order;

/** Chooses in which order the backends of a model are tried. A choice holds at once, and can be taken back. */
export function OrderSection() {
  const routing = useQuery(routingQuery);
  const saving = useAction(({ order }: { order: Order; before: Order }) => feather.admin.routing.update({ order }), {
    success: (_, { order }) => t`Order of backends: ${labelOf(order)}`,
    undo:
      (run, { order, before }) =>
      () =>
        run({ order: before, before: order }),
    optimistic: (client, { order, before }) => {
      const show = (shown: Order) =>
        void client.setQueryData(routingQuery.queryKey, (rules) => rules && { ...rules, order: shown });
      show(order);
      return () => show(before);
    },
    invalidates: ADMIN_QUERY_KEYS,
  });
  return (
    <section className="mt-8">
      <h2 className="h4">{t`Order of backends`}</h2>
      <p className="small muted mt-2 measure">
        {t`Where several backends run a model, they are tried in this order. What a call asks for in its field “provider” goes before it. Backends that compare equal share the calls by their weights.`}
      </p>
      <Loaded subject={t`the order of backends`} query={routing}>
        {({ order: chosen }) => (
          <ChoiceList legend={t`Order of backends`} isLarge>
            {ORDERS.map(({ value, name, hint }) => (
              <label key={value}>
                <input
                  type="radio"
                  name="order"
                  value={value}
                  checked={chosen === value}
                  disabled={saving.busy}
                  onChange={() => void saving.run({ order: value, before: chosen })}
                />
                <span>
                  <strong>{name}</strong>
                  <span className="muted small">{hint}</span>
                </span>
              </label>
            ))}
          </ChoiceList>
        )}
      </Loaded>
    </section>
  );
}
