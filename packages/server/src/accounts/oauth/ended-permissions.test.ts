import { createTestClock } from "@feather/testing/clock";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { MINUTE_MS } from "../../platform/core/time.ts";
import { type Application, createOAuthClient } from "../../testing/oauth.ts";
import { findMailedToken, listMessages } from "../../testing/outbox.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";

// What an application made in its user's organization, beside the credentials of delegated-keys.test.ts.

const SCOPES = ["user.read", "members.write"];
const URL_OF_APP = "https://hooks.example.com/feather";
const NOTICE_JOB = "mail about webhooks of ended permissions";
const clock = createTestClock();
let server: TestServer;
let oauth: ReturnType<typeof createOAuthClient>;
let owner: Account;
let user: Account;
let app: Application;
let token: string;

const allow = () => oauth.tokensFor(user, app, { confirmed_scope: "members.write" });

beforeAll(async () => {
  server = await createTestServer({ clock });
  oauth = createOAuthClient(server);
  owner = await server.signUp("owner@example.com");
});
beforeEach(async () => {
  user = await server.signUpOnPlan({});
  app = await oauth.register(owner, { scopes: SCOPES });
  token = (await allow()).access_token;
});
afterAll(() => server.close());

async function withdraw(): Promise<void> {
  const { body } = await server.call("/api/account/authorizations", { token: user.token });
  const [grant] = (body as { items: { id: string }[] }).items;
  const answer = await server.call(`/api/account/authorizations/${grant?.id}`, { method: "DELETE", token: user.token });
  expect(answer.status).toBe(204);
}

async function resetPassword(): Promise<void> {
  await server.call("/api/auth/forgot-password", { body: { email: user.email } });
  await server.api.identity.passwordReset.settled();
  const body = { token: await findMailedToken(server, user.email, "password_reset"), password: "birds-of-a-feather" };
  const answer = await server.call("/api/auth/reset-password", { body });
  expect(answer.status).toBe(200);
  user = { ...user, token: answer.headers.get("x-session-token") ?? "" };
}

async function useRefreshTokenTwice(): Promise<void> {
  const { refresh_token } = await allow();
  await oauth.refresh(app, refresh_token);
  await oauth.refresh(app, refresh_token);
}

const ENDS = [
  ["the user takes the permission back", withdraw],
  ["the user resets the password", resetPassword],
  ["a refresh token of the application is used twice", useRefreshTokenTwice],
  [
    "the application is deleted",
    () => server.call(`/api/application/${app.id}`, { method: "DELETE", token: owner.token }),
  ],
] as const satisfies readonly (readonly [string, () => Promise<unknown>])[];

type Endpoint = { id: string; disabled_reason: string | null };
const webhooks = (path: string, by: string, body?: object, method = "POST") =>
  server.call(`/api/webhooks${path}`, { token: by, method, ...(body && { body }) });
const createEndpoint = async (by: string) => {
  const answer = await webhooks("", by, { url: URL_OF_APP, event_types: ["member.added"] });
  expect(answer.status).toBe(201);
  return answer.body as Endpoint;
};
const reasonOf = async ({ id }: Endpoint) =>
  ((await webhooks(`/${id}`, user.token, undefined, "GET")).body as Endpoint).disabled_reason;
const noticesTo = async (email: string) => (await listMessages(server, email, "webhook_disabled")).length;

describe("a webhook endpoint that an application made", () => {
  test.each(ENDS)(
    "a webhook endpoint that an application made is disabled when %s, and the admins are told once",
    async (_what, end) => {
      const made = await createEndpoint(token);
      const own = await createEndpoint(user.token);
      await end();
      expect([await reasonOf(made), await reasonOf(own)]).toEqual(["permission_ended", null]);
      await server.runJob(NOTICE_JOB);
      await server.runJob(NOTICE_JOB);
      expect(await noticesTo(user.email)).toBe(1);
      const [message] = await listMessages(server, user.email, "webhook_disabled");
      expect(message?.body).toContain("An application made or changed it");
    },
  );

  test("a webhook endpoint that an application made gets none of the events that were waiting for it", async () => {
    const made = await createEndpoint(token);
    expect((await webhooks(`/${made.id}/test`, user.token)).status).toBe(202);
    await server.db.updateTable("webhook_deliveries").set({ status: "pending" }).execute();
    await withdraw();
    const deliveries = server.db.selectFrom("webhook_deliveries").select("status").where("endpoint_id", "=", made.id);
    expect(await deliveries.execute()).toEqual([{ status: "failed" }]);
  });

  test.each([
    ["changed the address of", (id: string) => webhooks(`/${id}`, token, { url: `${URL_OF_APP}/2` }, "PUT")],
    ["made the latest secret of", (id: string) => webhooks(`/${id}/rotate`, token)],
  ])("a webhook endpoint of the user's own is disabled, too, if the application %s it", async (_what, change) => {
    const own = await createEndpoint(user.token);
    expect((await change(own.id)).status).toBe(200);
    await withdraw();
    expect(await reasonOf(own)).toBe("permission_ended");
  });

  test("a webhook endpoint that an application made works again once a member enables it, and nobody is told that it is disabled", async () => {
    const made = await createEndpoint(token);
    await withdraw();
    expect((await webhooks(`/${made.id}`, user.token, { disabled: false }, "PUT")).status).toBe(200);
    await server.runJob(NOTICE_JOB);
    expect([await reasonOf(made), await noticesTo(user.email)]).toEqual([null, 0]);
  });
});

describe("an invitation that an application sent", () => {
  const invite = async (by: string, email: string) => {
    const answer = await server.call("/api/organization/invitations", { token: by, body: { email, role: "viewer" } });
    expect(answer.status).toBe(201);
    return (answer.body as { id: string }).id;
  };
  const open = async () => {
    const { body } = await server.call("/api/organization/invitations", { token: user.token });
    return (body as { items: { email: string }[] }).items.map(({ email }) => email);
  };
  const resend = (id: string, by: string) =>
    server.call(`/api/organization/invitations/${id}/resend`, { method: "POST", token: by });

  test.each(ENDS.filter(([what]) => !what.includes("password")))(
    "an invitation that an application sent is withdrawn when %s, and one of its user is not",
    async (_what, end) => {
      await invite(token, "planted@example.com");
      await invite(user.token, "friend@example.com");
      await end();
      expect(await open()).toEqual(["friend@example.com"]);
    },
  );

  test("an invitation belongs to whoever sent it last", async () => {
    const planted = await invite(token, "planted@example.com");
    const own = await invite(user.token, "friend@example.com");
    clock.at += MINUTE_MS;
    const answers = [await resend(planted, user.token), await resend(own, token)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    await withdraw();
    expect(await open()).toEqual(["planted@example.com"]);
  });
});
