import { bind } from "../../../platform/core/bind.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { centsToNano } from "../../../platform/core/money.ts";
import { creditsAccount, lockCredits } from "../../credits/index.ts";
import { type CurrencyRate, toNano } from "../../currencies/index.ts";
import { disputedAccount, type Ledger, type LedgerAccount } from "../../ledger/index.ts";
import type { Dispute } from "../../payment-services/index.ts";
import type { InvoiceRow } from "../invoices/invoices.repository.ts";
import { revokedCreditCents } from "../invoices/refund-amounts.ts";

type Entry = { account: LedgerAccount; amountNano: bigint };
type Deps = { ledger: Ledger };

/** The disputed payment. */
export type DisputedPayment = {
  organizationId: string;
  organizationExists: boolean;
  /** Null when the payment was given back, so that it brought nothing. */
  invoice: InvoiceRow | null;
  rate: CurrencyRate;
  /** What was refunded of it, or lost to other disputes, in minor units. */
  takenCents: number;
};

/** Ledger postings of disputes. All need a transaction that has locked the accounts of the organization. */
export function createDisputePostings(deps: Deps) {
  return bind(deps, { freeze, release, takeBack, returnTaken, recordFee });
}

export type DisputePostings = ReturnType<typeof createDisputePostings>;

/** Returns the credits, in nano-USD, that the disputed part of the payment brought. */
function broughtNano({ amountCents }: Dispute, invoice: InvoiceRow | null): bigint {
  if (!invoice) return 0n;
  return centsToNano(revokedCreditCents(invoice, 0, Math.min(amountCents, invoice.total_cents)));
}

/** Freezes the credits that the payment brought, as far as they are available. Returns the frozen amount in nano-USD. */
async function freeze(
  deps: Deps,
  dispute: Dispute,
  { organizationId, organizationExists, invoice }: DisputedPayment,
  trx: Database,
): Promise<bigint> {
  const brought: bigint = broughtNano(dispute, invoice);
  const { available } = await lockCredits(organizationId, trx);
  const held = available < brought ? available : brought;
  if (held <= 0n || !organizationExists) return 0n;
  await post(deps, dispute, organizationId, "frozen", "Frozen: the payment is disputed", trx, [
    { account: creditsAccount(organizationId), amountNano: -held },
    { account: disputedAccount(organizationId), amountNano: held },
  ]);
  return held;
}

/** Returns frozen credits to the organization. Those of a deleted one were forfeited with its other accounts. */
async function release(
  deps: Deps,
  dispute: Dispute,
  { organizationId, organizationExists }: DisputedPayment,
  held: bigint,
  trx: Database,
): Promise<void> {
  if (!organizationExists) return;
  await post(deps, dispute, organizationId, "released", "Released: the dispute is won", trx, [
    { account: disputedAccount(organizationId), amountNano: -held },
    { account: creditsAccount(organizationId), amountNano: held },
  ]);
}

/** Posts that the bank took the money back, and takes the frozen credits. */
async function takeBack(
  deps: Deps,
  dispute: Dispute,
  payment: DisputedPayment,
  held: bigint,
  trx: Database,
): Promise<void> {
  const { organizationId, organizationExists } = payment;
  const from = organizationExists ? disputedAccount(organizationId) : "forfeited";
  const entries = lossEntries(dispute, payment, held, from);
  await post(deps, dispute, organizationId, "lost", "Taken back: the dispute is lost", trx, entries);
}

/** Posts the loss back, since the bank returned after all what it had taken, with the credits that were taken. */
async function returnTaken(
  deps: Deps,
  dispute: Dispute,
  { organizationId, organizationExists }: DisputedPayment,
  trx: Database,
): Promise<void> {
  const posted = await trx
    .selectFrom("ledger_entries")
    .innerJoin("ledger_transactions", "ledger_transactions.id", "ledger_entries.transaction_id")
    .select(["account", "amount_nano_usd"])
    .where("reference", "=", `dispute:${dispute.id}:lost`)
    .execute();
  const to = organizationExists ? creditsAccount(organizationId) : "forfeited";
  const entries = posted.map(({ account, amount_nano_usd }) => ({
    account: account === disputedAccount(organizationId) ? to : (account as LedgerAccount),
    amountNano: -BigInt(amount_nano_usd),
  }));
  await post(deps, dispute, organizationId, "returned", "Returned: the dispute is won after all", trx, entries);
}

/** Posts what the payment service kept for the dispute, in nano-USD, beyond what was posted before. */
async function recordFee(
  { ledger }: Deps,
  { id }: Dispute,
  { organizationId }: DisputedPayment,
  feeNano: bigint,
  trx: Database,
): Promise<void> {
  if (feeNano === 0n) return;
  const entries: Entry[] = [
    { account: "cash", amountNano: feeNano },
    { account: "fees", amountNano: -feeNano },
  ];
  const fee = { kind: "dispute", organizationId, description: "Fee of a dispute", entries } as const;
  // Numbered, since a fee may return to an earlier amount.
  for (let change = 1; ; change++)
    if ((await ledger.postOnce({ ...fee, reference: `dispute:${id}:fee:${change}` }, trx)).isNew) return;
}

/** The money and the frozen credits return to where they came from: as with a refund, revenue or adjustments. */
function lossEntries(
  dispute: Dispute,
  { invoice, rate, takenCents }: DisputedPayment,
  held: bigint,
  heldBy: LedgerAccount,
): Entry[] {
  const amount = toNano(takenCents + dispute.amountCents, rate) - toNano(takenCents, rate);
  const credits = invoice?.kind === "top_up" ? broughtNano(dispute, invoice) : invoice ? 0n : amount;
  const source = invoice && invoice.kind !== "top_up" ? "revenue:subscriptions" : "adjustments";
  const amounts = new Map<LedgerAccount, bigint>();
  const add = (account: LedgerAccount, amountNano: bigint) =>
    amounts.set(account, (amounts.get(account) ?? 0n) + amountNano);
  add("cash", amount);
  add("revenue:subscriptions", credits - amount);
  add("adjustments", -credits);
  add(heldBy, -held);
  add(source, held);
  return [...amounts].map(([account, amountNano]) => ({ account, amountNano }));
}

async function post(
  { ledger }: Deps,
  { id }: Dispute,
  organizationId: string,
  step: string,
  description: string,
  trx: Database,
  entries: Entry[],
): Promise<void> {
  const moved = entries.filter(({ amountNano }) => amountNano !== 0n);
  if (moved.length === 0) return;
  const reference = `dispute:${id}:${step}`;
  await ledger.post({ kind: "dispute", organizationId, description, reference, entries: moved }, trx);
}
