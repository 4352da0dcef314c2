import type { Plan } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import type { Column } from "../../../output/table.ts";
import { PLAN_FIELDS } from "../../subscription/plan.ts";
import { PLAN_COLUMNS } from "../../subscription/plans.ts";

/** Lists all plans, also those that are not on sale. */
export const plansList: Command<undefined> = {
  name: "admin plans list",
  summary: "List all plans, also those that are not on sale",
  prints: "list",
  fields: PLAN_FIELDS,
  needs: "admin",
  examples: ["feather admin plans list", "feather admin plans list --json id,is_public"],
  options: () => undefined,
  async run({ client, output, signal }) {
    const response = await (await client()).admin.plans.list({ signal });
    const view = { columns: COLUMNS, id: ({ id }: Plan) => id, noun: "plans", empty: "There are no plans." };
    output.printList(view, response.items, response);
  },
};

const COLUMNS: readonly Column<Plan>[] = [
  ...PLAN_COLUMNS,
  { header: "ON SALE", cell: ({ is_public }) => (is_public ? "yes" : "no"), dropOrder: 3 },
];
