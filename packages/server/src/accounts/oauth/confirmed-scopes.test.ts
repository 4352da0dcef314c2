import { createTestClock } from "@feather/testing/clock";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  type Application,
  CLI_CLIENT_ID,
  createOAuthClient,
  DEVICE_GRANT,
  errorOf,
  LOOPBACK_URL,
  PKCE,
  VERIFIER,
} from "../../testing/oauth.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";

const clock = createTestClock();
const SENSITIVE = ["members.write", "billing.write"];
const CLIENT = { id: CLI_CLIENT_ID, client_secret: null };
let server: TestServer;
let oauth: ReturnType<typeof createOAuthClient>;
let user: Account;
let app: Application;

beforeAll(async () => {
  server = await createTestServer({ clock });
  oauth = createOAuthClient(server);
});
beforeEach(async () => {
  user = await server.signUp();
  app = await oauth.register(user, { scopes: ["user.read", ...SENSITIVE] });
});
afterAll(() => server.close());

describe("consent to an application that asks for members and money", () => {
  test("consent to an application that asks for members and money grants neither scope unless the user confirms each", async () => {
    expect((await oauth.tokensFor(user, app)).scope).toBe("user.read");
    expect((await oauth.tokensFor(user, app, { confirmed_scope: "billing.write" })).scope).toBe(
      "user.read billing.write",
    );
    const all = await oauth.tokensFor(user, app, { confirmed_scope: SENSITIVE.join(" ") });
    expect(all.scope).toBe("user.read members.write billing.write");
  });

  test("consent to an application that asks for members and money rejects the calls of unconfirmed scopes", async () => {
    const { access_token: token } = await oauth.tokensFor(user, app);
    const invite = { email: "friend@example.com", role: "admin" };
    expect((await server.call("/api/organization/invitations", { token, body: invite })).status).toBe(403);
    expect((await server.call("/api/organization", { method: "PUT", token, body: { name: "X" } })).status).toBe(403);
    expect((await server.call("/api/usage/credits/top-up", { token, body: { amount_usd_cents: 5000 } })).status).toBe(
      403,
    );
    expect((await server.call("/api/subscription", { method: "DELETE", token })).status).toBe(403);
  });

  test("consent to an application that asks for members and money remembers the confirmed scopes of a confidential application", async () => {
    await oauth.tokensFor(user, app, { confirmed_scope: SENSITIVE.join(" ") });
    expect((await oauth.tokensFor(user, app)).scope).toBe("user.read members.write billing.write");
  });

  test("consent to an application that asks for members and money remembers nothing for a public application", async () => {
    const fields = { redirect_uri: LOOPBACK_URL, ...PKCE, scope: "user.read billing.write" };
    const redeem = { redirect_uri: LOOPBACK_URL, code_verifier: VERIFIER };
    const cli = { ...app, ...CLIENT };
    const scopeOf = async (code: string) => ((await oauth.redeem(cli, code, redeem)).body as { scope: string }).scope;
    const confirmed = await oauth.codeFor(user, CLIENT, { ...fields, confirmed_scope: "billing.write" });
    expect(await scopeOf(confirmed)).toBe("user.read billing.write");
    expect(await scopeOf(await oauth.codeFor(user, CLIENT, fields))).toBe("user.read");
  });

  test("consent to an application that asks for members and money grants no scope that was confirmed but not requested", async () => {
    const { scope } = await oauth.tokensFor(user, app, { scope: "user.read", confirmed_scope: "billing.write" });
    expect(scope).toBe("user.read");
  });

  test("consent to an application that asks for members and money is denied where only such scopes were requested and none was confirmed", async () => {
    const query = await oauth.readRedirectQuery(oauth.authorize(user, app.id, { scope: "billing.write" }));
    expect(query.get("error")).toBe("access_denied");
  });

  test("consent to an application that asks for members and money shows which permissions must be confirmed", async () => {
    const { body } = await server.call(`/api/oauth/applications/${app.id}`, { token: user.token });
    const { scopes } = body as { scopes: { id: string; needs_confirmation: boolean }[] };
    expect(scopes.filter((scope) => scope.needs_confirmation).map(({ id }) => id)).toEqual(SENSITIVE);
  });

  test("consent to an application that asks for members and money requires the same confirmation in the device flow", async () => {
    const scopeAfter = async (fields: object) => {
      const started = (await oauth.startDevice(CLIENT, { scope: "user.read members.write billing.write" })).body as {
        device_code: string;
        user_code: string;
      };
      const body = { user_code: started.user_code, decision: "approve", ...fields };
      expect((await server.call("/api/oauth/device/verify", { token: user.token, body })).status).toBe(204);
      clock.at += 60_000;
      const answer = await oauth.token(CLIENT, { grant_type: DEVICE_GRANT, device_code: started.device_code });
      expect(errorOf(answer)).toEqual([200, undefined]);
      return (answer.body as { scope: string }).scope;
    };
    expect(await scopeAfter({})).toBe("user.read");
    expect(await scopeAfter({ confirmed_scope: "members.write" })).toBe("user.read members.write");
  });
});
