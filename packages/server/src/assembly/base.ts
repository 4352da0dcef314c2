import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import { isExposed } from "../config/exposure.ts";
import { publicUrlOf } from "../config/public-url.ts";
import type { Settings } from "../config/settings.ts";
import { type Clock, systemClock } from "../core/clock.ts";
import type { Database } from "../core/db/connect.ts";
import { createStorageHealth } from "../core/db/storage-health.ts";
import { type Ids, randomIds } from "../core/ids.ts";
import { createOutgoing } from "../core/outgoing.ts";
import { createEngineStarter, type StartEngine } from "../engine/engine-process.ts";
import type { EngineSandbox } from "../engine/sandbox.ts";
import { createAccountDelays } from "../http/account-delays.ts";
import { loadContract } from "../http/contract.ts";
import { createIdempotency } from "../http/idempotency.ts";
import { createRateLimiter } from "../http/rate-limits.ts";
import { createApiKeysRepository } from "../modules/api-keys/api-keys.repository.ts";
import { createAudit } from "../modules/audit/audit.ts";
import { createDenialLog } from "../modules/audit/denial-log.ts";
import { createReadLog } from "../modules/audit/read-log.ts";
import { type DatabaseNow, readDatabaseNow } from "../modules/billing/clock-guard.ts";
import { createHub } from "../modules/hub/create-hub.ts";
import { createOneTimeTokens } from "../modules/identity/one-time-tokens.ts";
import { createUsersRepository } from "../modules/identity/users.repository.ts";
import { createMail } from "../modules/mail/mail.ts";
import type { GetFreeBytes } from "../modules/model-store/store-folder.ts";
import { createPlanCache } from "../modules/plans/plan-cache.ts";
import { createPlansRepository } from "../modules/plans/plans.repository.ts";

/** What the server is created with: everything that differs between installations and tests. */
export type ServerOptions = {
  db: Database;
  settings: Settings;
  log: Logger;
  clock?: Clock;
  ids?: Ids;
  /** Reads the database's clock; queries the database by default. */
  databaseNow?: DatabaseNow;
  /** The secret of the installation; random by default. */
  secret?: Uint8Array;
  siteFolder?: string;
  checkResponses?: boolean;
  /** How models are run; in separate processes by default. */
  startEngine?: StartEngine;
  /** Whether engines run in a sandbox; off by default. */
  engineSandbox?: EngineSandbox;
  /** Free space on the disk of a folder, in bytes. */
  freeBytes?: GetFreeBytes;
};

/** Dependencies that all areas share. */
export type Base = ReturnType<typeof createBase>;

/** Creates the dependencies that all areas share. */
export function createBase(options: ServerOptions) {
  const { db, settings, log, clock = systemClock, ids = randomIds, secret = randomBytes(32), freeBytes } = options;
  const { engineSandbox = { state: "off" } } = options;
  const publicUrl = publicUrlOf(settings.server);
  const withLinks = !isExposed(settings.server.host, settings.server.publicUrl);
  const mail = createMail(db, clock, ids, settings.mail.smtpUrl === undefined ? { log, withLinks } : null);
  const audit = createAudit(db, clock, ids);
  const plansRepository = createPlansRepository(db);
  const usersRepository = createUsersRepository(db, ids);
  const tokens = createOneTimeTokens(db, clock);
  const productName = settings.site.productName;
  return {
    db,
    settings,
    log,
    clock,
    ids,
    secret,
    databaseNow: options.databaseNow ?? readDatabaseNow(db),
    engineSandbox,
    startEngine: options.startEngine ?? createEngineStarter(log, engineSandbox),
    ...(freeBytes && { freeBytes }),
    contract: loadContract(),
    publicUrl,
    productName,
    idempotency: createIdempotency(db, clock),
    mail,
    audit,
    denialLog: createDenialLog(audit, clock, (error) => log.error({ err: error }, "a refused call was not recorded")),
    readLog: createReadLog(audit, clock),
    plansRepository,
    planCache: createPlanCache(plansRepository),
    apiKeysRepository: createApiKeysRepository(db),
    usersRepository,
    tokens,
    /** The dependencies of use cases that change data and notify people. */
    shared: { db, usersRepository, tokens, mail, audit, clock, publicUrl, productName },
    limits: createRateLimiter(settings.server.rateLimits),
    storageHealth: createStorageHealth(clock),
    accountDelays: createAccountDelays(clock, settings.server.rateLimits),
    outgoing: createOutgoing({ allow: settings.server.outgoingAllow }),
    hub: createHub(settings.hub, settings.server.outgoingAllow),
  };
}
