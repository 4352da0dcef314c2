import { type Insertable, type Selectable, sql } from "kysely";
import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { ToolServers } from "../../platform/core/db/schema.generated.ts";

/** A server of tools. Its secret is encrypted. */
export type ToolServerRow = Selectable<ToolServers>;
/** A server of tools with the name of the user who set it. */
export type ToolServerDetails = ToolServerRow & { created_by_name: string | null };
/** Whose a server of tools is: the id of an organization, or null for one that is for everybody. */
export type Whose = string | null;

/** Stores servers of tools, whose names are unique in an organization, and among those for everybody. */
export function createToolServersRepository(db: Database) {
  return {
    ...bind(db, { list: listServers, find: findServer, listUsable: listUsableServers }),
    set: setServer,
    delete: deleteServer,
  };
}

export type ToolServersRepository = ReturnType<typeof createToolServersRepository>;

function listServers(db: Database, whose: Whose): Promise<ToolServerDetails[]> {
  return db
    .selectFrom("tool_servers")
    .leftJoin("users", "users.id", "tool_servers.created_by")
    .selectAll("tool_servers")
    .select("users.name as created_by_name")
    .where("tool_servers.organization_id", "is not distinct from", whose)
    .orderBy("tool_servers.name")
    .execute();
}

function findServer(db: Database, whose: Whose, name: string): Promise<ToolServerRow | undefined> {
  return db
    .selectFrom("tool_servers")
    .selectAll()
    .where("organization_id", "is not distinct from", whose)
    .where("name", "=", name)
    .executeTakeFirst();
}

/** Lists the enabled servers that an organization can use, by name. Its own replace those for everybody of the same name. */
async function listUsableServers(db: Database, organizationId: string): Promise<ToolServerRow[]> {
  const rows = await db
    .selectFrom("tool_servers")
    .selectAll()
    .distinctOn("name")
    .where((eb) => eb.or([eb("organization_id", "=", organizationId), eb("organization_id", "is", null)]))
    .orderBy("name")
    .orderBy(sql`organization_id nulls last`)
    .execute();
  return rows.filter(({ is_enabled }) => is_enabled);
}

/**
 * Stores a server in place of the one of its name, with another id, by which what it answered before is forgotten. Returns false
 * if it would be one more than `max`, counted under a lock of the organization; those for everybody are counted without one.
 */
async function setServer(row: Insertable<ToolServers>, max: number, trx: Database): Promise<boolean> {
  const whose = row.organization_id ?? null;
  if (whose !== null)
    await trx.selectFrom("organizations").select("id").where("id", "=", whose).forNoKeyUpdate().execute();
  const { count } = await trx
    .selectFrom("tool_servers")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("organization_id", "is not distinct from", whose)
    .where("name", "<>", row.name)
    .executeTakeFirstOrThrow();
  if (Number(count) >= max) return false;
  await trx
    .insertInto("tool_servers")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["organization_id", "name"]).doUpdateSet((eb) => ({
        id: eb.ref("excluded.id"),
        url: eb.ref("excluded.url"),
        header_name: eb.ref("excluded.header_name"),
        sealed_secret: eb.ref("excluded.sealed_secret"),
        allowed_tools: eb.ref("excluded.allowed_tools"),
        is_enabled: eb.ref("excluded.is_enabled"),
        created_by: eb.ref("excluded.created_by"),
        updated_at: eb.ref("excluded.updated_at"),
      })),
    )
    .execute();
  return true;
}

/** Returns whether there was such a server. */
async function deleteServer(whose: Whose, name: string, trx: Database): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom("tool_servers")
    .where("organization_id", "is not distinct from", whose)
    .where("name", "=", name)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
