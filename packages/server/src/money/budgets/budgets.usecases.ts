import type { components } from "@feather/openapi/schema";
import type { Audit } from "../../platform/core/audit.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { hasPermission } from "../../platform/core/auth/permissions.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { BudgetDetails, BudgetOwner, BudgetsRepository, BudgetTerms } from "./budgets.repository.ts";

type BudgetSetRequest = components["schemas"]["BudgetSetRequest"];
type Deps = { db: Database; budgetsRepository: BudgetsRepository; audit: Audit; clock: Clock };

/** Lists, sets and deletes budgets. A user of null means the budget of the organization. */
export function createBudgets(deps: Deps) {
  return bind(deps, { list: listBudgets, set: setBudget, delete: deleteBudget });
}

export type BudgetUseCases = ReturnType<typeof createBudgets>;

/**
 * Returns the budgets that the actor may see: with `manage_organization` all, otherwise the organization's and the actor's.
 */
function listBudgets({ budgetsRepository, clock }: Deps, actor: SignedInActor): Promise<BudgetDetails[]> {
  const { organizationId, userId, role } = actor;
  const onlyUser = hasPermission(role, "manage_organization") ? null : userId;
  return budgetsRepository.list(organizationId, onlyUser, clock.now());
}

async function setBudget(
  { db, budgetsRepository, audit, clock }: Deps,
  actor: SignedInActor,
  userId: string | null,
  body: BudgetSetRequest,
): Promise<BudgetDetails> {
  const owner = { organizationId: actor.organizationId, userId };
  const terms: BudgetTerms = {
    amount_nano_usd: String(BigInt(body.amount_nano_usd)),
    period: body.period ?? "month",
    hard: body.hard ?? false,
    warning_percent: body.warning_percent ?? 80,
  };
  return db.transaction().execute(async (trx) => {
    if (userId !== null) await lockMembership(owner, trx);
    const now = clock.now();
    await budgetsRepository.set(owner, terms, now, trx);
    await audit.record({ actor, action: "budgets.set", target: targetOf(owner), details: { ...terms } }, trx);
    const budget = await budgetsRepository.find(owner, now, trx);
    if (!budget) throw errors.budgets.notFound();
    return budget;
  });
}

async function deleteBudget(
  { db, budgetsRepository, audit }: Deps,
  actor: SignedInActor,
  userId: string | null,
): Promise<void> {
  const owner = { organizationId: actor.organizationId, userId };
  await db.transaction().execute(async (trx) => {
    if (!(await budgetsRepository.delete(owner, trx))) throw errors.budgets.notFound();
    await audit.record({ actor, action: "budgets.delete", target: targetOf(owner) }, trx);
  });
}

const targetOf = ({ organizationId, userId }: BudgetOwner) => userId ?? organizationId;

/** Keeps a membership until the transaction ends. Throws `organization.member_not_found`. */
async function lockMembership({ organizationId, userId }: BudgetOwner, trx: Database): Promise<void> {
  const membership = await trx
    .selectFrom("memberships")
    .select("user_id")
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .forKeyShare()
    .executeTakeFirst();
  if (!membership) throw errors.organization.memberNotFound();
}
