import { parseEvents } from "@feather/testing/chat-events";
import { createTestClock } from "@feather/testing/clock";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createChatRequest, errorOf } from "../testing/chat.ts";
import { createOAuthClient } from "../testing/oauth.ts";
import { type Account, createTestServer, type TestServer } from "../testing/server.ts";

const JOB = "end calls of callers who may no longer make them";
const clock = createTestClock();
let server: TestServer;
let admin: Account;
let owner: Account;
/** A developer in the organization of `owner`. */
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

/** Starts a call that is streamed and one that is not. */
function startCalls(token: string) {
  return {
    streamed: server.call("/v1/chat/completions", { token, body: createChatRequest({ stream: true }) }),
    whole: server.call("/v1/chat/completions", { token, body: createChatRequest() }),
  };
}

/**
 * Runs calls with a credential while another of the same organization runs too, ends the credential, and returns how
 * the calls ended, after checking that nothing else did.
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
  ])("its key is %s", async (_what, code, end) => {
    expect(await endDuringCalls(key.secret, end)).toEqual(endsWith(code));
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

  test("its session ends", async () => {
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

test("the calls of a caller are checked twice a second", () => {
  const job = server.platform.jobs.find(({ name }) => name === JOB);
  expect(job?.everySeconds).toBe(0.5);
});
