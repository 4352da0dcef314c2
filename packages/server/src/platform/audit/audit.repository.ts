import { sql } from "kysely";
import type { Database } from "../core/db/connect.ts";
import type { Page } from "../core/http/pagination.ts";
import { DAY_MS } from "../core/time.ts";
import type { AuditRow } from "./audit.ts";

/** Conditions of a search in the audit log; all of them must hold. */
export type AuditFilter = {
  action?: string;
  /** The user who acted, or the user as whom an admin acted. */
  actor_id?: string;
  organization_id?: string;
  target?: string;
  from_date?: string;
  /** Last day, inclusive. */
  to_date?: string;
  impersonated?: boolean;
};

/** A row with the names of its users, organization and target; null for those that were deleted. */
export type NamedAuditRow = AuditRow & {
  user_name: string | null;
  user_email: string | null;
  impersonator_name: string | null;
  impersonator_email: string | null;
  organization_name: string | null;
  target_name: string | null;
};

/** Reads the audit log, newest row first. */
export type AuditRepository = {
  list(filter: AuditFilter, page: Page): Promise<{ rows: NamedAuditRow[]; total: number }>;
};

/** The name of the resource whose id is the target. Null for kinds without a name and for deleted resources. */
const targetNameSql = sql<string | null>`case split_part(page.target, '_', 1)
  when 'usr' then (select name from users where id = page.target)
  when 'org' then (select name from organizations where id = page.target)
  when 'key' then (select name from api_keys where id = page.target)
  when 'app' then (select name from applications where id = page.target)
  when 'dep' then (select name from deployments where id = page.target)
  when 'bck' then (select name from backends where id = page.target)
  when 'inc' then (select title from incidents where id = page.target)
  when 'invite' then (select email from invitations where id = page.target)
  when 'inv' then (select number from invoices where id = page.target)
  when 'pm' then (select initcap(brand) || ' ' || last4 from payment_methods where id = page.target)
  when 'rev' then (select model_id from reviews where id = page.target)
  when 'rule' then (select path_glob from route_rules where id = page.target)
  when 'sub' then (select plans.name from subscriptions join plans on plans.id = plan_id where subscriptions.id = page.target)
end`;

/** Creates the repository that searches the audit log. */
export function createAuditRepository(db: Database): AuditRepository {
  const filteredRows = (filter: AuditFilter) => {
    const { action, actor_id, organization_id, target, from_date, to_date, impersonated } = filter;
    return db
      .selectFrom("audit_log")
      .$if(action !== undefined, (query) =>
        query.where((eb) =>
          eb.or([eb("action", "=", action ?? ""), eb("action", "like", `${escapeLike(action ?? "")}.%`)]),
        ),
      )
      .$if(actor_id !== undefined, (query) =>
        query.where((eb) =>
          eb.or([eb("actor_user_id", "=", actor_id ?? ""), eb("impersonator_user_id", "=", actor_id ?? "")]),
        ),
      )
      .$if(organization_id !== undefined, (query) => query.where("organization_id", "=", organization_id ?? ""))
      .$if(target !== undefined, (query) => query.where("target", "=", target ?? ""))
      .$if(from_date !== undefined, (query) => query.where("at", ">=", new Date(from_date ?? "")))
      .$if(to_date !== undefined, (query) => query.where("at", "<", new Date(Date.parse(to_date ?? "") + DAY_MS)))
      .$if(impersonated !== undefined, (query) =>
        query.where("impersonator_user_id", impersonated ? "is not" : "is", null),
      );
  };

  return {
    async list(filter, { limit, offset }) {
      const [rows, { total }] = await Promise.all([
        db
          .selectFrom(
            filteredRows(filter).selectAll().orderBy("sequence", "desc").limit(limit).offset(offset).as("page"),
          )
          .leftJoin("users as user", "user.id", "page.actor_user_id")
          .leftJoin("users as impersonator", "impersonator.id", "page.impersonator_user_id")
          .leftJoin("organizations", "organizations.id", "page.organization_id")
          .selectAll("page")
          .select([
            "user.name as user_name",
            "user.email as user_email",
            "impersonator.name as impersonator_name",
            "impersonator.email as impersonator_email",
            "organizations.name as organization_name",
            targetNameSql.as("target_name"),
          ])
          .orderBy("page.sequence", "desc")
          .execute(),
        filteredRows(filter)
          .select((eb) => eb.fn.countAll<number>().as("total"))
          .executeTakeFirstOrThrow(),
      ]);
      return { rows, total };
    },
  };
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, "\\$&");
}
