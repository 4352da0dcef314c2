import type { AdminUser, Query } from "@feather/sdk";
import { formatCount } from "@feather/sdk/format";
import type { Command } from "../../../command.ts";
import { isSet, optionalText } from "../../../flags.ts";
import type { Column } from "../../../output/table.ts";
import { formatAgo, formatRfc3339 } from "../../../output/time.ts";
import { type Paging, parsePaging, readPages } from "../../../paging.ts";
import { paintState, stateOf, USER_FIELDS } from "./user.ts";

type Filter = Query<"admin.users.list">;
/** Filters and paging of `admin users list`. */
export type UsersListOptions = Filter & { readonly paging: Paging };

const STATES = ["active", "unverified", "pending", "suspended"] as const satisfies readonly Filter["status"][];
const SORTS = [
  "-created_at",
  "created_at",
  "email",
  "-email",
  "-last_seen_at",
  "-requests_30d",
] as const satisfies readonly Filter["sort"][];

/** Lists all users. */
export const usersList: Command<UsersListOptions> = {
  name: "admin users list",
  summary: "List users",
  prints: "list",
  fields: USER_FIELDS,
  paged: true,
  needs: "admin",
  flags: [
    { name: "--search <text>", summary: "part of an e-mail, username or name" },
    { name: "--plan <id>", summary: "those on this plan", values: "plans" },
    { name: "--state <state>", summary: "those in this state", choices: STATES },
    { name: "--admins", summary: "admins only" },
    { name: "--sort <order>", summary: "order; a minus means falling (--sort=-email)", choices: SORTS },
  ],
  examples: ["feather admin users list --search maria", "feather admin users list --state suspended -q"],
  options: (_, flags) => {
    const { plan } = optionalText("plan", flags.plan);
    const status = STATES.find((one) => one === flags.state);
    const sort = SORTS.find((one) => one === flags.sort);
    return {
      ...optionalText("search", flags.search),
      ...(plan !== undefined && { plan_id: plan }),
      ...(status !== undefined && { status }),
      ...(sort !== undefined && { sort }),
      ...(isSet(flags, "admins") && { is_admin: true }),
      paging: parsePaging(flags),
    };
  },
  async run({ client, now, output, signal }, { paging, ...query }) {
    const { admin } = await client();
    const response = await readPages(paging, (page) => admin.users.list({ ...query, ...page }, { signal }));
    const tableColumns = columns(now());
    output.printList(
      { columns: tableColumns, id: ({ id }) => id, noun: "users", empty: "No user fits." },
      response.items,
      response,
    );
  },
};

function columns(now: Date): Column<AdminUser>[] {
  return [
    { header: "E-MAIL", cell: ({ email }) => email, paint: (text, style) => style.bold(text) },
    { header: "NAME", cell: ({ name }) => name, dropOrder: 4 },
    { header: "STATE", cell: stateOf, paint: paintState },
    { header: "ROLE", cell: ({ is_admin }) => (is_admin ? "admin" : ""), dropOrder: 2 },
    { header: "PLAN", cell: ({ plan_id }) => plan_id },
    {
      header: "REQUESTS",
      cell: ({ requests_30d }) => formatCount(requests_30d),
      plain: ({ requests_30d }) => String(requests_30d),
      align: "right",
      dropOrder: 3,
    },
    {
      header: "LAST SEEN",
      cell: ({ last_seen_at: seen }) => (seen === null ? "never" : formatAgo(seen, now)),
      plain: ({ last_seen_at }) => formatRfc3339(last_seen_at),
      dropOrder: 5,
    },
    { header: "ID", cell: ({ id }) => id, paint: (text, style) => style.dim(text), dropOrder: 1 },
  ];
}
