import type { Selectable } from "kysely";
import type { Database } from "../../db/connect.ts";
import type { Outbox } from "../../db/schema.generated.ts";
import type { Handlers } from "../../http/bind.ts";
import { pageOf, pagination } from "../../http/pages.ts";

type State = "waiting" | "sent" | "failed";

export function outboxRoutes({ db }: { db: Database }): Handlers {
  const chosen = (state: State | undefined, search: string | undefined) => {
    let query = db.selectFrom("outbox");
    if (state === "sent") query = query.where("sent_at", "is not", null);
    if (state === "failed") query = query.where("failed_at", "is not", null);
    if (state === "waiting") query = query.where("sent_at", "is", null).where("failed_at", "is", null);
    if (!search) return query;
    const part = `%${search.replaceAll(/[\\%_]/g, "\\$&")}%`;
    return query.where((eb) => eb.or([eb("recipient", "ilike", part), eb("subject", "ilike", part)]));
  };

  return {
    "admin.outbox": async ({ query }) => {
      const page = pageOf(query);
      const rows = chosen(query.state, query.search);
      const [items, total] = await Promise.all([
        rows.selectAll().orderBy("created_at", "desc").orderBy("id").limit(page.limit).offset(page.offset).execute(),
        rows.select((eb) => eb.fn.countAll<number>().as("count")).executeTakeFirstOrThrow(),
      ]);
      return { items: items.map(present), pagination: pagination(page, Number(total.count)) };
    },
  };
}

function present(row: Selectable<Outbox>) {
  return {
    id: row.id,
    kind: row.kind,
    to: row.recipient,
    subject: row.subject,
    text: row.body,
    state: stateOf(row),
    attempts: row.attempts,
    last_error: row.last_error,
    created_at: row.created_at.toISOString(),
    sent_at: row.sent_at?.toISOString() ?? null,
  };
}

function stateOf({ sent_at, failed_at }: Selectable<Outbox>): State {
  if (sent_at) return "sent";
  return failed_at ? "failed" : "waiting";
}
