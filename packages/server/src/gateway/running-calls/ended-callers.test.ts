import { parseEvents } from "@feather/testing/chat-events";
import { createTestClock } from "@feather/testing/clock";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createChatRequest, errorOf } from "../../testing/chat.ts";
import { createOAuthClient, type TokenBody } from "../../testing/oauth.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";

const DAY_MS = 86_400_000;
const JOB = "end calls of callers who may no longer make them";
const clock = createTestClock();
let server: TestServer;
let admin: Account;
let owner: Account;
/** A developer of the organization of `owner`. */
let member: Account;
let key: { id: string; secret: string };
let keyOfMember: { id: string; secret: string };

beforeAll(async () => {
  server = await createTestServer({ clock });
  admin = await server.signInAdmin();
});
beforeEach(async () => {
  owner = await server.signUpOnPlan({});
  key = await server.createKey(owner);
  member = await server.signUp();
  await server.db
    .insertInto("memberships")
    .values({ organization_id: owner.organizationId, user_id: member.userId, role: "developer" })
    .execute();
  const { organizationId } = owner;
  await server.call("/api/organization/switch", { token: member.token, body: { organization_id: organizationId } });
  keyOfMember = await server.createKey(member);
});
afterEach(() => server.removeUpstreams());
afterAll(() => server.close());

/** Starts a streamed call and a buffered one. */
function startCalls(token: string) {
  return {
    streamed: server.call("/v1/chat/completions", { token, body: createChatRequest({ stream: true }) }),
    whole: server.call("/v1/chat/completions", { token, body: createChatRequest() }),
  };
}

/**
 * Runs calls with a credential and with another one of the same organization, ends the first credential, and returns how
 * its calls ended. Checks that the other calls were not affected.
 */
async function endDuringCalls(token: string, end: () => Promise<unknown>, otherToken = owner.token) {
  const upstream = await server.addUpstream({ delayMs: 60_000 });
  const other = new AbortController();
  const body = createChatRequest({ stream: true });
  const otherCall = server.send("/v1/chat/completions", { token: otherToken, body, signal: other.signal });
  const otherEnd = otherCall.then((response) => response.text()).catch(() => "gone");
  const { streamed, whole } = startCalls(token);
  await waitFor(() => expect(upstream.active()).toBe(3));
  await server.runJob(JOB);
  expect(server.api.gateway.running.count(), "while nothing has ended").toBe(3);
  await end();
  await server.runJob(JOB);
  const events = parseEvents((await streamed).text);
  const refused = await whole;
  expect(server.api.gateway.running.count(), "calls with another credential go on").toBe(1);
  other.abort();
  await otherEnd;
  await waitFor(() => expect(upstream.active()).toBe(0));
  return {
    streamed: errorOf(JSON.parse(events.at(-1) ?? "{}")).code,
    whole: [refused.status, errorOf(refused.body).code],
  };
}

const endsWith = (code: string) => ({ streamed: code, whole: [401, code] });

