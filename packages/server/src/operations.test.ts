import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadContract } from "./http/contract.ts";
import { handlersOf } from "./routes.ts";
import { type Account, createTestServer, type TestServer } from "./testing/server.ts";

/** Operations that are described but not built yet. This list must be empty when the mission is done. */
const NOT_BUILT: string[] = [
  "account.authorizations.delete",
  "account.authorizations.list",
  "admin.applications",
  "admin.coupons.create",
  "admin.coupons.delete",
  "admin.coupons.list",
  "admin.deployments.get",
  "admin.deployments.list",
  "admin.deployments.redeploy",
  "admin.models.create",
  "admin.models.delete",
  "admin.models.get",
  "admin.models.list",
  "admin.models.redeploy",
  "admin.models.update",
  "admin.plans.update",
  "admin.reviews.list",
  "admin.reviews.update",
  "admin.store.pulls.cancel",
  "admin.store.pulls.create",
  "admin.store.pulls.list",
  "applications.create",
  "applications.delete",
  "applications.get",
  "applications.list",
  "applications.regenerateSecret",
  "applications.setStatus",
  "applications.update",
  "auth.trialEligibility",
  "credits.topUp",
  "deployments.create",
  "deployments.delete",
  "deployments.events",
  "deployments.get",
  "deployments.list",
  "deployments.login",
  "deployments.logs",
  "deployments.metrics",
  "deployments.pause",
  "deployments.providers",
  "deployments.resume",
  "deployments.update",
  "embeddings.create",
  "invoices.get",
  "invoices.list",
  "marketplace.accounts",
  "marketplace.subscribe",
  "messages.create",
  "models.favorite",
  "models.favorites",
  "models.request",
  "models.reviews.helpful",
  "models.reviews.report",
  "models.unfavorite",
  "models.unlock",
  "oauth.application",
  "oauth.authorize",
  "oauth.device",
  "oauth.metadata",
  "oauth.revoke",
  "oauth.token",
  "oauth.userinfo",
  "oauth.verifyDevice",
  "paymentMethods.delete",
  "paymentMethods.list",
  "paymentMethods.makeDefault",
  "paymentMethods.setupIntents.confirm",
  "paymentMethods.setupIntents.create",
  "privateModels.compatibility",
  "privateModels.create",
  "privateModels.get",
  "privateModels.list",
  "privateModels.unload",
  "referral.code",
  "referral.setReferrer",
  "referral.summary",
  "responses.create",
  "subscription.cancel",
  "subscription.change",
  "subscription.checkout",
  "subscription.coupons.apply",
  "subscription.coupons.get",
  "subscription.coupons.remove",
  "subscription.customerPortal",
  "subscription.resume",
  "subscription.retentionCoupon.apply",
  "subscription.retentionCoupon.get",
  "tokenize.create",
];

const contract = loadContract();
const operations = [...contract.operations.values()];
const rows = operations.map((operation) => [operation.operationId, operation] as const);

let server: TestServer;
let user: Account;
let admin: Account;
let weakKey = "";
let adminsPlainKey = "";

beforeAll(async () => {
  server = await createTestServer();
  user = await server.signUp();
  admin = await server.signInAdmin();
  weakKey = (await server.createKey(user)).secret;
  adminsPlainKey = (await server.createKey(admin, { scopes: ["user.read", "user.write", "api.access"] })).secret;
  // A key without any scope cannot be made; it stands for the weakest that the database could hold.
  await server.db.updateTable("api_keys").set({ scopes: [] }).where("last4", "=", weakKey.slice(-4)).execute();
  server.deps.forgetKeys();
});
afterAll(() => server.close());

type Operation = (typeof operations)[number];

/** The status of a call without a body. Streams are cut off; writes are refused for their empty body at the latest. */
async function statusOf({ method, path }: Operation, token?: string): Promise<number> {
  const address = `/api${path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => (name === "provider" ? "github" : "none")).replace(/models\/none/, "models/owner%2Fname")}`;
  const cut = new AbortController();
  const response = await server.send(address, { method, token, signal: cut.signal });
  cut.abort();
  return response.status;
}

const isOpen = ({ security }: Operation) =>
  security.length === 0 || security.some((alternative) => Object.keys(alternative).length === 0);
const needsAdmin = ({ security }: Operation) =>
  security.some((alternative) => Object.values(alternative).flat().includes("admin"));
const scopesOf = ({ security }: Operation) => security.find((alternative) => "bearer" in alternative)?.bearer;

describe("what the contract says of access", () => {
  it.each(rows)("%s without a credential", async (_id, operation) => {
    const status = await statusOf(operation);
    if (isOpen(operation)) expect([401, 403]).not.toContain(status === 401 && isOwnRefusal(operation) ? 400 : status);
    else expect(status).toBe(401);
  });

  it.each(rows.filter(([, operation]) => !isOpen(operation)))(
    "%s as a user who is no admin",
    async (_id, operation) => {
      if (operation.operationId === "account.delete") return expect(needsAdmin(operation)).toBe(false); // it would end the session
      const status = await statusOf(operation, user.token);
      if (needsAdmin(operation)) expect(status).toBe(404);
      else expect([401, 403]).not.toContain(status);
    },
  );

  it.each(rows.filter(([, operation]) => needsAdmin(operation)))("%s as an admin", async (_id, operation) => {
    expect([401, 403]).not.toContain(await statusOf(operation, admin.token));
  });

  it.each(rows.filter(([, operation]) => needsAdmin(operation)))(
    "%s with an admin's key that lacks the scope",
    async (_id, operation) => {
      expect(await statusOf(operation, adminsPlainKey)).toBe(404);
    },
  );

  it.each(rows.filter(([, operation]) => !isOpen(operation) && !needsAdmin(operation)))(
    "%s with a key without scopes",
    async (_id, operation) => {
      const scopes = scopesOf(operation);
      const status = await statusOf(operation, weakKey);
      if (scopes === undefined)
        expect(status).toBe(401); // sessions only
      else if (scopes.length > 0) expect(status).toBe(403);
      else expect([401, 403]).not.toContain(status);
    },
  );

  it.each(rows)("%s with a key that does not exist", async (_id, operation) => {
    expect(await statusOf(operation, "rc_nonsense")).toBe(401);
  });
});

describe("handlers", () => {
  it("exist in the contract, every one", () => {
    expect(Object.keys(handlersOf(server.deps)).filter((name) => !contract.operations.has(name))).toEqual([]);
  });

  it("exist for every operation but those listed here", () => {
    const handlers = handlersOf(server.deps);
    expect(
      operations
        .map(({ operationId }) => operationId)
        .filter((id) => !(id in handlers))
        .sort(),
    ).toEqual(NOT_BUILT);
  });
});

/** Calls that prove somebody's identity may answer 401 for what their body says. */
function isOwnRefusal({ operationId }: Operation): boolean {
  return ["auth.login", "auth.secondFactor", "oauth.token", "oauth.revoke"].includes(operationId);
}
