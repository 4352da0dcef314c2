import { createTestClock } from "@feather/testing/clock";
import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS } from "../../platform/core/time.ts";
import { findMailedToken, listMessages } from "../../testing/outbox.ts";
import { type Account, createTestServer, PASSWORD, type TestServer } from "../../testing/server.ts";

const clock = createTestClock();
const MAIL = { SMTP_URL: "smtp://127.0.0.1:9", FEATHER_PUBLIC_URL: "https://feather.example" };

/** Starts a server with this mode. Returns its admin and the actions of the tests. */
async function stage(FEATHER_REGISTRATION: string, env: Record<string, string> = {}) {
  const server = await createTestServer({ clock, env: { FEATHER_REGISTRATION, ...env } });
  const admin = await server.signInAdmin();
  const register = (email: string, more: object = {}) =>
    server.call("/api/auth/register", { body: { email, password: PASSWORD, ...more } });
  const login = (email: string, password = PASSWORD) => server.call("/api/auth/login", { body: { email, password } });
  const invite = async (email: string): Promise<string> => {
    const { body } = await server.call("/api/admin/invitations", { token: admin.token, body: { email } });
    return new URL((body as { link: string }).link).searchParams.get("invitation") ?? "";
  };
  const pending = async () =>
    (
      (await server.call("/api/admin/users?status=pending", { token: admin.token })).body as {
        items: { id: string; email: string; approval_requested_at: string | null }[];
      }
    ).items;
  return { server, admin, register, login, invite, pending, close: () => server.close() };
}

type Stage = Awaited<ReturnType<typeof stage>>;
const refused = async (answer: ReturnType<TestServer["call"]>) => [
  (await answer).status,
  errorCode((await answer).body),
];

describe.each(["open", "invite", "approve", "off"])("the site of a server in the mode %s", (mode) => {
  test("the site gets the mode from the server", async () => {
    const { server, close } = await stage(mode);
    expect((await server.call("/api/config")).body).toMatchObject({ registration: mode });
    await close();
  });
});

describe("with FEATHER_REGISTRATION=off", () => {
  let on: Stage;
  beforeAll(async () => {
    on = await stage("off");
  });
  afterAll(() => on.close());

  test("with FEATHER_REGISTRATION=off, registrations and invitations by admins are refused", async () => {
    expect(await refused(on.register("ada@example.com"))).toEqual([403, "registration.closed"]);
    const body = { email: "ada@example.com" };
    expect(await refused(on.server.call("/api/admin/invitations", { token: on.admin.token, body }))).toEqual([
      403,
      "registration.closed",
    ]);
  });
});

