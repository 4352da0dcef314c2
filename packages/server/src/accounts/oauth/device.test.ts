import { APPLICATION_SCOPES } from "@feather/openapi/scopes";
import { createTestClock } from "@feather/testing/clock";
import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { SECOND_MS } from "../../platform/core/time.ts";
import {
  type Application,
  CLI_CLIENT_ID,
  createOAuthClient,
  DEVICE_GRANT,
  errorOf,
  type TokenBody,
} from "../../testing/oauth.ts";
import { type Account, type Answer, createTestServer, type TestServer } from "../../testing/server.ts";

const ISSUER = "https://feather.example";
const CLIENT = { id: CLI_CLIENT_ID, client_secret: null };
const clock = createTestClock();
let server: TestServer;
let oauth: ReturnType<typeof createOAuthClient>;
let user: Account;

beforeAll(async () => {
  server = await createTestServer({ clock, env: { FEATHER_PUBLIC_URL: ISSUER } });
  oauth = createOAuthClient(server);
});
beforeEach(async () => {
  user = await server.signUp();
});
afterAll(() => server.close());

type Started = { device_code: string; user_code: string };
const start = async (scope = "user.read", application: Pick<Application, "id" | "client_secret"> = CLIENT) =>
  (await oauth.startDevice(application, { scope })).body as Started;
/** Waits for the polling interval, then polls. */
async function poll({ device_code }: Started, application: Pick<Application, "id" | "client_secret"> = CLIENT) {
  clock.at += 60 * SECOND_MS;
  return pollAtOnce(device_code, application);
}
const pollAtOnce = (deviceCode: string, application: Pick<Application, "id" | "client_secret"> = CLIENT) =>
  oauth.token(application, { grant_type: DEVICE_GRANT, device_code: deviceCode });
const open = (userCode: string, by = user) =>
  server.call(`/api/oauth/device/verify?user_code=${encodeURIComponent(userCode)}`, { token: by.token });
const decide = (userCode: string, decision = "approve", by = user) =>
  server.call("/api/oauth/device/verify", { token: by.token, body: { user_code: userCode, decision } });
const statusAndCode = (answer: Answer) => [answer.status, errorCode(answer.body)];
const UNKNOWN = [404, "oauth.code_not_found"];

