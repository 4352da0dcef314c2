import type { Logger } from "pino";
import type { Clock } from "../core/clock.ts";
import type { Database } from "../core/db/connect.ts";
import type { Ids } from "../core/ids.ts";
import { createAuditRepository } from "./audit.repository.ts";
import { createAuditRoutes } from "./audit.routes.ts";
import { createAudit } from "./audit.ts";
import { createDenialLog } from "./denial-log.ts";
import { createReadLog } from "./read-log.ts";

type Ports = { db: Database; clock: Clock; ids: Ids; log: Pick<Logger, "error"> };

/** Creates the audit log: changes, reads by admins, and refused calls. */
export function createAuditModule({ db, clock, ids, log }: Ports) {
  const { record } = createAudit(db, clock, ids);
  const denialLog = createDenialLog({ record }, clock, (error) =>
    log.error({ err: error }, "a refused call was not recorded"),
  );
  return {
    routes: createAuditRoutes({ auditRepository: createAuditRepository(db) }),
    jobs: [denialLog.job],
    api: { record, denialLog, readLog: createReadLog({ record }, clock) },
  };
}
export { createAudit } from "./audit.ts";
export { type ExpectedRow, verifyAudit } from "./audit-verification.ts";
export type { ReadLog } from "./read-log.ts";
