import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { Mail } from "../../../platform/mail/index.ts";
import type { PaymentRow } from "../payments/payments.usecases.ts";
import { sendConfirmationMail, sendPausedMail } from "./auto-top-up-mail.ts";
import type { AutoTopUpsRepository, PauseReason } from "./auto-top-ups.repository.ts";

/** What is needed to pause an automatic top-up and to tell the admins. */
export type PauseDeps = {
  autoTopUpsRepository: AutoTopUpsRepository;
  mail: Mail;
  clock: Clock;
};

/** Pauses the automatic top-up of an organization, and tells its admins. */
export async function pauseAutoTopUp(
  deps: PauseDeps,
  organizationId: string,
  reason: PauseReason,
  trx: Database,
): Promise<void> {
  const { autoTopUpsRepository, clock } = deps;
  if (await autoTopUpsRepository.pause(organizationId, reason, clock.now(), trx))
    await sendPausedMail(deps.mail, organizationId, reason, trx);
}

/** What follows when an automatic payment fails or needs a confirmation. Other top-ups have their buyer, who sees it. */
export function createAutoTopUpHandlers(deps: PauseDeps) {
  return {
    async failed({ organization_id, is_automatic, failure_code }: PaymentRow, trx: Database): Promise<void> {
      if (is_automatic) await pauseAutoTopUp(deps, organization_id, toPauseReason(failure_code), trx);
    },
    async requiresAction({ organization_id, is_automatic }: PaymentRow, url: string | null, trx: Database) {
      if (is_automatic) await sendConfirmationMail(deps.mail, organization_id, url, trx);
    },
  };
}

export type AutoTopUpHandlers = ReturnType<typeof createAutoTopUpHandlers>;

function toPauseReason(failureCode: string | null): PauseReason {
  if (failureCode === "card_gone") return "no_card";
  return failureCode === "canceled" ? "not_confirmed" : "card_declined";
}
