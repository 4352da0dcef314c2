import { createTestClock } from "@feather/testing/clock";
import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DAY_MS, MINUTE_MS } from "../../platform/core/time.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";

const clock = createTestClock();
let server: TestServer;
let owner: Account;
let joe: Account;

beforeAll(async () => {
  server = await createTestServer({ clock });
});
beforeEach(async () => {
  owner = await server.signUp();
  joe = await server.signUp();
});
afterAll(() => server.close());

const invite = (email: string, role = "developer", by = owner) =>
  server.call("/api/organization/invitations", { token: by.token, body: { email, role } });
const accept = (token: string, by: Account) =>
  server.call(`/api/invitations/${token}/accept`, { method: "POST", token: by.token });
const roleOf = (user: Account) =>
  server.db
    .selectFrom("memberships")
    .select("role")
    .where("organization_id", "=", owner.organizationId)
    .where("user_id", "=", user.userId)
    .executeTakeFirst();

/** Returns the secret of the last link that was mailed to this address. */
async function mailed(email: string): Promise<string> {
  const { body } = await server.db
    .selectFrom("outbox")
    .select("body")
    .where("recipient", "=", email)
    .where("kind", "=", "invitation")
    .orderBy("created_at", "desc")
    .executeTakeFirstOrThrow();
  return /\/invitations\/(one_[0-9A-Za-z]{49})/.exec(body)?.[1] ?? "";
}

describe("the link of an invitation", () => {
  test("the link of an invitation is returned once to the inviter if no mail server is set", async () => {
    const sent = await invite(joe.email);
    const { id, link } = sent.body as { id: string; link: string };
    expect(link).toBe(`http://localhost:4000/invitations/${await mailed(joe.email)}`);
    const listed = await server.call("/api/organization/invitations", { token: owner.token });
    expect(listed.text).not.toContain("one_");
    clock.at += MINUTE_MS;
    const again = await server.call(`/api/organization/invitations/${id}/resend`, {
      method: "POST",
      token: owner.token,
    });
    const renewed = (again.body as { link: string }).link;
    expect(renewed).not.toBe(link);
    expect((await accept(renewed.split("/").at(-1) ?? "", joe)).status).toBe(200);
  });

  test("the link of an invitation is not returned where it is sent by mail", async () => {
    const mailing = await createTestServer({ clock, env: { SMTP_URL: "smtp://127.0.0.1:1" } });
    try {
      const { token, userId } = await mailing.signUp();
      const verified = { email_verified_at: clock.now() };
      await mailing.db.updateTable("users").set(verified).where("id", "=", userId).execute();
      const body = { email: "paula@example.com", role: "developer" };
      const sent = await mailing.call("/api/organization/invitations", { token, body });
      expect([sent.status, sent.body]).toMatchObject([201, { link: null }]);
      expect(sent.text).not.toContain("one_");
    } finally {
      await mailing.close();
    }
  });
});

