import type { Billing } from "../../money/billing/index.ts";
import type { ReadLog } from "../../platform/audit/index.ts";
import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { RateLimiter } from "../../platform/core/http/rate-limits.ts";
import type { SessionCookie } from "../../platform/core/http/session-cookie.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { Mail } from "../../platform/mail/index.ts";
import type { Identity } from "../identity/index.ts";
import type { ApprovalUseCases } from "../registration/index.ts";
import { createImpersonationUseCases } from "./impersonation.usecases.ts";
import { createPeopleRepository } from "./people.repository.ts";
import { createPeopleRoutes } from "./people.routes.ts";
import { createPeopleUseCases } from "./people.usecases.ts";

type Ports = {
  db: Database;
  identity: Pick<
    Identity,
    "passwords" | "reauthenticate" | "secondFactor" | "signInLog" | "toUserDto" | "invalidateApiKeys" | "verification"
  >;
  billing: Pick<Billing, "grantPlan" | "previewEndedPlan">;
  approvals: ApprovalUseCases;
  mail: Mail;
  audit: Audit;
  readLog: ReadLog;
  limits: RateLimiter;
  sessionCookie: SessionCookie;
  clock: Clock;
  ids: Ids;
  invalidatePlan(organizationId: string): void;
};

/** Creates the administration of users, and impersonation. */
export function createPeopleModule({ identity, ...ports }: Ports) {
  const shared = { ...ports, ...identity, peopleRepository: createPeopleRepository(ports.db) };
  return {
    routes: createPeopleRoutes({
      ...shared,
      people: createPeopleUseCases(shared),
      impersonation: createImpersonationUseCases(shared),
    }),
    jobs: [],
    api: {},
  };
}
