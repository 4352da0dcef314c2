import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BillingServer, type Buyer, createBillingServer } from "../../../testing/billing.ts";
import { putMessage } from "../../../testing/outbox.ts";

let server: BillingServer;
beforeAll(async () => {
  server = await createBillingServer("2026-06-01T00:00:00Z");
});
afterAll(async () => {
  await server.verifyBooks();
  await server.close();
});

const deletionOf = ({ token }: Pick<Buyer, "token">) => server.call("/api/account/deletion", { token });
const remove = async ({ token }: Pick<Buyer, "token">) =>
  (await server.call("/api/account", { method: "DELETE", token, body: {} })).status;

describe("the preview of an account deletion", () => {
  test("the preview of an account deletion lists credits, the unused part of the period and the balance", async () => {
    const who = await server.createBuyer();
    await server.change(who, { plan_id: "feather_scale" });
    await server.post(who, "/api/usage/credits/top-up", { amount_usd_cents: 3000 });
    server.clock.at = Date.parse("2026-06-16T00:00:00Z");
    const { secret } = await server.api.identity.auth.startSession(
      who.userId,
      { ip: "127.0.0.1", userAgent: undefined, language: null },
      "password",
    );
    const { status, body } = await deletionOf({ token: secret });
    expect(status).toBe(200);
    expect(body).toEqual({
      organizations_deleted: [
        {
          id: who.organizationId,
          name: expect.any(String),
          credits_nano_usd: "30000000000",
          currency: "USD",
          balance_cents: 0,
          commission_nano_usd: "0",
          paid_plan: {
            plan_id: "feather_scale",
            plan_name: "Scale",
            quantity: 1,
            period_end_date: "2026-07-01T00:00:00.000Z",
            unused_cents: 5000,
          },
          deployments: 0,
          private_models: 0,
          api_keys: 1,
        },
      ],
      organizations_left: [],
    });
    expect(await remove({ token: secret })).toBe(204);
    await server.verifyBooks();
  });

  test("the preview of an account deletion leaves out organizations with other members", async () => {
    const [who, other] = [await server.createBuyer(null), await server.createBuyer(null)];
    await server.db
      .insertInto("memberships")
      .values({ organization_id: other.organizationId, user_id: who.userId, role: "viewer" })
      .execute();
    const { body } = await deletionOf(who);
    expect(body).toMatchObject({
      organizations_deleted: [{ id: who.organizationId }],
      organizations_left: [{ id: other.organizationId }],
    });
  });
});

describe("after an account was deleted", () => {
  test("no message contains the address of an account that was deleted", async () => {
    const who = await server.createBuyer(null, "Gone.Person_1@example.com");
    const like = "goneXperson_1@example.com, be.gone.person_1@example.com or gone.person_1@example.com.au";
    await putMessage(server, { kind: "invitation", to: who.email, subject: "To you", text: "Hello" });
    await putMessage(server, {
      kind: "approval_requested",
      to: "admin@example.com",
      subject: `${who.email} wants in`,
      text: `${who.email} and GONE.person_1@example.com. Not ${like}`,
    });
    expect(await remove(who)).toBe(204);
    const rows = await server.db.selectFrom("outbox").select(["recipient", "subject", "body"]).execute();
    expect(rows.filter(({ recipient }) => recipient.toLowerCase() === who.email.toLowerCase())).toEqual([]);
    expect(rows).toContainEqual({
      recipient: "admin@example.com",
      subject: "(deleted) wants in",
      body: `(deleted) and (deleted). Not ${like}`,
    });
  });

  test("usage reports keep the numbers of a deleted account without naming the user", async () => {
    const who = await server.createBuyer(null);
    const used = async (id: string) => {
      const row = {
        id,
        organization_id: who.organizationId,
        user_id: who.userId,
        api_key_id: "key_1",
        model_id: "o/n",
        model_class_id: "c",
        backend: "b",
        kind: "chat",
        outcome: "completed",
        status: 200,
        streamed: false,
        units: 1,
        prompt_tokens: 7,
        started_at: server.clock.now(),
        duration_ms: 1,
      };
      await server.db.insertInto("requests").values(row).execute();
    };
    const report = async () => {
      const period = {
        start: new Date(server.clock.at - 3_600_000),
        end: new Date(server.clock.at + 3_600_000),
      };
      return server.api.usage.usageRepository.report(period, ["model"]);
    };
    await used("req_1");
    await used("req_2");
    const before = await report();
    expect(before).toMatchObject([{ requests: 2, inputTokens: 14 }]);
    expect(await remove(who)).toBe(204);
    expect(await report()).toEqual(before);
    await used("req_late");
    const late = server.platform.jobs.find(({ name }) => name === "remove the owners of old usage");
    await late?.run();
    expect(await report()).toMatchObject([{ requests: 3, inputTokens: 21 }]);
    const rows = await server.db
      .selectFrom("requests")
      .select(["organization_id", "user_id", "api_key_id"])
      .distinct()
      .where("model_id", "=", "o/n")
      .execute();
    expect(rows).toEqual([{ organization_id: "deleted", user_id: null, api_key_id: null }]);
    const hours = await server.db.selectFrom("usage_hours").select("organization_id").distinct().execute();
    expect(hours).toEqual([{ organization_id: "deleted" }]);
  });
});
