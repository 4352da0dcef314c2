import type { Clock } from "../../platform/core/clock.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import { toBudgetDto } from "./budgets.dto.ts";
import type { BudgetDetails } from "./budgets.repository.ts";
import type { BudgetUseCases } from "./budgets.usecases.ts";

type Deps = { budgets: BudgetUseCases; clock: Clock };

/** Routes of the budgets of organizations and members. */
export function budgetRoutes({ budgets, clock }: Deps): Handlers {
  const toDto = (row: BudgetDetails) => toBudgetDto(row, clock.now());
  return {
    "budgets.list": async ({ actor }) => ({ items: (await budgets.list(actor)).map(toDto) }),

    "budgets.set": async ({ actor, body }) => toDto(await budgets.set(actor, null, body)),

    "budgets.delete": async ({ actor }) => {
      await budgets.delete(actor, null);
      return undefined;
    },

    "budgets.setForMember": async ({ actor, path, body }) => toDto(await budgets.set(actor, path.userId, body)),

    "budgets.deleteForMember": async ({ actor, path }) => {
      await budgets.delete(actor, path.userId);
      return undefined;
    },
  };
}
