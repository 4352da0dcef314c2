import type { Database } from "../../platform/core/db/connect.ts";
import { accountingRoutes } from "./accounting.routes.ts";

/** Creates the exports of invoices, payments and entries for accounting. */
export function createAccountingModule({ db }: { db: Database }) {
  return { routes: accountingRoutes({ db }), jobs: [], api: {} };
}
