import type { Deployment } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import type { Column } from "../../../output/table.ts";
import { formatAgo, formatRfc3339 } from "../../../output/time.ts";
import { type Paging, parsePaging, readPages } from "../../../paging.ts";

const FIELDS = [
  "id",
  "organization_id",
  "name",
  "provider_id",
  "region",
  "instance_type",
  "model_id",
  "revision",
  "min_replicas",
  "max_replicas",
  "visibility",
  "state",
  "state_reason",
  "ready_replicas",
  "desired_replicas",
  "url",
  "created_by",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof Deployment)[];

/** Lists the deployments of all organizations. */
export const adminDeploymentsList: Command<Paging> = {
  name: "admin deployments list",
  summary: "List the deployments of all organizations",
  prints: "list",
  fields: FIELDS,
  paged: true,
  needs: "admin",
  examples: ["feather admin deployments list", "feather admin deployments list --json id,state,organization_id"],
  options: (_, flags) => parsePaging(flags),
  async run({ client, now, output, signal }, paging) {
    const { admin } = await client();
    const response = await readPages(paging, (page) => admin.deployments.list(page, { signal }));
    const empty = "Nobody has a deployment.";
    output.printList(
      { columns: columns(now()), id: ({ id }) => id, noun: "deployments", empty },
      response.items,
      response,
    );
  },
};

function columns(now: Date): Column<Deployment>[] {
  return [
    { header: "NAME", cell: ({ name }) => name, paint: (text, style) => style.bold(text) },
    { header: "MODEL", cell: ({ model_id }) => model_id, dropOrder: 2 },
    {
      header: "STATE",
      cell: ({ state }) => state.replaceAll("_", " "),
      plain: ({ state }) => state,
      paint: (text, style, { state }) =>
        state === "running" ? style.green(text) : state === "failed" ? style.red(text) : text,
    },
    {
      header: "REPLICAS",
      cell: ({ ready_replicas, desired_replicas }) => `${ready_replicas} of ${desired_replicas}`,
      plain: ({ ready_replicas, desired_replicas }) => `${ready_replicas}/${desired_replicas}`,
    },
    { header: "ORGANIZATION", cell: ({ organization_id }) => organization_id, dropOrder: 1 },
    {
      header: "CHANGED",
      cell: ({ updated_at }) => formatAgo(updated_at, now),
      plain: ({ updated_at }) => formatRfc3339(updated_at),
      dropOrder: 3,
    },
    { header: "ID", cell: ({ id }) => id, paint: (text, style) => style.dim(text) },
  ];
}
