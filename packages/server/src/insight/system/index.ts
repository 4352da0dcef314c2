import type { Identity } from "../../accounts/identity/index.ts";
import type { ReadLog } from "../../platform/audit/index.ts";
import type { Audit } from "../../platform/core/audit.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { StorageHealth } from "../../platform/core/db/storage-health.ts";
import type { ResponseOf } from "../../platform/core/http/handlers.ts";
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
  /** Returns the settings of this server, without secrets. */
  describeSettings(): ResponseOf<"admin.settings">;
  /** Returns the latest comparison of payments with the payment service; null without one. */
  readPaymentsCheck(): Promise<ResponseOf<"admin.settings">["payments_check"] | null>;
  /** Whether messages are sent by mail; otherwise they stay in the outbox. */
  deliversMail: boolean;
  identity: Pick<Identity, "usersRepository" | "reauthenticate">;
  audit: Audit;
  readLog: ReadLog;
  limits: RateLimiter;
};

/** Creates health checks, the public configuration, the settings page and the outbox of admins. */
export function createSystemModule({ identity, describeSettings, readPaymentsCheck, ...ports }: Ports) {
  return {
    routes: {
      ...systemRoutes(ports),
      ...outboxRoutes({ ...ports, ...identity }),
      "admin.settings": async () => ({ ...describeSettings(), payments_check: (await readPaymentsCheck()) ?? null }),
    },
    jobs: [],
    api: {},
  };
}
