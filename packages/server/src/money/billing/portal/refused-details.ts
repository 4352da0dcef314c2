import { sql } from "kysely";
import { z } from "zod";
import type { Database } from "../../../platform/core/db/connect.ts";

/** What is taken over from the payment service or refused as a whole: an address of two countries would be none. */
export const DETAIL_PARTS = ["name", "email", "address"] as const;
/** A part of the billing details that people change at the payment service. */
export type DetailPart = (typeof DETAIL_PARTS)[number];

const refusedSchema = z.partialRecord(z.enum(DETAIL_PARTS), z.string());
/** Why a part was not taken over, as a sentence without its end. */
export type RefusedDetails = z.infer<typeof refusedSchema>;

/** Returns what was not taken over since the billing details of an organization were last saved, and when. */
export async function findRefusedDetails(
  organizationId: string,
  trx: Database,
): Promise<{ refused: RefusedDetails; refusedAt: Date | null }> {
  const row = await trx
    .selectFrom("payment_customers as c")
    .leftJoin("billing_details as d", "d.organization_id", "c.organization_id")
    .select(["refused_details", "refused_at"])
    .where("c.organization_id", "=", organizationId)
    .where(sql<boolean>`c.refused_at >= coalesce(d.updated_at, '-infinity')`)
    .orderBy("refused_at", "desc")
    .executeTakeFirst();
  return { refused: refusedSchema.parse(row?.refused_details ?? {}), refusedAt: row?.refused_at ?? null };
}
