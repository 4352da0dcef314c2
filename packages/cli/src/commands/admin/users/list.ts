import type { Query } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import { given, isGiven } from "../../../flags.ts";
import { count } from "../../../output/format.ts";
import type { Column } from "../../../output/table.ts";
import { ago, rfc3339 } from "../../../output/time.ts";
import { type Paging, pagingOf, readPages } from "../../../paging.ts";
import { type AdminUser, paintState, stateOf, USER_FIELDS } from "./user.ts";

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
    const { plan } = given("plan", flags.plan);
    const status = STATES.find((one) => one === flags.state);
    const sort = SORTS.find((one) => one === flags.sort);
    return {
      ...given("search", flags.search),
      ...(plan !== undefined && { plan_id: plan }),
      ...(status !== undefined && { status }),
      ...(sort !== undefined && { sort }),
      ...(isGiven(flags, "admins") && { is_admin: true }),
      paging: pagingOf(flags),
    };
  },
  async run({ client, now, output, signal }, { paging, ...query }) {
    const { admin } = await client();
    const answer = await readPages(paging, (page) => admin.users.list({ ...query, ...page }, { signal }));
    const columnsNow = columns(now());
    output.list(
      { columns: columnsNow, id: ({ id }) => id, noun: "users", empty: "No user fits." },
      answer.items,
      answer,
    );
  },
};

function columns(now: Date): Column<AdminUser>[] {
  return [
    { header: "E-MAIL", cell: ({ email }) => email, paint: (text, style) => style.bold(text) },
    { header: "NAME", cell: ({ name }) => name, yields: 4 },
    { header: "STATE", cell: stateOf, paint: paintState },
    { header: "ROLE", cell: ({ is_admin }) => (is_admin ? "admin" : ""), yields: 2 },
    { header: "PLAN", cell: ({ plan_id }) => plan_id },
    {
      header: "REQUESTS",
      cell: ({ requests_30d }) => count(requests_30d),
      plain: ({ requests_30d }) => String(requests_30d),
      align: "right",
      yields: 3,
    },
    {
      header: "LAST SEEN",
      cell: ({ last_seen_at: seen }) => (seen === null ? "never" : ago(seen, now)),
      plain: ({ last_seen_at }) => rfc3339(last_seen_at),
      yields: 5,
    },
    { header: "ID", cell: ({ id }) => id, paint: (text, style) => style.dim(text), yields: 1 },
  ];
}
