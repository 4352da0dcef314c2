import { type AttentionItem, type ListAttention, toAttentionItem } from "../../platform/core/attention.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { DAY_MS } from "../../platform/core/time.ts";
import { findRefusedDetails } from "../billing/index.ts";

const CARD_LEAD_MS = 30 * DAY_MS;

/**
 * Returns invoices that could not be charged, a card that ends soon or is missing, automatic top-ups that are paused, and what was
 * changed at the payment service and not taken over.
 */
export const listBillingAttention: ListAttention = async (db, { organizationId, now, limit }) => {
  const items = await Promise.all([
    listUnpaidInvoices(db, organizationId, limit),
    listEndingCards(db, organizationId, now),
    findMissingCard(db, organizationId),
    listPausedTopUps(db, organizationId),
    listRefusedDetails(db, organizationId),
  ]);
  return items.flat();
};

/** An invoice is open for a moment while it is charged: only those that were tried are named. */
async function listUnpaidInvoices(db: Database, organizationId: string, limit: number): Promise<AttentionItem[]> {
  const rows = await db
    .selectFrom("invoices")
    .select(["id", "number", "created_at"])
    .where("organization_id", "=", organizationId)
    .where("status", "=", "open")
    .where("attempts", ">", 0)
    .orderBy("created_at")
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id, number, created_at: happens_at }) =>
    toAttentionItem({
      kind: "invoice_unpaid",
      severity: "error",
      subject_id: id,
      subject: number,
      happens_at,
      message: `The invoice ${number} could not be charged.`,
    }),
  );
}

/** Returns the card that is charged where something will be charged: a paid plan that goes on, or automatic top-ups. */
async function listEndingCards(db: Database, organizationId: string, now: Date): Promise<AttentionItem[]> {
  const cards = await db
    .selectFrom("payment_methods")
    .select(["id", "last4", "exp_month", "exp_year"])
    .where("organization_id", "=", organizationId)
    .where("is_default", "=", true)
    .where("deleted_at", "is", null)
    .where((eb) =>
      eb.or([
        eb.exists(
          eb
            .selectFrom("subscriptions")
            .select("id")
            .where("subscriptions.organization_id", "=", organizationId)
            .where("ended_at", "is", null)
            .where("anchor_date", "is not", null)
            .where("cancel_at_period_end", "=", false),
        ),
        eb.exists(
          eb
            .selectFrom("auto_top_ups")
            .select("organization_id")
            .where("auto_top_ups.organization_id", "=", organizationId)
            .where("paused_at", "is", null),
        ),
      ]),
    )
    .execute();
  return cards.flatMap(({ id, last4, exp_month, exp_year }) => {
    // A card can be used until the end of its month.
    const at = new Date(Date.UTC(exp_year, exp_month, 1));
    if (at.getTime() - now.getTime() > CARD_LEAD_MS) return [];
    const hasEnded = at <= now;
    const message = `The card that ends in ${last4} ${hasEnded ? "has expired" : "expires within 30 days"}.`;
    const severity = hasEnded ? ("error" as const) : ("warning" as const);
    return [
      toAttentionItem({ kind: "card_expiring", severity, subject_id: id, subject: last4, happens_at: at, message }),
    ];
  });
}

/** A card may have been removed at the payment service. */
async function findMissingCard(db: Database, organizationId: string): Promise<AttentionItem[]> {
  const charged = await db
    .selectFrom("subscriptions")
    .leftJoin("payment_methods", (join) =>
      join
        .onRef("payment_methods.organization_id", "=", "subscriptions.organization_id")
        .on("is_default", "=", true)
        .on("deleted_at", "is", null),
    )
    .select("current_period_end_date")
    .where("subscriptions.organization_id", "=", organizationId)
    .where("ended_at", "is", null)
    .where("anchor_date", "is not", null)
    .where("cancel_at_period_end", "=", false)
    .where("price_cents", ">", 0)
    .where("payment_methods.id", "is", null)
    .executeTakeFirst();
  if (!charged) return [];
  const message = "There is no card to which the plan can be charged when its period ends.";
  const happens_at = charged.current_period_end_date;
  return [toAttentionItem({ kind: "card_missing", severity: "error", happens_at, message })];
}

async function listPausedTopUps(db: Database, organizationId: string): Promise<AttentionItem[]> {
  const row = await db
    .selectFrom("auto_top_ups")
    .select("paused_at")
    .where("organization_id", "=", organizationId)
    .where("paused_at", "is not", null)
    .executeTakeFirst();
  const message = "Automatic top-ups are paused until they are set again.";
  return row
    ? [toAttentionItem({ kind: "top_ups_paused", severity: "error", happens_at: row.paused_at, message })]
    : [];
}

/** What people changed at the payment service and billing details do not take, until they are saved here or fit there. */
async function listRefusedDetails(db: Database, organizationId: string): Promise<AttentionItem[]> {
  const { refused, refusedAt: happens_at } = await findRefusedDetails(organizationId, db);
  return Object.entries(refused).map(([part, reason]) =>
    toAttentionItem({
      kind: "billing_details_refused",
      severity: "warning",
      subject: part,
      happens_at,
      message: `The ${part} that was changed at the payment service was not taken over: ${reason}. Save billing details as they are to be.`,
    }),
  );
}
