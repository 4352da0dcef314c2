import type { Logger } from "pino";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { listOtherEuCountries } from "../../../platform/core/eu-countries.ts";
import type { Job } from "../../../platform/core/jobs.ts";
import type { Outgoing } from "../../../platform/core/network/outgoing.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../platform/core/time.ts";
import type { Mail } from "../../../platform/mail/index.ts";
import {
  createVies,
  type DueCheck,
  type VatIdChecksRepository,
  type Vies,
  type ViesAnswer,
} from "../../taxes/index.ts";
import type { BillingRepository } from "../billing.repository.ts";
import { vatIdInvalidMail } from "./vat-ids.mails.ts";

type Deps = {
  db: Database;
  vatIdChecksRepository: VatIdChecksRepository;
  billingRepository: BillingRepository;
  vies: Vies;
  /** The countries whose ids are asked about. */
  countries: readonly string[];
  mail: Mail;
  clock: Clock;
  log: Pick<Logger, "error" | "warn">;
};

type ViesSettings = {
  settings: {
    vies: boolean;
    viesUrl: string;
    seller?: { country: string; vat_id?: string | undefined } | undefined;
  };
  outgoing: Outgoing;
};

/** One after the other, since VIES limits how many requests it carries out at once. */
const BATCH_SIZE = 20;
/** Renewals of a month then rest on an answer of the same month. */
const CHECK_AGAIN_MS = 30 * DAY_MS;
const FIRST_RETRY_MS = MINUTE_MS;
const LAST_RETRY_MS = 6 * HOUR_MS;
/** A purchase is paid or given up after a few minutes, or after what the bank allows. */
const PURCHASE_RETRY_MS = MINUTE_MS;
/** Faults of VIES as a whole: asking about other ids would fail too. */
const GLOBAL_FAULTS: ReadonlySet<string> = new Set([
  "NO_ANSWER",
  "SERVICE_UNAVAILABLE",
  "GLOBAL_MAX_CONCURRENT_REQ",
  "GLOBAL_MAX_CONCURRENT_REQ_TIME",
  "IP_BLOCKED",
  "INVALID_REQUESTER_INFO",
]);

const EVERY_SECONDS = 10;

/**
 * Creates the job that asks VIES about the VAT ids that are due: new ones, those that it did not answer, and old answers. None
 * where the settings do not say so.
 */
export function createVatIdCheckJobs(deps: Omit<Deps, "vies" | "countries"> & ViesSettings): Job[] {
  const { settings, outgoing } = deps;
  const { vies: isOn, viesUrl: url, seller } = settings;
  if (!isOn || seller?.vat_id === undefined) return [];
  const vies = createVies({ url, requester: seller.vat_id, fetch: outgoing.fetch });
  const countries = listOtherEuCountries(seller.country);
  return [
    {
      name: "check VAT ids at VIES",
      everySeconds: EVERY_SECONDS,
      run: (stopping) => checkDueIds({ ...deps, vies, countries }, stopping),
    },
  ];
}

async function checkDueIds(deps: Deps, stopping?: AbortSignal): Promise<void> {
  const { vatIdChecksRepository, vies, countries, clock, log } = deps;
  await vatIdChecksRepository.addMissing(countries, clock.now());
  for (const due of await vatIdChecksRepository.listDue(clock.now(), BATCH_SIZE)) {
    if (stopping?.aborted) return;
    const answer = await vies.check(due.vatId);
    await deps.db.transaction().execute((trx) => applyAnswer(deps, due, answer, trx));
    if (answer.kind !== "unavailable") continue;
    report(log, due, answer.fault);
    if (GLOBAL_FAULTS.has(answer.fault)) return;
  }
}

/**
 * Applies an answer under the lock of the account, like a change of the billing details: not while a purchase is being paid,
 * whose tax was calculated before.
 */
async function applyAnswer(deps: Deps, answered: DueCheck, answer: ViesAnswer, trx: Database): Promise<void> {
  const { billingRepository, vatIdChecksRepository, clock } = deps;
  const { organizationId } = answered;
  if (!(await billingRepository.keepExisting(organizationId, trx))) return;
  await billingRepository.lockAccount(organizationId, trx);
  const now = clock.now();
  const due = await vatIdChecksRepository.lock(answered, now, trx);
  if (!due) return;
  const after = (ms: number) => new Date(now.getTime() + ms);
  if (answer.kind === "unavailable") return vatIdChecksRepository.saveFailure(due, after(retryMs(due.failures)), trx);
  if (answer.kind !== due.state && (await billingRepository.hasPendingPurchase(organizationId, trx)))
    return vatIdChecksRepository.setNext(organizationId, after(PURCHASE_RETRY_MS), trx);
  await vatIdChecksRepository.saveAnswer(organizationId, answer, { now, nextCheckAt: after(CHECK_AGAIN_MS) }, trx);
  if (answer.kind === "invalid" && due.state !== "invalid") await notifyOwner(deps, due, trx);
}

/** Twice as long after each failure. */
function retryMs(failures: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** failures, LAST_RETRY_MS);
}

async function notifyOwner(deps: Deps, { organizationId, vatId }: DueCheck, trx: Database): Promise<void> {
  const { billingRepository, mail } = deps;
  const contact = await billingRepository.findContact(organizationId, trx);
  if (contact) await mail.send({ template: vatIdInvalidMail, values: { vat_id: vatId }, to: contact.email }, trx);
}

function report(log: Deps["log"], { organizationId, failures }: DueCheck, fault: string): void {
  const details = { fault, organization_id: organizationId, failures: failures + 1 };
  if (fault === "INVALID_REQUESTER_INFO")
    log.error(details, "VIES rejects the vat_id of FEATHER_SELLER, so it gives no consultation numbers");
  else if (fault === "IP_BLOCKED") log.error(details, "VIES has blocked the address of this server");
  else log.warn(details, "VIES did not answer; it is asked again");
}