describe("the device flow", () => {
  test("the device flow lets the command line ask for every scope that an application can have", async () => {
    const { status, text } = await oauth.startDevice(CLIENT, {
      scope: APPLICATION_SCOPES.map(({ id }) => id).join(" "),
    });
    expect([status, text]).toEqual([200, text]);
  });

  test("the device flow returns a user code and the address where it is entered", async () => {
    const { status, body, headers } = await oauth.startDevice(CLIENT, { scope: "api.access" });
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("no-store");
    const { user_code } = body as Started;
    expect(body).toEqual({
      device_code: expect.stringMatching(/^odc_\w{49}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${ISSUER}/device`,
      verification_uri_complete: `${ISSUER}/device?code=${user_code}`,
      expires_in: 600,
      interval: 5,
    });
  });

  test("the device flow gives tokens of the approving user, with the requested scopes, once approved", async () => {
    const started = await start("user.read");
    expect(errorOf(await poll(started))).toEqual([400, "authorization_pending"]);
    expect((await decide(started.user_code)).status).toBe(204);
    const answer = await poll(started);
    const tokens = answer.body as TokenBody;
    expect([answer.status, tokens.scope]).toEqual([200, "user.read"]);
    expect((await oauth.userinfo(tokens.access_token)).body).toMatchObject({ sub: user.userId, email: user.email });
    const renewed = await oauth.token(CLIENT, { grant_type: "refresh_token", refresh_token: tokens.refresh_token });
    expect(renewed.status).toBe(200);
  });

  test("the device flow reports access_denied once the user denies", async () => {
    const started = await start();
    expect((await decide(started.user_code, "deny")).status).toBe(204);
    expect(errorOf(await poll(started))).toEqual([400, "access_denied"]);
    expect(errorOf(await poll(started))).toEqual([400, "access_denied"]);
  });

  test("the device flow gives no code to an application that is not registered for devices", async () => {
    const app = await oauth.register(user);
    expect(errorOf(await oauth.startDevice(app))).toEqual([400, "unauthorized_client"]);
  });

  test("the device flow requires a confidential application to authenticate", async () => {
    const app = await oauth.register(user, { device_flow: true });
    expect(errorOf(await oauth.startDevice({ ...app, client_secret: null }))).toEqual([401, "invalid_client"]);
    expect((await oauth.startDevice(app)).status).toBe(200);
  });

  test.each([
    ["a scope above its own", { scope: "admin" }, "invalid_scope"],
    ["an unknown scope", { scope: "user.read openid" }, "invalid_scope"],
  ])("the device flow rejects a request for %s", async (_what, fields, error) => {
    expect(errorOf(await oauth.startDevice(CLIENT, fields))).toEqual([400, error]);
  });

  test.each([
    ["client_id", "client_id=app_feather_cli&client_id=app_feather_cli"],
    ["scope", "client_id=app_feather_cli&scope=user.read&scope=api.access"],
  ])("the device flow rejects a request that sends %s twice", async (_name, body) => {
    expect(errorOf(await oauth.form("/api/oauth/device", body))).toEqual([400, "invalid_request"]);
  });

  test("the device flow gives no code to an application that is switched off", async () => {
    const app = await oauth.register(user, { device_flow: true });
    await server.db.updateTable("applications").set({ status: "inactive" }).where("id", "=", app.id).execute();
    expect(errorOf(await oauth.startDevice(app))).toEqual([400, "unauthorized_client"]);
  });

  test("the device flow slows down a device that polls too often by five more seconds each time", async () => {
    const { device_code } = await start();
    await pollAtOnce(device_code);
    clock.at += 4 * SECOND_MS;
    expect(errorOf(await pollAtOnce(device_code))).toEqual([400, "slow_down"]);
    clock.at += 6 * SECOND_MS;
    expect(errorOf(await pollAtOnce(device_code))).toEqual([400, "slow_down"]);
    clock.at += 15 * SECOND_MS;
    expect(errorOf(await pollAtOnce(device_code))).toEqual([400, "authorization_pending"]);
  });

  test("the device flow gives no tokens after ten minutes", async () => {
    const [waiting, approved] = [await start(), await start()];
    await decide(approved.user_code);
    clock.at += 600 * SECOND_MS;
    for (const { device_code } of [waiting, approved])
      expect(errorOf(await pollAtOnce(device_code))).toEqual([400, "expired_token"]);
    expect(statusAndCode(await open(waiting.user_code))).toEqual(UNKNOWN);
    expect(statusAndCode(await decide(waiting.user_code))).toEqual(UNKNOWN);
  });

  test("the device flow gives tokens once", async () => {
    const started = await start();
    await decide(started.user_code);
    expect((await poll(started)).status).toBe(200);
    expect(errorOf(await poll(started))).toEqual([400, "invalid_grant"]);
  });

  test("the device flow gives tokens once when a device polls fifty times at once", async () => {
    const started = await start();
    await decide(started.user_code);
    const answers = await Promise.all(Array.from({ length: 50 }, () => pollAtOnce(started.device_code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => ![200, 400].includes(status))).toEqual([]);
  });

  test("the device flow rejects the code of another application, and an unknown one", async () => {
    const app = await oauth.register(user);
    const started = await start();
    await decide(started.user_code);
    expect(errorOf(await poll(started, app))).toEqual([400, "invalid_grant"]);
    expect(errorOf(await pollAtOnce(`odc_${"x".repeat(49)}`))).toEqual([400, "invalid_grant"]);
    expect(errorOf(await pollAtOnce(started.user_code))).toEqual([400, "invalid_grant"]);
    expect((await poll(started)).status).toBe(200);
  });

  test("the device flow gives no tokens once the user is suspended or revokes the grant", async () => {
    const [first, second] = [await start(), await start()];
    await decide(first.user_code);
    const list = await server.call("/api/account/authorizations", { token: user.token });
    const [{ id } = { id: "" }] = (list.body as { items: { id: string }[] }).items;
    await server.call(`/api/account/authorizations/${id}`, { method: "DELETE", token: user.token });
    expect(errorOf(await poll(first))).toEqual([400, "invalid_grant"]);
    await decide(second.user_code);
    await server.db.updateTable("users").set({ suspended_at: clock.now() }).where("id", "=", user.userId).execute();
    expect(errorOf(await poll(second))).toEqual([400, "invalid_grant"]);
  });
});

describe("the user who enters a code", () => {
  test("the user who enters a code sees the application and the requested scopes", async () => {
    const { user_code } = await start("api.access user.read");
    const { status, body } = await open(user_code);
    expect(status).toBe(200);
    expect(body).toEqual({
      user_code,
      application: expect.objectContaining({ id: CLI_CLIENT_ID, name: "Feather command line" }),
      scopes: [expect.objectContaining({ id: "user.read" }), expect.objectContaining({ id: "api.access" })],
      expires_at: new Date(clock.at + 600 * SECOND_MS).toISOString(),
    });
  });

  test.each([
    ["small letters", (code: string) => code.toLowerCase()],
    ["no dash", (code: string) => code.replace("-", "")],
    ["spaces", (code: string) => ` ${code.replace("-", " ")} `],
  ])("the user who enters a code may type it with %s", async (_what, spelt) => {
    const { user_code } = await start();
    expect((await open(spelt(user_code))).status).toBe(200);
    expect((await decide(spelt(user_code))).status).toBe(204);
  });

  test("the user who enters a code is the only one who may decide after opening it first", async () => {
    const started = await start();
    const other = await server.signUp();
    expect((await open(started.user_code)).status).toBe(200);
    expect(statusAndCode(await open(started.user_code, other))).toEqual(UNKNOWN);
    expect(statusAndCode(await decide(started.user_code, "approve", other))).toEqual(UNKNOWN);
    expect(errorOf(await poll(started))).toEqual([400, "authorization_pending"]);
    expect((await decide(started.user_code)).status).toBe(204);
  });

  test.each([
    ["approve", "deny"],
    ["deny", "approve"],
  ])("the user who enters a code decides once: %s, then %s", async (first, second) => {
    const started = await start();
    await decide(started.user_code, first);
    expect(statusAndCode(await decide(started.user_code, second))).toEqual(UNKNOWN);
    expect(statusAndCode(await open(started.user_code))).toEqual(UNKNOWN);
    const expectedStatus = first === "approve" ? 200 : 400;
    expect((await poll(started)).status).toBe(expectedStatus);
  });

  test("the user who enters a code decides once, even with fifty decisions at once", async () => {
    const { user_code } = await start();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => decide(user_code, index % 2 === 0 ? "approve" : "deny")),
    );
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(answers.filter(({ status }) => ![204, 404].includes(status))).toEqual([]);
  });

  test.each(["BBBB-BBBB", "0", "----", "' or '1'='1", "%", "B".repeat(20), "бббб-бббб"])(
    "the user who enters a code finds nothing under %j",
    async (userCode) => {
      expect(statusAndCode(await open(userCode))).toEqual(UNKNOWN);
      expect(statusAndCode(await decide(userCode))).toEqual(UNKNOWN);
    },
  );

  test.each([
    ["no code", {}],
    ["an empty code", { user_code: "" }],
    ["a code without an end", { user_code: "B".repeat(21) }],
    ["no decision", { user_code: "BBBB-BBBB", decision: undefined }],
    ["another decision", { user_code: "BBBB-BBBB", decision: "later" }],
    ["more than is asked for", { user_code: "BBBB-BBBB", user_id: "usr_x" }],
  ])("a decision on a user code with %s is rejected", async (_what, fields) => {
    const body = { decision: "approve", ...fields };
    expect((await server.call("/api/oauth/device/verify", { token: user.token, body })).status).toBe(400);
  });

  test("the user who enters a code must be signed in with a session, not with a token", async () => {
    const { user_code } = await start();
    const app = await oauth.register(user, { scopes: ["user.read", "user.write"] });
    const { access_token } = await oauth.tokensFor(user, app);
    for (const token of [undefined, access_token]) {
      const body = { user_code, decision: "approve" };
      expect((await server.call("/api/oauth/device/verify", { token, body })).status).toBe(401);
      expect((await server.call(`/api/oauth/device/verify?user_code=${user_code}`, { token })).status).toBe(401);
    }
  });

  test("the user who enters a code cannot be made to decide by another site", async () => {
    const started = await start();
    const headers = { cookie: `session=${user.token}`, "sec-fetch-site": "cross-site" };
    const body = { user_code: started.user_code, decision: "approve" };
    expect((await server.call("/api/oauth/device/verify", { headers, body })).status).toBe(403);
    expect(errorOf(await poll(started))).toEqual([400, "authorization_pending"]);
  });

  test("the user who enters a code is recorded in the audit log, whatever the decision", async () => {
    for (const decision of ["approve", "deny"]) await decide((await start()).user_code, decision);
    const rows = await server.db
      .selectFrom("audit_log")
      .selectAll()
      .where("action", "=", "oauth.verify_device")
      .where("actor_user_id", "=", user.userId)
      .orderBy("sequence")
      .execute();
    expect(rows.map(({ target, details }) => [target, (details as { decision: string }).decision])).toEqual([
      [CLI_CLIENT_ID, "approve"],
      [CLI_CLIENT_ID, "deny"],
    ]);
  });
});

describe("the rate limit of the device flow", () => {
  test("the rate limit of the device flow stops guesses of user codes after fifteen attempts", async () => {
    const limited = await createTestServer({ env: { FEATHER_RATE_LIMITS: "on" } });
    try {
      const guesser = await limited.signUp();
      const guess = (index: number) =>
        limited.call("/api/oauth/device/verify", {
          token: guesser.token,
          body: { user_code: `BBBB-BBB${"BCDFGHJKLMNPQRSTVWXZ"[index]}`, decision: "approve" },
        });
      const statuses: number[] = [];
      for (let index = 0; index < 17; index++) statuses.push((await guess(index)).status);
      expect(statuses).toEqual([...Array.from({ length: 15 }, () => 404), 429, 429]);
    } finally {
      await limited.close();
    }
  });

  test("the rate limit of the device flow applies to new device codes as well, with the OAuth error slow_down", async () => {
    const limited = await createTestServer({ env: { FEATHER_RATE_LIMITS: "on" } });
    try {
      const calls = createOAuthClient(limited);
      const answers = await Promise.all(Array.from({ length: 61 }, () => calls.startDevice(CLIENT)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
      expect(answers.filter(({ status }) => status === 429).map(errorOf)).toEqual([[429, "slow_down"]]);
    } finally {
      await limited.close();
    }
  });
});
