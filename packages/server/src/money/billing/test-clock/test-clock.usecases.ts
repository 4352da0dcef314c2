import type { Audit } from "../../../platform/core/audit.ts";
import type { SignedInActor } from "../../../platform/core/auth/actor.ts";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import { DAY_MS } from "../../../platform/core/time.ts";
import type { CreditsRepository } from "../../credits/index.ts";
import type { BillingRepository } from "../billing.repository.ts";
import type { TestClockRepository } from "./test-clock.repository.ts";

/** The time of an organization in billing. */
export type TestClock = { daysAhead: number; time: Date };

type Deps = {
  db: Database;
  billingRepository: Pick<BillingRepository, "lockAccount">;
  testClockRepository: TestClockRepository;
  creditsRepository: Pick<CreditsRepository, "findOrganizationId">;
  audit: Audit;
  clock: Clock;
  /** Whether payments are made by the test driver. */
  hasTestDriver: boolean;
  /** Does what is due in billing for one organization at the time of a clock. */
  runDue(organizationId: string, clock: Clock): Promise<void>;
};

const MAX_DAYS_AHEAD = 3660;

/** Returns a clock that is some days ahead of another one. */
export const clockAhead = (clock: Clock, days: number): Clock => ({
  now: () => new Date(clock.now().getTime() + days * DAY_MS),
});

/** Reads and advances the time of organizations, so that an operator sees what billing does in the months to come. */
export function createTestClockUseCases(deps: Deps) {
  return bind(deps, { get: getTestClock, advance: advanceTime });
}

const toTestClock = ({ clock }: Deps, daysAhead: number): TestClock => ({
  daysAhead,
  time: clockAhead(clock, daysAhead).now(),
});

async function findOrganization({ creditsRepository }: Deps, userId: string): Promise<string> {
  const organizationId = await creditsRepository.findOrganizationId(userId);
  if (organizationId === null) throw errors.users.notFound();
  return organizationId;
}

/** Returns the time of a user's organization. */
async function getTestClock(deps: Deps, userId: string): Promise<TestClock> {
  const organizationId = await findOrganization(deps, userId);
  return toTestClock(deps, await deps.testClockRepository.find(organizationId));
}

/**
 * Advances the time of a user's organization, day by day, and does on each what is due. Throws `payments.not_tests`, and
 * `payments.too_far_ahead` at the first day beyond the maximum.
 */
async function advanceTime(deps: Deps, actor: SignedInActor, userId: string, days: number): Promise<TestClock> {
  const { db, billingRepository, testClockRepository, audit, clock, hasTestDriver, runDue } = deps;
  if (!hasTestDriver) throw errors.payments.notTests();
  const organizationId = await findOrganization(deps, userId);
  if ((await testClockRepository.find(organizationId)) + days > MAX_DAYS_AHEAD) throw errors.payments.tooFarAhead();
  const details = { organization: organizationId, days };
  await audit.record({ actor, action: "billing.advance_time", target: userId, details });
  let daysAhead = 0;
  for (let day = 0; day < days; day++) {
    const next = await db.transaction().execute(async (trx) => {
      await billingRepository.lockAccount(organizationId, trx);
      return testClockRepository.addDay(organizationId, MAX_DAYS_AHEAD, trx);
    });
    if (next === null) throw errors.payments.tooFarAhead();
    daysAhead = next;
    await runDue(organizationId, clockAhead(clock, daysAhead));
  }
  return toTestClock(deps, daysAhead);
}
