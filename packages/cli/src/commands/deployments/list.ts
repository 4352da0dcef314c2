import type { Deployment } from "@feather/sdk";
import type { Command } from "../../command.ts";
import type { Column } from "../../output/table.ts";
import { type Paging, parsePaging, readPages } from "../../paging.ts";
import { formatReplicas, formatState, paintState } from "../../views/deployment.ts";
import { DEPLOYMENT_FIELDS } from "./deployment.ts";

/** Lists the deployments of the organization. */
export const deploymentsList: Command<Paging> = {
  name: "deployments list",
  summary: "List deployments",
  prints: "list",
  fields: DEPLOYMENT_FIELDS,
  paged: true,
  needs: "sign-in",
  examples: ["feather deployments list", "feather deployments list --json name,state,url"],
  options: (_, flags) => parsePaging(flags),
  async run({ output, client, signal }, paging) {
    const { deployments } = await client();
    const response = await readPages(paging, (page) => deployments.list(page, { signal }));
    const empty = "There are no deployments yet. Make one: feather deployments create --help";
    output.printList({ columns: COLUMNS, id: ({ id }) => id, noun: "deployments", empty }, response.items, response);
  },
};

const COLUMNS: readonly Column<Deployment>[] = [
  { header: "NAME", cell: ({ name }) => name, paint: (text, style) => style.bold(text) },
  { header: "STATE", cell: formatState, plain: ({ state }) => state, paint: paintState },
  { header: "MODEL", cell: ({ model_id }) => model_id, dropOrder: 1 },
  { header: "REPLICAS", cell: formatReplicas, align: "right", dropOrder: 3 },
  { header: "WHERE", cell: (one) => `${one.provider_id}, ${one.instance_type}`, dropOrder: 2 },
  { header: "ID", cell: ({ id }) => id, paint: (text, style) => style.dim(text), dropOrder: 4 },
];
