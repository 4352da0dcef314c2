import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createChatRequest } from "../../../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../../../testing/server.ts";

let server: TestServer;
let account: Account;
let secret: string;

beforeAll(async () => {
  server = await createTestServer();
  await server.addUpstream();
  account = await server.signUp();
  const other = await server.signUp();
  for (const { token } of [account, other]) {
    await server.call("/api/feather/models/feather/demo/favorite", { method: "PUT", token });
    await server.call("/api/feather/models/feather/demo/reviews", { token, body: { rating: 5, review: "Says so." } });
  }
  secret = (await server.createKey(account, { name: "laptop" })).secret;
  const answer = await server.call("/v1/chat/completions", { token: secret, body: createChatRequest({}) });
  expect(answer.status).toBe(200);
  await server.api.gateway.usageWriter.flush();
});
afterAll(() => server.close());

test("the export contains the data of the user and no data of others", async () => {
  const { status, headers, body } = await server.call("/api/account/export", { token: account.token });
  expect(status).toBe(200);
  expect(headers.get("content-disposition")).toContain("attachment");
  expect(body).toMatchObject({
    user: { id: account.userId, email: account.email },
    organizations: [{ organization_id: account.organizationId, role: "admin" }],
    sessions: [{ revoked_at: null }],
    api_keys: [{ name: "laptop" }],
    reviews: [{ model_id: "feather/demo", rating: 5 }],
    favorites: [{ model_id: "feather/demo" }],
    requests: [{ model_id: "feather/demo" }],
    linked_accounts: [],
    allowed_applications: [],
    invoices: [],
    credit_notes: [],
    billing_details: [],
    vat_id_checks: [],
    automatic_top_ups: [],
    payment_methods: [],
  });
});

test("the export contains all requests, however many there are", async () => {
  const before = await server.db.selectFrom("requests").select("id").where("user_id", "=", account.userId).execute();
  const { columns } = await readRequestColumns();
  await sql`
    insert into requests (id, ${columns})
    select 'req_copy_' || copy, ${columns} from requests, generate_series(1, 10_001) copy where id = ${before[0]?.id}
  `.execute(server.db);
  const { body } = await server.call("/api/account/export", { token: account.token });
  const { requests } = body as { requests: { id: string }[] };
  expect(requests).toHaveLength(10_002);
  expect(new Set(requests.map(({ id }) => id)).size).toBe(10_002);
  await sql`delete from requests where id like 'req_copy_%'`.execute(server.db);
});

/** Returns all columns of `requests` except the id, to copy rows. */
async function readRequestColumns() {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_name = 'requests' and table_schema = 'public' and column_name <> 'id' and is_generated = 'NEVER'
  `.execute(server.db);
  return { columns: sql.join(rows.map(({ name }) => sql.ref(name))) };
}

test("the export contains purchases, referrals, invitations, model requests and mails", async () => {
  const { token, organizationId, userId } = account;
  const { credits } = server.api.credits;
  await credits.grant(organizationId, 5n, { kind: "grant", description: "Hello", reference: "export:1" });
  const admin = await server.signInAdmin();
  await server.call(`/api/admin/users/${userId}`, {
    method: "PUT",
    token: admin.token,
    body: { plan_id: "feather_max" },
  });
  await server.call("/api/account/referral/code", { token });
  await server.call("/api/organization/invitations", { token, body: { email: "friend@example.com", role: "viewer" } });
  await server.db
    .insertInto("model_requests")
    .values({
      model_id: "o/Wanted",
      id_lower: "o/wanted",
      organization_id: organizationId,
      requested_by: userId,
      created_at: new Date(),
    })
    .execute();
  const { body } = await server.call("/api/account/export", { token });
  expect(body).toMatchObject({
    subscriptions: [{ plan_id: "feather_max", ended_at: null }],
    credit_transactions: [{ amount_nano_usd: "5", description: "Hello" }],
    referral_codes: [{ code: expect.any(String) }],
    referrals: [],
    referral_rewards: [],
    applications: [],
    deployments: [],
    private_models: [],
    marketplace_accounts: [],
    invitations_sent: [{ email: "friend@example.com", role: "viewer" }],
    model_requests: [{ model_id: "o/Wanted" }],
  });
  const { mails } = body as { mails: { kind: string; recipient: string }[] };
  expect(mails.map(({ kind }) => kind)).toContain("plan_granted");
  expect(new Set(mails.map(({ recipient }) => recipient))).toEqual(new Set([account.email]));
});

test("the export contains no secrets", async () => {
  const { text } = await server.call("/api/account/export", { token: account.token });
  for (const hidden of [secret, account.token, "hash", "sealed"]) expect(text).not.toContain(hidden);
});
