import { expect } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../../platform/core/time.ts";
import type { BillingServer, Buyer } from "../../../testing/billing.ts";

/** Metered usage as admins see it. */
export type MeteredUsage = {
  status: string;
  units: number;
  hour_starts_at: string;
  reason: string | null;
  attempts: number;
  amount_usd: string;
};

/** A plan that is bought at marketplaces in these tests. Its calls are made to cost credits. */
export const METERED_PLAN = "feather_max";
/** A meter whose units cost a cent, without its dimension. */
export const CENT_METER = { unit_price_usd: "0.01", max_monthly_usd_cents: 50_000 };
/** A cent in nano-USD. */
export const CENT = 10_000_000n;

/** What tests do with metered usage: calls that cost credits, limits and meters, and reports to the marketplace. */
export async function createMeteredCalls(server: BillingServer, provider: "aws" | "azure" | "gcp") {
  let counter = 0;
  await server.db
    .updateTable("plans")
    .set({ billing_mode: "request_pricing" })
    .where("id", "=", METERED_PLAN)
    .execute();

  /** Makes a call that may cost `highest` and then costs `cost`, in nano-USD. */
  async function call({ organizationId }: Buyer, cost: bigint, highest = cost): Promise<void> {
    const requestId = `req_metering_${++counter}`;
    const reservation = { requestId, organizationId, userId: null, apiKeyId: null, amountNano: highest };
    await server.api.credits.reservations.reserve(reservation);
    const row = {
      ...{ id: requestId, organization_id: organizationId, model_id: "o/n", model_class_id: "c", kind: "chat" },
      ...{ outcome: "completed", status: 200, streamed: false, units: 1, duration_ms: 1 },
      ...{ started_at: server.clock.now(), cost_nano_usd: String(cost) },
      ...{ billing_mode: "request_pricing", cost_status: "final" },
    } as const;
    await server.api.credits.settlement.write([row], server.db);
  }
  const put = (token: string, path: string, body: object) => server.call(path, { method: "PUT", token, body });
  const runJob = async (name: string) => server.platform.jobs.find((job) => job.name === name)?.run();
  const report = () => runJob("report metered usage to marketplaces");

  return {
    call,
    runJob,
    report,
    /** Lets the present hour end, and runs the job that reports it. */
    async endHour(): Promise<void> {
      server.clock.at = Math.floor(server.clock.at / HOUR_MS) * HOUR_MS + HOUR_MS + 5 * MINUTE_MS;
      await report();
    },
    setMeter: async (meter: object) =>
      put((await server.signInAdmin()).token, `/api/admin/marketplace-meters/${provider}/${METERED_PLAN}`, meter),
    setLimit: (who: Buyer, limitCents: number | null) =>
      put(who.key, "/api/cloud-marketplace/metering", { monthly_limit_usd_cents: limitCents }),
    /** Returns the usage of a purchase, newest first. */
    async usageOf(reference: string): Promise<MeteredUsage[]> {
      const { token } = await server.signInAdmin();
      const answer = await server.call(`/api/admin/marketplace-usage?search=${reference}`, { token });
      expect(answer.status).toBe(200);
      return (answer.body as { items: MeteredUsage[] }).items;
    },
  };
}

/** What `createMeteredCalls` returns. */
export type MeteredCalls = Awaited<ReturnType<typeof createMeteredCalls>>;
