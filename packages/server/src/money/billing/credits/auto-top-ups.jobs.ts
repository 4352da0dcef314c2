import type { Logger } from "pino";
import { bind } from "../../../platform/core/bind.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { Ids } from "../../../platform/core/ids.ts";
import { type CurrencyRate, toUsdCentsRoundedUp } from "../../currencies/index.ts";
import { isTaxAddressMissing } from "../../payment-services/index.ts";
import type { Taxes } from "../../taxes/index.ts";
import type { BillingRepository } from "../billing.repository.ts";
import type { PaymentRow, PaymentUseCases } from "../payments/payments.usecases.ts";
import { type PauseDeps, pauseAutoTopUp } from "./auto-top-up-handlers.ts";
import { sendLimitMail } from "./auto-top-up-mail.ts";
import type { AutoTopUpRow } from "./auto-top-ups.repository.ts";
import { createTopUpPayment, draftTopUp } from "./top-ups.ts";

type Deps = PauseDeps & {
  db: Database;
  billingRepository: BillingRepository;
  payments: PaymentUseCases;
  ids: Ids;
  taxes: Taxes;
  log: Pick<Logger, "error">;
};

/** Creates the job that buys credits for organizations whose balance is below their threshold. */
export function createAutoTopUpJob(deps: Deps) {
  return bind(deps, { run: topUpDueOrganizations });
}

async function topUpDueOrganizations(deps: Deps): Promise<void> {
  const { autoTopUpsRepository, payments, log } = deps;
  for (const organizationId of await autoTopUpsRepository.listDue()) {
    try {
      const payment = await startPayment(deps, organizationId);
      if (payment) await payments.chargeOffSession(payment);
    } catch (error) {
      if (isTaxAddressMissing(error)) await pauseWithoutAddress(deps, organizationId);
      else log.error({ err: error, organization_id: organizationId }, "credits could not be bought automatically");
    }
  }
}

async function pauseWithoutAddress(deps: Deps, organizationId: string): Promise<void> {
  await deps.db.transaction().execute((trx) => pauseAutoTopUp(deps, organizationId, "no_address", trx));
}

/**
 * Stores the payment that is due. Returns null when another server made one, the limit is reached, there is no card, or an earlier
 * payment was given back or disputed.
 */
async function startPayment(deps: Deps, organizationId: string): Promise<PaymentRow | null> {
  const { billingRepository, autoTopUpsRepository, taxes } = deps;
  return taxes.transact(async (trx) => {
    if (!(await billingRepository.keepExisting(organizationId, trx))) return null;
    const { rate } = await billingRepository.lockState(organizationId, trx);
    const rule = await autoTopUpsRepository.lockDue(organizationId, trx);
    if (!rule || (await autoTopUpsRepository.hasUnsettled(organizationId, trx))) return null;
    const reversal = await autoTopUpsRepository.findReversal(organizationId, rule.updated_at, trx);
    const card = await billingRepository.findDefaultCard(organizationId, trx);
    if (reversal !== null || !card) {
      await pauseAutoTopUp(deps, organizationId, reversal ?? "no_card", trx);
      return null;
    }
    if (!(await fitsMonthlyLimit(deps, rule, rate, trx))) return null;
    const buyer = { organizationId, userId: rule.user_id, credential: null, ip: null };
    const order = { buyer, cents: rule.amount_cents, rate, cardId: card.id, isAutomatic: true };
    return createTopUpPayment(deps, order, trx);
  });
}

/** Returns whether another payment fits into the month's limit. If not, tells the admins once in the month. */
async function fitsMonthlyLimit(deps: Deps, rule: AutoTopUpRow, rate: CurrencyRate, trx: Database): Promise<boolean> {
  const { autoTopUpsRepository, clock, taxes } = deps;
  const { organization_id, monthly_limit_cents } = rule;
  const now = clock.now();
  const chargedCents = await autoTopUpsRepository.chargedCents(organization_id, now, trx);
  const { taxOf } = await taxes.findTaxation(organization_id, rate.currency, trx);
  const totalCents = toUsdCentsRoundedUp(draftTopUp(rule.amount_cents, taxOf, rate).totalCents, rate);
  if (chargedCents + totalCents <= monthly_limit_cents) return true;
  if (await autoTopUpsRepository.markLimitTold(organization_id, now, trx))
    await sendLimitMail(deps.mail, organization_id, monthly_limit_cents, trx);
  return false;
}
