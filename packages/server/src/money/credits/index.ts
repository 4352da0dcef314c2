import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Events } from "../../platform/core/events.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { BudgetSpending } from "../budgets/index.ts";
import type { Ledger } from "../ledger/index.ts";
import { createCreditsRepository } from "./credits.repository.ts";
import { creditRoutes } from "./credits.routes.ts";
import { createCredits } from "./credits.ts";
import { createReservations, type DrawCredits } from "./reservations.ts";
import { createSettlement } from "./settlement.ts";

type Ports = {
  db: Database;
  ledger: Ledger;
  budgetSpending: BudgetSpending;
  drawCredits: DrawCredits;
  audit: Audit;
  events: Events;
  clock: Clock;
  ids: Ids;
};

/** Creates the credits of organizations: balances, reservations for calls in flight, and charges for finished ones. */
export function createCreditsModule(ports: Ports) {
  const { db, ledger, budgetSpending, audit, events, clock, ids } = ports;
  const credits = createCredits(db, ledger);
  const creditsRepository = createCreditsRepository(db);
  const reservations = createReservations(db, ports);
  return {
    routes: creditRoutes({ db, credits, creditsRepository, audit, ids }),
    jobs: [reservations.job],
    api: {
      credits,
      creditsRepository,
      reservations,
      settlement: createSettlement({ ledger, reservations, budgetSpending, events, clock }),
    },
  };
}
export { toCreditBalanceDto, toCreditTransactionDto } from "./credits.dto.ts";
export { type CreditsRepository, creditsAccount, lockAllCredits, lockCredits } from "./credits.repository.ts";
export type { Credits } from "./credits.ts";
export type { DrawResult } from "./reservations.ts";
