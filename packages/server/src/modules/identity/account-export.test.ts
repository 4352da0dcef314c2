import { afterAll, beforeAll, expect, it } from "vitest";
import { ask } from "../../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";

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
  const answer = await server.call("/v1/chat/completions", { token: secret, body: ask({}) });
  expect(answer.status).toBe(200);
  await server.deps.usage.flush();
});
afterAll(() => server.close());

it("holds what is kept about the person, and nothing of anybody else", async () => {
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
    payment_methods: [],
  });
});

it("holds nothing that opens a door", async () => {
  const { text } = await server.call("/api/account/export", { token: account.token });
  for (const hidden of [secret, account.token, "hash", "sealed"]) expect(text).not.toContain(hidden);
});
