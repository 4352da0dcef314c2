import type { Logger } from "pino";
import type { Database } from "../../db/connect.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Mail, MailKind } from "../mail/mail.ts";
import type { BillingRepository, Contact, PaymentMethodRow, Standing } from "./billing.repository.ts";
import { priceText } from "./price-changes.ts";
import { day } from "./quote.ts";
import { agreedTerms } from "./terms.ts";

type Live = NonNullable<Standing["live"]>;
type Kind = "trial_end" | "yearly_renewal" | "card_expiry";
type Notice = { kind: Kind; about: string };
type Deps = {
  db: Database;
  billing: BillingRepository;
  mail: Mail;
  clock: Clock;
  log: Pick<Logger, "error">;
  publicUrl: string;
  productName: string;
};

const DAY_MS = 86_400_000;
/** How long before the end of a trial and before a yearly renewal the buyer is notified. */
const LEAD_MS = { trial_end: 3 * DAY_MS, yearly_renewal: 7 * DAY_MS } as const;
const LONGEST_LEAD_MS = LEAD_MS.yearly_renewal;
const CARD_LEAD_MS = 30 * DAY_MS;
const MAIL_KINDS: Readonly<Record<Kind, MailKind>> = {
  trial_end: "trial_ending",
  yearly_renewal: "renewal_ahead",
  card_expiry: "card_expiring",
};

/**
 * The job that mails notices before a charge or the expiry of a card, once each. No charge is made without its notice.
 */
