import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BillingServer, createBillingServer } from "../../testing/billing.ts";

type Entry = { action: string; target: string | null; target_name: string | null };

let server: BillingServer;
let admin: string;

beforeAll(async () => {
  server = await createBillingServer();
  admin = (await server.signInAdmin()).token;
});
afterAll(() => server.close());

async function entryOf(action: string): Promise<Entry> {
  const { body } = await server.call(`/api/admin/audit?action=${action}`, { token: admin });
  const [entry] = (body as { items: Entry[] }).items;
  if (!entry) throw new Error(`Nothing was recorded as ${action}.`);
  return entry;
}

describe("the log names what has no name of its own:", () => {
  it("a subscription by its plan, a card by its digits, an invoice by its number", async () => {
    const buyer = await server.buyer();
    expect((await server.change(buyer, { plan_id: "feather_basic" })).status).toBe(200);
    const [invoice] = await server.invoices(buyer);
    const refund = { token: admin, method: "POST" };
    expect((await server.call(`/api/admin/invoices/${invoice?.id}/refund`, refund)).status).toBe(200);
    expect((await entryOf("subscription.change")).target_name).toBe("Basic");
    expect((await entryOf("payment_methods.add")).target_name).toBe("Visa 4242");
    expect((await entryOf("invoices.refund")).target_name).toBe(invoice?.number);
  });

  it("an invitation by its address", async () => {
    const { token } = await server.signUp();
    const body = { email: "joe@example.com", role: "developer" };
    expect((await server.call("/api/organization/invitations", { token, body })).status).toBe(201);
    expect((await entryOf("invitations.create")).target_name).toBe("joe@example.com");
  });

  it("a rule of redirects by its path", async () => {
    const body = { path_glob: "/old/**", redirect_to: "/" };
    expect((await server.call("/api/admin/route-rules", { token: admin, body })).status).toBe(201);
    expect((await entryOf("route_rules.create")).target_name).toBe("/old/**");
  });
});
