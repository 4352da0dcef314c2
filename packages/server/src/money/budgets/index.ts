import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Events } from "../../platform/core/events.ts";
import type { Mail } from "../../platform/mail/index.ts";
import { createBudgetSpending } from "./budget-alerts.ts";
import { createBudgetsRepository } from "./budgets.repository.ts";
import { budgetRoutes } from "./budgets.routes.ts";
import { createBudgets } from "./budgets.usecases.ts";

type Ports = {
  db: Database;
  mail: Mail;
  audit: Audit;
  events: Events;
  clock: Clock;
};

/** Creates the budgets of organizations and members: their terms, what is spent of them, and alerts. */
export function createBudgetsModule(ports: Ports) {
  const { db, clock } = ports;
  const budgetsRepository = createBudgetsRepository(db);
  return {
    routes: budgetRoutes({ budgets: createBudgets({ ...ports, budgetsRepository }), clock }),
    jobs: [],
    api: { budgetSpending: createBudgetSpending({ ...ports, budgetsRepository }) },
  };
}
export { type BudgetSpending, createBudgetSpending } from "./budget-alerts.ts";
export { listBudgetAttention } from "./budget-attention.ts";
export { createBudgetsRepository } from "./budgets.repository.ts";
export { nextLimitReset } from "./periods.ts";