export function createNotices({ db, billing, mail, clock, log, publicUrl, productName }: Deps) {
  /** The charge at the end of this period, if it needs a notice; else null. */
  function chargeAhead({ row }: Live): { kind: keyof typeof LEAD_MS; about: string; at: Date } | null {
    const at = row.current_period_end_date;
    if (at === null || row.anchor_date === null || row.cancel_at_period_end || row.status === "past_due") return null;
    const about = at.toISOString();
    if (row.status === "trialing") return { kind: "trial_end", about, at };
    return row.billing_interval === "year" ? { kind: "yearly_renewal", about, at } : null;
  }

  /** Records a notice. Returns false when it was sent before. */
  async function isNew(subscriptionId: string, { kind, about }: Notice, trx: Database): Promise<boolean> {
    const inserted = await trx
      .insertInto("billing_notices")
      .values({ subscription_id: subscriptionId, kind, about, sent_at: clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return inserted.numInsertedOrUpdatedRows === 1n;
  }

  async function send(contact: Contact, kind: Kind, subject: string, lines: string[], trx: Database): Promise<void> {
    const text = lines.join("\n");
    const message = { kind: MAIL_KINDS[kind], to: contact.email, subject: `${productName}: ${subject}`, text };
    await mail.send(message, trx);
  }

  const priceOf = (live: Live): string => {
    const { priceCents, interval, quantity } = agreedTerms(live);
    return priceText(priceCents, interval, quantity);
  };

  async function tellOfCharge(live: Live, trx: Database): Promise<void> {
    const charge = chargeAhead(live);
    if (!charge || !(await isNew(live.row.id, charge, trx))) return;
    const contact = await billing.contact(live.row.organization_id, trx);
    if (!contact) return;
    const card = await billing.defaultCard(live.row.organization_id, trx);
    const { name } = live.plan;
    const isTrial = charge.kind === "trial_end";
    const lines = [
      isTrial
        ? `Your trial of ${name} ends on ${day(charge.at)}.`
        : `Your plan ${name} is renewed on ${day(charge.at)} for another year.`,
      `Then ${priceOf(live)} is charged${card ? ` to the card that ends in ${card.last4}` : ""}, less coupons and what is kept for you, plus tax.`,
      `If you do not want that, cancel before: ${publicUrl}/account`,
    ];
    await send(
      contact,
      charge.kind,
      isTrial ? `your trial of ${name} ends soon` : `${name} is renewed soon`,
      lines,
      trx,
    );
  }

  async function tellOfCard(live: Live, card: PaymentMethodRow, trx: Database): Promise<void> {
    const ends = endOf(card);
    const about = `${card.id} ${card.exp_month}/${card.exp_year}`;
    const now = clock.now().getTime();
    if (live.row.cancel_at_period_end || ends - now > CARD_LEAD_MS || ends <= now) return;
    if (!(await isNew(live.row.id, { kind: "card_expiry", about }, trx))) return;
    const contact = await billing.contact(live.row.organization_id, trx);
    if (!contact) return;
    const lines = [
      `The card that ends in ${card.last4} pays for your plan ${live.plan.name}, and expires at the end of ${card.exp_month}/${card.exp_year}.`,
      `Add another card before, so that the plan goes on: ${publicUrl}/account/payment-methods`,
    ];
    await send(contact, "card_expiry", "your card expires soon", lines, trx);
  }

  async function look(organizationId: string, trx: Database): Promise<void> {
    if (!(await billing.exists(organizationId, trx))) return;
    const { live } = await billing.lock(organizationId, trx);
    if (!live || live.row.anchor_date === null) return;
    const charge = chargeAhead(live);
    if (charge && charge.at.getTime() - clock.now().getTime() <= LEAD_MS[charge.kind]) await tellOfCharge(live, trx);
    const card = await billing.defaultCard(organizationId, trx);
    if (card) await tellOfCard(live, card, trx);
  }

  /** Ids of organizations whose trial, yearly period or default card ends soon. */
  async function toLookAt(): Promise<string[]> {
    const now = clock.now();
    const soon = new Date(now.getTime() + LONGEST_LEAD_MS);
    const inMonths = new Date(now.getTime() + CARD_LEAD_MS);
    const rows = await db
      .selectFrom("subscriptions")
      .leftJoin("payment_methods", (join) =>
        join
          .onRef("payment_methods.organization_id", "=", "subscriptions.organization_id")
          .on("payment_methods.is_default", "=", true)
          .on("payment_methods.deleted_at", "is", null),
      )
      .select("subscriptions.organization_id")
      .where("subscriptions.ended_at", "is", null)
      .where("anchor_date", "is not", null)
      .where((eb) =>
        eb.or([
          eb.and([
            eb("current_period_end_date", "<=", soon),
            eb.or([eb("status", "=", "trialing"), eb("billing_interval", "=", "year")]),
          ]),
          eb(
            eb("exp_year", "*", eb.lit(12)),
            "<=",
            eb(eb.val(inMonths.getUTCFullYear() * 12 + inMonths.getUTCMonth() + 1), "-", eb.ref("exp_month")),
          ),
        ]),
      )
      .execute();
    return rows.map(({ organization_id }) => organization_id);
  }

  return {
    /** Sends the notices that are due. */
    async run(): Promise<void> {
      for (const organizationId of await toLookAt()) {
        try {
          await db.transaction().execute((trx) => look(organizationId, trx));
        } catch (error) {
          log.error({ err: error, organization_id: organizationId }, "a notice could not be sent");
        }
      }
    },

    /**
     * Whether the charge at the end of the period may be made: it needs no notice, or the notice was sent in time. A
     * missing notice is sent now, and the charge then waits for the full notice time.
     */
    async mayCharge(live: Live, trx: Database): Promise<boolean> {
      const charge = chargeAhead(live);
      if (!charge) return true;
      await tellOfCharge(live, trx);
      const { sent_at } = await trx
        .selectFrom("billing_notices")
        .select("sent_at")
        .where("subscription_id", "=", live.row.id)
        .where("kind", "=", charge.kind)
        .where("about", "=", charge.about)
        .executeTakeFirstOrThrow();
      const wasInTime = sent_at < charge.at;
      return wasInTime || sent_at.getTime() + LEAD_MS[charge.kind] <= clock.now().getTime();
    },
  };
}

export type Notices = ReturnType<typeof createNotices>;

/** When a card expires, in milliseconds: at the end of its month. */
function endOf({ exp_month, exp_year }: PaymentMethodRow): number {
  return Date.UTC(exp_year, exp_month, 1);
}
