import type { Database } from "../../db/connect.ts";
import type { Page } from "../../http/pages.ts";
import type { AuditRow } from "./audit.ts";

const DAY = 86_400_000;

export type AuditFilter = {
  action?: string;
  /** Who did it, or as whom it was done. */
  actor_id?: string;
  organization_id?: string;
  target?: string;
  from_date?: string;
  /** The last day, which counts whole. */
  to_date?: string;
  impersonated?: boolean;
};

export type AuditRepository = {
  list(filter: AuditFilter, page: Page): Promise<{ rows: AuditRow[]; total: number }>;
};

export function createAuditRepository(db: Database): AuditRepository {
  const matching = (filter: AuditFilter) => {
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
      .$if(to_date !== undefined, (query) => query.where("at", "<", new Date(Date.parse(to_date ?? "") + DAY)))
      .$if(impersonated !== undefined, (query) =>
        query.where("impersonator_user_id", impersonated ? "is not" : "is", null),
      );
  };

  return {
    async list(filter, { limit, offset }) {
      const [rows, { total }] = await Promise.all([
        matching(filter).selectAll().orderBy("sequence", "desc").limit(limit).offset(offset).execute(),
        matching(filter)
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
