import type { Audit } from "../../../platform/core/audit.ts";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import { type CurrencyRate, toUsdCentsRoundedUp } from "../../currencies/index.ts";
import type { Taxes } from "../../taxes/index.ts";
import type { BillingRepository } from "../billing.repository.ts";
import type { Buyer } from "../buyer.ts";
import type { AutoTopUpRow, AutoTopUpRule, AutoTopUpsRepository } from "./auto-top-ups.repository.ts";
import { draftTopUp } from "./top-ups.ts";

/** The rule of an organization, if it has one, and the US cents that it has charged this month. */
export type AutoTopUpState = { rule: AutoTopUpRow | undefined; chargedCents: number };

type Deps = {
  db: Database;
  billingRepository: BillingRepository;
  autoTopUpsRepository: AutoTopUpsRepository;
  audit: Audit;
  clock: Clock;
  taxes: Taxes;
  refuseWhilePaymentsOff(): void;
};

/** Reads, sets and deletes the rule by which an organization buys credits automatically. */
export function createAutoTopUps(deps: Deps) {
  return bind(deps, { read: readState, set: setRule, delete: deleteRule });
}

export type AutoTopUpUseCases = ReturnType<typeof createAutoTopUps>;

async function readState(deps: Deps, organizationId: string, trx: Database = deps.db): Promise<AutoTopUpState> {
  const { autoTopUpsRepository, clock } = deps;
  const rule = await autoTopUpsRepository.find(organizationId, trx);
  return { rule, chargedCents: await autoTopUpsRepository.chargedCents(organizationId, clock.now(), trx) };
}

/** Throws `payment_methods.required`, or `invalid_request` if not even one payment fits into the month's limit. */
async function setRule(deps: Deps, buyer: Buyer, rule: AutoTopUpRule): Promise<AutoTopUpState> {
  const { billingRepository, autoTopUpsRepository, audit, clock, taxes, refuseWhilePaymentsOff } = deps;
  refuseWhilePaymentsOff();
  return taxes.transact(async (trx) => {
    const { organizationId } = buyer;
    const { rate } = await billingRepository.lockState(organizationId, trx);
    const card = await billingRepository.findDefaultCard(organizationId, trx);
    if (!card) throw errors.paymentMethods.required("Add a card first.");
    await refuseTightLimit(deps, organizationId, rule, rate, trx);
    await autoTopUpsRepository.set(buyer, rule, clock.now(), trx);
    const details = { ...rule };
    await audit.record({ ...buyer, action: "credits.auto_top_up_set", target: organizationId, details }, trx);
    return readState(deps, organizationId, trx);
  });
}

/** Throws `invalid_request` if not even one payment fits into the month's limit. */
async function refuseTightLimit(
  { taxes }: Deps,
  organizationId: string,
  rule: AutoTopUpRule,
  rate: CurrencyRate,
  trx: Database,
) {
  const { taxOf } = await taxes.findTaxation(organizationId, rate.currency, trx);
  const totalCents = toUsdCentsRoundedUp(draftTopUp(rule.amount_cents, taxOf, rate).totalCents, rate);
  if (totalCents > rule.monthly_limit_cents)
    throw errors.invalidRequest(
      `One payment takes ${totalCents} US cents with tax, more than the limit of a month, ${rule.monthly_limit_cents} US cents.`,
      { param: "monthly_limit_usd_cents" },
    );
}

async function deleteRule({ db, autoTopUpsRepository, audit }: Deps, buyer: Buyer): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { organizationId } = buyer;
    if (!(await autoTopUpsRepository.delete(organizationId, trx))) return;
    await audit.record({ ...buyer, action: "credits.auto_top_up_delete", target: organizationId }, trx);
  });
}