describe("an invitation", () => {
  test("an invitation makes the invited user a member with the given role, and switches their session", async () => {
    const sent = await invite(joe.email.toUpperCase(), "editor");
    expect([sent.status, sent.body]).toMatchObject([201, { role: "editor", invited_by: owner.userId }]);
    const secret = await mailed(joe.email.toUpperCase());
    const accepted = await accept(secret, joe);
    expect([accepted.status, accepted.body]).toMatchObject([
      200,
      { id: joe.userId, organization: { id: owner.organizationId, role: "editor" } },
    ]);
    expect((await server.call("/api/organization", { token: joe.token })).body).toMatchObject({
      id: owner.organizationId,
    });
    expect((await server.call("/api/organization/invitations", { token: owner.token })).body).toEqual({ items: [] });
    const actions = await server.db
      .selectFrom("audit_log")
      .select("action")
      .where("organization_id", "=", owner.organizationId)
      .where("action", "like", "invitations.%")
      .orderBy("sequence")
      .execute();
    expect(actions.map(({ action }) => action)).toEqual(["invitations.create", "invitations.accept"]);
  });

  test("an invitation works once", async () => {
    await invite(joe.email);
    const secret = await mailed(joe.email);
    const answers = await Promise.all(Array.from({ length: 50 }, () => accept(secret, joe)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(49);
    expect((await accept(secret, joe)).status).toBe(404);
  });

  test("an invitation works only for the account with the invited e-mail address", async () => {
    await invite(joe.email);
    const secret = await mailed(joe.email);
    const eve = await server.signUp();
    const refused = await accept(secret, eve);
    expect([refused.status, errorCode(refused.body)]).toEqual([403, "invitations.other_email"]);
    expect(refused.text).not.toContain(joe.email);
    expect(await roleOf(eve)).toBeUndefined();
    expect((await accept(secret, joe)).status).toBe(200);
  });

  test("an invitation expires after seven days, and can be sent again", async () => {
    const { id } = (await invite(joe.email)).body as { id: string };
    const first = await mailed(joe.email);
    clock.at += 7 * DAY_MS;
    expect((await accept(first, joe)).status).toBe(404);
    const again = await server.call(`/api/organization/invitations/${id}/resend`, {
      method: "POST",
      token: owner.token,
    });
    expect(again.body).toMatchObject({ id, expires_at: new Date(clock.at + 7 * DAY_MS).toISOString() });
    const second = await mailed(joe.email);
    expect((await accept(first, joe)).status).toBe(404);
    expect((await accept(second, joe)).status).toBe(200);
  });

  test("an invitation can be resent once a minute at most", async () => {
    const { id } = (await invite(joe.email)).body as { id: string };
    const resend = () =>
      server.call(`/api/organization/invitations/${id}/resend`, { method: "POST", token: owner.token });
    const refused = await resend();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
    clock.at += 60_000;
    expect((await resend()).status).toBe(200);
  });

  test("an invitation is invalid after it was withdrawn", async () => {
    const { id } = (await invite(joe.email)).body as { id: string };
    const secret = await mailed(joe.email);
    const withdraw = () => server.call(`/api/organization/invitations/${id}`, { method: "DELETE", token: owner.token });
    expect((await withdraw()).status).toBe(204);
    expect((await accept(secret, joe)).status).toBe(404);
    expect((await withdraw()).status).toBe(404);
  });

  test("an invitation is invalid after its sender lost the admin role", async () => {
    await server.db
      .insertInto("memberships")
      .values({ organization_id: owner.organizationId, user_id: joe.userId, role: "admin" })
      .execute();
    await server.call("/api/organization/switch", {
      token: joe.token,
      body: { organization_id: owner.organizationId },
    });
    await invite("friend@example.com", "admin", joe);
    await server.call(`/api/organization/members/${joe.userId}`, {
      method: "PUT",
      token: owner.token,
      body: { role: "viewer" },
    });
    expect((await server.call("/api/organization/invitations", { token: owner.token })).body).toEqual({ items: [] });
  });

  test("an invitation confirms the e-mail address it was sent to", async () => {
    await server.db.updateTable("users").set({ email_verified_at: null }).where("id", "=", joe.userId).execute();
    await invite(joe.email);
    expect((await accept(await mailed(joe.email), joe)).body).toMatchObject({ email_verified: true });
  });

  test("an invitation is created once per e-mail address, and not for members", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => invite(joe.email)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(409)]);
    expect(errorCode(answers.find(({ status }) => status === 409)?.body)).toBe("invitations.already_invited");
    expect(errorCode((await invite(owner.email)).body)).toBe("organization.already_member");
  });

  test("an invitation of another organization cannot be seen, sent again or withdrawn", async () => {
    const { id } = (await invite(joe.email)).body as { id: string };
    expect((await server.call("/api/organization/invitations", { token: joe.token })).body).toEqual({ items: [] });
    for (const [method, path] of [
      ["DELETE", id],
      ["POST", `${id}/resend`],
    ] as const) {
      const theirs = await server.call(`/api/organization/invitations/${path}`, { method, token: joe.token });
      expect([theirs.status, errorCode(theirs.body)]).toEqual([404, "invitations.not_found"]);
    }
  });

  test.each([
    ["no e-mail", { role: "viewer" }],
    ["what is no e-mail", { email: "joe", role: "viewer" }],
    ["an unknown role", { email: "joe@example.com", role: "owner" }],
    ["a field of the server", { email: "joe@example.com", role: "viewer", organization_id: "org_1" }],
  ])("an invitation is rejected with %s", async (_what, body) => {
    expect((await server.call("/api/organization/invitations", { token: owner.token, body })).status).toBe(400);
  });

  test("an invitation is limited in number per organization", async () => {
    const row = (index: number) => ({
      id: `invite_${owner.userId}_${index}`,
      organization_id: owner.organizationId,
      email: `n${index}@example.com`,
      email_lower: `n${index}@example.com`,
      role: "viewer",
      secret_hash: Buffer.from(`${owner.userId}${index}`),
      created_at: clock.now(),
      sent_at: clock.now(),
      expires_at: clock.now(),
    });
    await server.db
      .insertInto("invitations")
      .values(Array.from({ length: 100 }, (_none, index) => row(index)))
      .execute();
    expect(errorCode((await invite(joe.email)).body)).toBe("invitations.limit_reached");
  });
});
