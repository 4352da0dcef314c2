import type { AdminModel, Query } from "@feather/sdk";
import { formatCount, formatParameters } from "@feather/sdk/format";
import type { Command } from "../../../command.ts";
import { optionalText } from "../../../flags.ts";
import type { Column } from "../../../output/table.ts";
import { type Paging, parsePaging, readPages } from "../../../paging.ts";
import { paintId } from "../../../views/model.ts";
import { ADMIN_MODEL_FIELDS } from "./model.ts";

type Filter = Query<"admin.models.list">;
/** Filters and paging of `admin models list`. */
export type AdminModelsListOptions = Filter & { readonly paging: Paging };

const STATES = ["active", "pending_deploy", "not_deployed"] as const satisfies readonly Filter["status"][];

/** Lists all models, including those hidden from users. */
export const adminModelsList: Command<AdminModelsListOptions> = {
  name: "admin models list",
  summary: "List all models, with those that users do not see",
  prints: "list",
  fields: ADMIN_MODEL_FIELDS,
  paged: true,
  needs: "admin",
  flags: [
    { name: "--search <words>", summary: "words, owner or size" },
    { name: "--state <state>", summary: "those in this state", choices: STATES },
  ],
  examples: ["feather admin models list --state pending_deploy", "feather admin models list --json id,disabled"],
  options: (_, flags) => {
    const status = STATES.find((one) => one === flags.state);
    return { ...optionalText("search", flags.search), ...(status && { status }), paging: parsePaging(flags) };
  },
  async run({ client, output, signal }, { paging, ...query }) {
    const { admin } = await client();
    const response = await readPages(paging, (page) => admin.models.list({ ...query, ...page }, { signal }));
    output.printList(
      { columns: COLUMNS, id: ({ id }) => id, noun: "models", empty: "No model fits." },
      response.items,
      response,
    );
  },
};

const COLUMNS: readonly Column<AdminModel>[] = [
  { header: "MODEL", cell: ({ id }) => id, paint: paintId },
  {
    header: "SIZE",
    cell: ({ parameter_size }) => (parameter_size === null ? "" : formatParameters(parameter_size)),
    plain: ({ parameter_size }) => String(parameter_size ?? ""),
    align: "right",
    dropOrder: 1,
  },
  { header: "CLASS", cell: ({ model_class }) => model_class, dropOrder: 2 },
  { header: "STATE", cell: ({ status }) => status.replaceAll("_", " "), plain: ({ status }) => status },
  { header: "ON", cell: ({ disabled }) => (disabled ? "no" : "yes") },
  {
    header: "REQUESTS",
    cell: ({ request_count }) => formatCount(request_count),
    plain: ({ request_count }) => String(request_count),
    align: "right",
    dropOrder: 3,
  },
];
