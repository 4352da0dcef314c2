import type { Routing } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import { UsageError } from "../../../errors.ts";

const ORDERS = [
  "balanced",
  "own_first",
  "price",
  "latency",
  "throughput",
] as const satisfies readonly Routing["order"][];

/** What each order tries first. */
const MEANINGS: Readonly<Record<Routing["order"], string>> = {
  balanced: "the backend with the least to do until it answers",
  own_first: "this server and its private networks",
  price: "the backend that charges the least",
  latency: "the backend that begins to answer soonest",
  throughput: "the backend that generates the most tokens a second",
};

/** Shows in which order the backends of a model are tried, or sets it. */
export const routesOrder: Command<{ readonly order: Routing["order"] | null }> = {
  name: "admin routes order",
  summary: "Show or set in which order the backends of a model are tried",
  description: "A caller's own order goes before it. Backends that compare equal share calls by their weights.",
  arguments: [{ name: "[order]", summary: ORDERS.join(", ") }],
  prints: "one",
  fields: ["order"] as const satisfies readonly (keyof Routing)[],
  needs: "admin",
  examples: ["feather admin routes order", "feather admin routes order own_first"],
  options: ([given = ""]) => ({ order: parseOrder(given) }),
  async run({ client, output, signal }, { order }) {
    const { admin } = await client();
    const rules =
      order === null ? await admin.routing.get({ signal }) : await admin.routing.update({ order }, { signal });
    const message = `First is tried ${MEANINGS[rules.order]}.`;
    output.printChange({ value: rules, id: rules.order, message });
  },
};

function parseOrder(given: string): Routing["order"] | null {
  if (given === "") return null;
  const order = ORDERS.find((name) => name === given);
  if (order === undefined) throw new UsageError(`${given} is no order`, ORDERS.join(", "));
  return order;
}
