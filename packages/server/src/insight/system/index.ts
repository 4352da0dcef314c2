import type { Identity } from "../../accounts/identity/index.ts";
import type { ReadLog } from "../../platform/audit/index.ts";
import type { Audit } from "../../platform/core/audit.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { StorageHealth } from "../../platform/core/db/storage-health.ts";
import type { RateLimiter } from "../../platform/core/http/rate-limits.ts";
import { outboxRoutes } from "./outbox.routes.ts";
import { type PublicConfig, systemRoutes } from "./system.routes.ts";

type Ports = {
  db: Database;
  /** The OpenAPI document. */
  document: object;
  config: PublicConfig;
  storageHealth: StorageHealth;
  /** Whether the server is starting or stopping; it is not ready then. */
  lifecycle: { readonly starting: boolean; readonly draining: boolean };
  /** Whether messages are sent by mail; otherwise they stay in the outbox. */
  deliversMail: boolean;
  identity: Pick<Identity, "usersRepository" | "reauthenticate">;
  audit: Audit;
  readLog: ReadLog;
  limits: RateLimiter;
};

/** Creates health checks, the public configuration and the outbox of admins. */
export function createSystemModule({ identity, ...ports }: Ports) {
  return {
    routes: {
      ...systemRoutes(ports),
      ...outboxRoutes({ ...ports, ...identity }),
    },
    jobs: [],
    api: {},
  };
}
