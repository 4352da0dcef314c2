import { Readable } from "node:stream";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import { exportMonth } from "./accounting-export.ts";
import type { Month } from "./accounting-rows.ts";

/** The route with which admins export a month for accounting. */
export function accountingRoutes({ db }: { db: Database }): Handlers {
  return {
    "admin.accounting.export": async ({ query, reply }) => {
      const { kind, month } = query;
      return reply
        .type("text/csv; charset=utf-8")
        .headers({ "content-disposition": `attachment; filename="${kind}-${month}.csv"`, "cache-control": "no-store" })
        .send(Readable.from(exportMonth(db, kind, toMonth(month))));
    },
  };
}

/** Converts a month such as `2026-11`. */
function toMonth(text: string): Month {
  const [year = 0, month = 1] = text.split("-").map(Number);
  return { start: new Date(Date.UTC(year, month - 1)), end: new Date(Date.UTC(year, month)) };
}
