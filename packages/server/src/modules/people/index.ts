import type { Audit } from "../../core/audit.ts";
import type { Clock } from "../../core/clock.ts";
import type { Database } from "../../core/db/connect.ts";
import type { RateLimiter } from "../../core/http/rate-limits.ts";
import type { SessionCookie } from "../../core/http/session-cookie.ts";
import type { Ids } from "../../core/ids.ts";
import type { ReadLog } from "../audit/index.ts";
import type { Billing } from "../billing/index.ts";
import type { Identity } from "../identity/index.ts";
import type { Mail } from "../mail/index.ts";
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
  publicUrl: string;
  productName: string;
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