describe("with FEATHER_REGISTRATION=invite", () => {
  let on: Stage;
  beforeAll(async () => {
    on = await stage("invite");
  });
  afterAll(() => on.close());

  test("with FEATHER_REGISTRATION=invite, a registration without an invitation or with a made-up one is refused", async () => {
    expect(await refused(on.register("ada@example.com"))).toEqual([403, "registration.invitation_required"]);
    expect(await refused(on.register("ada@example.com", { invitation: "one_made-up" }))).toEqual([
      404,
      "invitations.ended",
    ]);
  });

  test("an invited address registers once, signed in and confirmed", async () => {
    const invitation = await on.invite("Bea@example.com");
    expect(await findMailedToken(on.server, "Bea@example.com", "invitation")).toBe(invitation);
    const shown = await on.server.call(`/api/invitations/${invitation}`);
    expect(shown.headers.get("cache-control")).toBe("no-store");
    expect(shown.body).toMatchObject({ kind: "platform", email: "Bea@example.com", invited_by: "admin" });
    expect(await refused(on.register("eve@example.com", { invitation }))).toEqual([403, "invitations.other_email"]);
    const made = await on.register("bea@example.com", { invitation });
    expect(made).toMatchObject({ status: 201, body: { email_verified: true } });
    expect(made.headers.get("x-session-token")).not.toBeNull();
    expect(await refused(on.register("bea@example.com", { invitation }))).toEqual([404, "invitations.ended"]);
    expect((await on.server.call(`/api/invitations/${invitation}`)).status).toBe(404);
  });

  test("one of fifty concurrent registrations with an invitation succeeds", async () => {
    const invitation = await on.invite("many@example.com");
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => on.register("many@example.com", { invitation })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  test("an invitation ends after seven days, when it is withdrawn and when the address is invited again", async () => {
    const first = await on.invite("cleo@example.com");
    const second = await on.invite("cleo@example.com");
    expect(await refused(on.register("cleo@example.com", { invitation: first }))).toEqual([404, "invitations.ended"]);
    const list = await on.server.call("/api/admin/invitations", { token: on.admin.token });
    const { items } = list.body as { items: { id: string; email: string }[] };
    const { id = "" } = items.find(({ email }) => email === "cleo@example.com") ?? {};
    expect(items.filter(({ email }) => email === "cleo@example.com")).toHaveLength(1);
    expect(list.text).not.toContain("one_");
    const options = { method: "DELETE", token: on.admin.token };
    expect((await on.server.call(`/api/admin/invitations/${id}`, options)).status).toBe(204);
    expect((await on.server.call(`/api/admin/invitations/${id}`, options)).status).toBe(404);
    expect(await refused(on.register("cleo@example.com", { invitation: second }))).toEqual([404, "invitations.ended"]);
    const third = await on.invite("cleo@example.com");
    clock.at += 7 * DAY_MS;
    expect(await refused(on.register("cleo@example.com", { invitation: third }))).toEqual([404, "invitations.ended"]);
  });

  test("an invitation ends with the rights of the admin who sent it", async () => {
    const second = await on.invite("second@example.com");
    const made = await on.register("second@example.com", { invitation: second });
    const { id } = made.body as { id: string };
    const token = made.headers.get("x-session-token") ?? "";
    await on.server.call(`/api/admin/users/${id}`, {
      method: "PUT",
      token: on.admin.token,
      body: { is_admin: true, password: PASSWORD },
    });
    const { body } = await on.server.call("/api/admin/invitations", { token, body: { email: "dan@example.com" } });
    const invitation = new URL((body as { link: string }).link).searchParams.get("invitation") ?? "";
    await on.server.call(`/api/admin/users/${id}`, {
      method: "PUT",
      token: on.admin.token,
      body: { is_admin: false, password: PASSWORD },
    });
    expect(await refused(on.register("dan@example.com", { invitation }))).toEqual([404, "invitations.ended"]);
  });

  test("an invitation to an organization permits no registration, and adds people who have an account", async () => {
    const body = { email: "flo@example.com", role: "viewer" };
    await on.server.call("/api/organization/invitations", { token: on.admin.token, body });
    const invitation = await findMailedToken(on.server, "flo@example.com", "invitation");
    expect((await on.server.call(`/api/invitations/${invitation}`)).body).toMatchObject({
      kind: "organization",
      organization: "admin",
      role: "viewer",
      invited_by: "admin",
    });
    const refusal = [403, "registration.invitation_required"];
    expect(await refused(on.register("flo@example.com", { invitation }))).toEqual(refusal);
    const made = await on.register("flo@example.com", { invitation: await on.invite("flo@example.com") });
    expect(made).toMatchObject({ status: 201, body: { email_verified: true } });
    const token = made.headers.get("x-session-token") ?? "";
    const joined = await on.server.call(`/api/invitations/${invitation}/accept`, { method: "POST", token });
    expect(joined.body).toMatchObject({ organization: { id: on.admin.organizationId, role: "viewer" } });
  });

  test("only admins can manage invitations to the platform", async () => {
    const made = await on.register("gus@example.com", { invitation: await on.invite("gus@example.com") });
    const token = made.headers.get("x-session-token") ?? "";
    for (const [method, path] of [
      ["GET", ""],
      ["POST", ""],
      ["DELETE", "/invite_1"],
    ] as const) {
      const answer = await on.server.call(`/api/admin/invitations${path}`, {
        method,
        token,
        ...(method === "POST" && { body: { email: "x@example.com" } }),
      });
      expect(answer.status).toBe(404);
    }
  });
});

describe("with FEATHER_REGISTRATION=approve", () => {
  let on: Stage;
  beforeAll(async () => {
    on = await stage("approve");
  });
  afterAll(() => on.close());

  test("a new account can do nothing until it is approved", async () => {
    const made = await on.register("ada@example.com");
    expect(made).toMatchObject({ status: 202, body: { next: "approval" } });
    expect([made.headers.get("x-session-token"), made.headers.get("set-cookie")]).toEqual([null, null]);
    expect(await refused(on.login("ada@example.com"))).toEqual([401, "account_pending"]);
    const [waiting] = await on.pending();
    expect(waiting).toMatchObject({ email: "ada@example.com", approval_requested_at: clock.now().toISOString() });
    const messages = await listMessages(on.server, on.admin.email, "approval_requested");
    expect(messages[0]?.body).toContain("/admin/users?status=pending");
    const approve = () =>
      on.server.call(`/api/admin/users/${waiting?.id}/approve`, { method: "POST", token: on.admin.token });
    expect((await approve()).body).toMatchObject({ approval_requested_at: null });
    expect(await refused(approve())).toEqual([409, "users.not_pending"]);
    expect(await listMessages(on.server, "ada@example.com", "account_approved")).toHaveLength(1);
    expect((await on.login("ada@example.com")).status).toBe(200);
    expect(await on.pending()).toEqual([]);
  });

  test("admins get at most one message an hour", async () => {
    const before = (await listMessages(on.server, on.admin.email, "approval_requested")).length;
    clock.at += 3_600_000;
    await on.register("one@example.com");
    await on.register("two@example.com");
    expect(await listMessages(on.server, on.admin.email, "approval_requested")).toHaveLength(before + 1);
  });

  test("a refused account is deleted and its user gets the reason", async () => {
    await on.register("eve@example.com");
    const id = (await on.pending()).find(({ email }) => email === "eve@example.com")?.id;
    const body = { reason: "For members only." };
    const answer = await on.server.call(`/api/admin/users/${id}/refuse`, { token: on.admin.token, body });
    expect(answer.status).toBe(204);
    expect(await refused(on.login("eve@example.com"))).toEqual([401, "auth.wrong_credentials"]);
    const [message] = await listMessages(on.server, "eve@example.com", "account_refused");
    expect(message?.body).toContain("For members only.");
    const actions = await on.server.db
      .selectFrom("audit_log")
      .select("action")
      .where("target", "=", id ?? "")
      .execute();
    expect(actions.map(({ action }) => action)).toContain("users.refuse");
  });

  test("neither a password reset nor a linked account bypasses the approval", async () => {
    await on.register("sly@example.com");
    await on.server.call("/api/auth/forgot-password", { body: { email: "sly@example.com" } });
    await on.server.api.identity.passwordReset.settled();
    const token = await findMailedToken(on.server, "sly@example.com", "password_reset");
    const body = { token, password: "another long password" };
    expect(await refused(on.server.call("/api/auth/reset-password", { body }))).toEqual([401, "account_pending"]);
  });

  test("an invitation by an admin replaces the approval, one by an organization does not", async () => {
    const invitation = await on.invite("bea@example.com");
    expect((await on.register("bea@example.com", { invitation })).status).toBe(201);
    const body = { email: "flo@example.com", role: "viewer" };
    await on.server.call("/api/organization/invitations", { token: on.admin.token, body });
    const theirs = await findMailedToken(on.server, "flo@example.com", "invitation");
    expect((await on.register("flo@example.com", { invitation: theirs })).status).toBe(202);
  });
});

describe("on a server with mail", () => {
  let on: Stage;
  let approving: Stage;
  let ada: Account;
  beforeAll(async () => {
    [on, approving] = await Promise.all([stage("open", MAIL), stage("approve", MAIL)]);
    ada = await on.server.signUp("ada@example.com");
    await on.server.db
      .updateTable("users")
      .set({ email_verified_at: clock.now() })
      .where("id", "=", ada.userId)
      .execute();
  });
  afterAll(() => Promise.all([on.close(), approving.close()]));
  const settled = async (answer: Promise<unknown>, { server }: Stage = on) => {
    const result = await answer;
    await server.api.registration.registration.settled();
    return result;
  };
  const open = (token: string, { server }: Stage = on) =>
    server.call("/api/auth/email-verification", { body: { token, password: PASSWORD } });

  test("registering gives the same response for known and unknown addresses", async () => {
    const [known, unknown] = await Promise.all([on.register("ada@example.com"), on.register("new@example.com")]);
    expect([known.status, known.text]).toEqual([202, unknown.text]);
    expect(unknown.status).toBe(202);
    const names = (answer: typeof known) => [...answer.headers.keys()].sort();
    expect(names(known)).toEqual(names(unknown));
    await on.server.api.registration.registration.settled();
    expect(await listMessages(on.server, "ada@example.com", "account_exists")).toHaveLength(1);
    expect(await listMessages(on.server, "new@example.com", "email_verification")).toHaveLength(1);
  });

  test("logging in gives the same response for unknown and unconfirmed addresses", async () => {
    await settled(on.register("later@example.com"));
    const [unconfirmed, none] = await Promise.all([on.login("later@example.com"), on.login("nobody@example.com")]);
    expect([unconfirmed.status, (unconfirmed.body as { message: string }).message]).toEqual([
      401,
      (none.body as { message: string }).message,
    ]);
  });

  test("each link confirms its own registration, with its own password, and stays good until one is used", async () => {
    const email = "target@example.com";
    const linkOf = async (password: string) => {
      clock.at += 1_000;
      await settled(on.register(email, { password }));
      return findMailedToken(on.server, email, "email_verification");
    };
    const mine = await linkOf(PASSWORD);
    const theirs = await linkOf("password of a thief");
    expect(await refused(open(theirs))).toEqual([400, "auth.wrong_password"]);
    expect(await open(mine)).toMatchObject({ status: 200, body: { email, email_verified: true } });
    expect((await on.login(email)).status).toBe(200);
    expect((await on.login(email, "password of a thief")).status).toBe(401);
    const late = { token: theirs, password: "password of a thief" };
    expect(await refused(on.server.call("/api/auth/email-verification", { body: late }))).toEqual([
      400,
      "auth.invalid_token",
    ]);
    expect((await on.login(email)).status).toBe(200);
  });

  test("the message says when and from where somebody signed up", async () => {
    await settled(on.register("told@example.com"));
    const [message] = await listMessages(on.server, "told@example.com");
    expect(message?.body).toMatch(/with a password, on \d{4}-\d\d-\d\d \d\d:\d\d UTC from 127\.0\.0\.1\./);
  });

  test("one address gets at most five messages an hour", async () => {
    for (let count = 0; count < 7; count++) await settled(on.register("full@example.com"));
    expect(await listMessages(on.server, "full@example.com")).toHaveLength(5);
  });

  test("changing to a taken e-mail gives the usual response, and its user gets a message", async () => {
    const bea = await on.server.signUp("bea@example.com");
    const body = { email: "ada@example.com", current_password: PASSWORD };
    const change = () => on.server.call("/api/account", { method: "PUT", token: bea.token, body });
    expect(await change()).toMatchObject({ status: 200, body: { pending_email: "ada@example.com" } });
    expect(await refused(change())).toEqual([429, "rate_limit_exceeded"]);
    clock.at += 60_000;
    expect(await listMessages(on.server, "ada@example.com", "email_verification")).toHaveLength(1);
    expect(await listMessages(on.server, "ada@example.com", "account_exists")).toHaveLength(2);
  });

  test("an account requests approval once its address is confirmed", async () => {
    await settled(approving.register("ada@example.com"), approving);
    expect(await approving.pending()).toEqual([]);
    const token = await findMailedToken(approving.server, "ada@example.com", "email_verification");
    expect(await refused(open(token, approving))).toEqual([401, "account_pending"]);
    expect((await approving.pending()).map(({ email }) => email)).toEqual(["ada@example.com"]);
    expect(await listMessages(approving.server, approving.admin.email, "approval_requested")).toHaveLength(1);
  });

  test("an unconfirmed account is deleted after a week", async () => {
    await settled(on.register("gone@example.com"));
    clock.at += 7 * DAY_MS + 1;
    await on.server.db
      .updateTable("users")
      .set({ created_at: new Date(clock.at - 7 * DAY_MS - 1) })
      .where("email", "=", "gone@example.com")
      .execute();
    await on.server.api.registration.unconfirmed.job.run();
    expect(await on.server.api.identity.usersRepository.findByEmail("gone@example.com")).toBeUndefined();
    expect(await on.server.api.identity.usersRepository.findByEmail("ada@example.com")).toBeDefined();
  });
});
