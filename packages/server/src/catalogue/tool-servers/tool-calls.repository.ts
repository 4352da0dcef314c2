import type { Insertable, Selectable } from "kysely";
import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { ToolCalls } from "../../platform/core/db/schema.generated.ts";
import type { Page } from "../../platform/core/http/pagination.ts";

/** That a tool was called, without arguments and answer. */
export type ToolCallRow = Selectable<ToolCalls>;

/** Stores which tools were called. */
export function createToolCallsRepository(db: Database) {
  return bind(db, { add: addCall, list: listCalls, deleteBefore });
}

export type ToolCallsRepository = ReturnType<typeof createToolCallsRepository>;

async function addCall(db: Database, row: Insertable<ToolCalls>): Promise<void> {
  await db.insertInto("tool_calls").values(row).execute();
}

async function listCalls(
  db: Database,
  organizationId: string,
  { limit, offset }: Page,
): Promise<{ calls: ToolCallRow[]; total: number }> {
  const ofOrganization = db.selectFrom("tool_calls").where("organization_id", "=", organizationId);
  const [calls, { count }] = await Promise.all([
    ofOrganization
      .selectAll()
      .orderBy("started_at", "desc")
      .orderBy("id", "desc")
      .limit(limit)
      .offset(offset)
      .execute(),
    ofOrganization.select(({ fn }) => fn.countAll<string>().as("count")).executeTakeFirstOrThrow(),
  ]);
  return { calls, total: Number(count) };
}

async function deleteBefore(db: Database, before: Date): Promise<void> {
  await db.deleteFrom("tool_calls").where("started_at", "<", before).execute();
}