describe("a running call ends with an error in its stream when", () => {
  const change = (body: object) => server.call(`/api/api-keys/${key.id}`, { method: "PUT", token: owner.token, body });

  test.each<[string, string, () => Promise<unknown>]>([
    ["deleted", "unauthorized", () => server.call(`/api/api-keys/${key.id}`, { method: "DELETE", token: owner.token })],
    ["switched off", "key_disabled", () => change({ disabled: true })],
    [
      "expired",
      "key_expired",
      async () => {
        await change({ expires_at: new Date(clock.at + 60_000).toISOString() });
        clock.at += 61_000;
      },
    ],
  ])("a running call ends with an error in its stream when its key is %s", async (_what, code, end) => {
    expect(await endDuringCalls(key.secret, end)).toEqual(endsWith(code));
  });

  const rotate = (graceSeconds: number) =>
    server.call(`/api/api-keys/${key.id}/rotate`, { token: owner.token, body: { grace_s: graceSeconds } });

  test("the secret of its key is replaced", async () => {
    expect(await endDuringCalls(key.secret, () => rotate(0))).toEqual(endsWith("key_expired"));
  });

  test("the grace period of the replaced secret of its key is over", async () => {
    await rotate(60);
    const end = async () => {
      clock.at += 61_000;
    };
    expect(await endDuringCalls(key.secret, end)).toEqual(endsWith("key_expired"));
  });

  const suspend = () =>
    server.call(`/api/admin/users/${member.userId}`, {
      method: "PUT",
      token: admin.token,
      body: { suspended: true, reason: "Sends unsolicited mail" },
    });
  const remove = () =>
    server.call(`/api/organization/members/${member.userId}`, { method: "DELETE", token: owner.token });

  test("the user of its key is suspended", async () => {
    expect(await endDuringCalls(keyOfMember.secret, suspend)).toEqual(endsWith("account_suspended"));
  });

  test("the user of its session is suspended", async () => {
    expect(await endDuringCalls(member.token, suspend)).toEqual(endsWith("session_ended"));
  });

  test("the user of its key leaves the organization", async () => {
    expect(await endDuringCalls(keyOfMember.secret, remove)).toEqual(endsWith("unauthorized"));
  });

  test("the user of its session leaves the organization", async () => {
    expect(await endDuringCalls(member.token, remove)).toEqual(endsWith("session_ended"));
  });

  test("a running call ends with an error in its stream when its session ends", async () => {
    const logout = () => server.call("/api/auth/logout", { method: "POST", token: member.token });
    expect(await endDuringCalls(member.token, logout)).toEqual(endsWith("session_ended"));
  });

  test.each<[string, (app: string) => Promise<unknown>]>([
    [
      "its user takes the permission back",
      async () => {
        const { body } = await server.call("/api/account/authorizations", { token: member.token });
        const [grant] = (body as { items: { id: string }[] }).items;
        await server.call(`/api/account/authorizations/${grant?.id}`, { method: "DELETE", token: member.token });
      },
    ],
    [
      "its application is deleted",
      (id) => server.call(`/api/application/${id}`, { method: "DELETE", token: owner.token }),
    ],
    ["its user is removed from the organization", remove],
  ])("an application makes it and %s", async (_what, end) => {
    const oauth = createOAuthClient(server);
    const app = await oauth.register(owner);
    const { access_token: token } = await oauth.tokensFor(member, app);
    expect(await endDuringCalls(token, () => end(app.id))).toEqual(endsWith("unauthorized"));
  });
});

describe("a call that an application makes with an access token", () => {
  async function authorize() {
    const oauth = createOAuthClient(server);
    const app = await oauth.register(owner);
    const tokens = await oauth.tokensFor(member, app);
    return {
      ...tokens,
      revoke: (secret: string) => oauth.revoke(app, secret),
      refresh: async () => (await oauth.refresh(app, tokens.refresh_token)).body as TokenBody,
    };
  }

  test("a call that an application makes with an access token ends when this token is revoked, and a call with another token continues", async () => {
    const { access_token: token, revoke, refresh } = await authorize();
    const { access_token: other } = await refresh();
    expect(await endDuringCalls(token, () => revoke(token), other)).toEqual(endsWith("unauthorized"));
  });

  test("a call that an application makes with an access token ends when the refresh token is withdrawn that it came with", async () => {
    const { access_token: token, refresh_token, revoke } = await authorize();
    expect(await endDuringCalls(token, () => revoke(refresh_token))).toEqual(endsWith("unauthorized"));
  });

  test("a call that an application makes with an access token continues when the token expires", async () => {
    const { access_token: token } = await authorize();
    const upstream = await server.addUpstream({ delayMs: 60_000 });
    const caller = new AbortController();
    const body = createChatRequest({ stream: true });
    const call = server.send("/v1/chat/completions", { token, body, signal: caller.signal });
    const end = call.then((response) => response.text()).catch(() => "gone");
    await waitFor(() => expect(upstream.active()).toBe(1));
    clock.at += DAY_MS;
    await server.runJob(JOB);
    expect(server.api.gateway.running.count()).toBe(1);
    caller.abort();
    await end;
    await waitFor(() => expect(upstream.active()).toBe(0));
  });
});

test("the calls of a caller are checked twice a second", () => {
  const job = server.platform.jobs.find(({ name }) => name === JOB);
  expect(job?.everySeconds).toBe(0.5);
});
