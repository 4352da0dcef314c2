import type { components } from "@feather/openapi/schema";
import type { Selectable } from "kysely";
import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Incidents } from "../../platform/core/db/schema.generated.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import type { Ids } from "../../platform/core/ids.ts";
import { DAY_MS } from "../../platform/core/time.ts";

type Incident = components["schemas"]["Incident"];
type Deps = { db: Database; clock: Clock; ids: Ids; audit: Audit };

/** How long a resolved incident is listed, in milliseconds. */
const RESOLVED_VISIBLE_MS = 90 * DAY_MS;
const MAX_INCIDENTS = 200;

/** Handlers of incidents on the status page. */
export function incidentRoutes({ db, clock, ids, audit }: Deps): Handlers {
  return {
    "status.incidents": async () => {
      const since = new Date(clock.now().getTime() - RESOLVED_VISIBLE_MS);
      const rows = await db
        .selectFrom("incidents")
        .selectAll()
        .where((eb) => eb.or([eb("resolved_at", "is", null), eb("resolved_at", ">", since)]))
        .orderBy("started_at", "desc")
        .orderBy("id")
        .limit(MAX_INCIDENTS)
        .execute();
      return { items: rows.map(toIncidentDto) };
    },

    "admin.incidents.create": async ({ actor, body }) => {
      const now = clock.now();
      const row = await db
        .insertInto("incidents")
        .values({
          id: ids.next("inc"),
          ...body,
          started_at: now,
          updated_at: now,
          resolved_at: body.state === "resolved" ? now : null,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await audit.record({ actor: actor, action: "incidents.create", target: row.id });
      return toIncidentDto(row);
    },

    "admin.incidents.update": async ({ actor, path, body }) => {
      const now = clock.now();
      const row = await db
        .updateTable("incidents")
        .set((eb) => ({
          ...body,
          updated_at: now,
          ...(body.state === "resolved" && { resolved_at: eb.fn.coalesce("resolved_at", eb.val(now)) }),
          ...(body.state !== undefined && body.state !== "resolved" && { resolved_at: null }),
        }))
        .where("id", "=", path.id)
        .returningAll()
        .executeTakeFirst();
      if (!row) throw errors.incidents.notFound();
      await audit.record({ actor: actor, action: "incidents.update", target: row.id });
      return toIncidentDto(row);
    },

    "admin.incidents.delete": async ({ actor, path }) => {
      const deleted = await db.deleteFrom("incidents").where("id", "=", path.id).returning("id").executeTakeFirst();
      if (!deleted) throw errors.incidents.notFound();
      await audit.record({ actor: actor, action: "incidents.delete", target: deleted.id });
      return undefined;
    },
  };
}

function toIncidentDto(row: Selectable<Incidents>): Incident {
  return {
    id: row.id,
    title: row.title,
    body: row.body,
    state: row.state as Incident["state"],
    started_at: row.started_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    resolved_at: row.resolved_at?.toISOString() ?? null,
  };
}
