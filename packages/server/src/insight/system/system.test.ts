import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listSettings } from "../../config/settings.ts";
import { putMessage } from "../../testing/outbox.ts";
import { type Account, createTestServer, PASSWORD, type TestServer } from "../../testing/server.ts";

let server: TestServer;
let admin: Account;

beforeAll(async () => {
  server = await createTestServer({
    env: {
      FEATHER_SECRET: "canary-secret-of-the-installation",
      FEATHER_BACKENDS: JSON.stringify([
        { name: "b", base_url: "http://b.example/v1", api_key: "canary-key", models: ["a/b"] },
      ]),
      DATABASE_URL: "postgres://somebody:canary-password@db.example/feather",
      DATABASE_DIRECT_URL: "postgres://somebody:canary-password@direct.example/feather",
      FEATHER_PRODUCT_NAME: "Plume",
    },
  });
  admin = await server.signInAdmin();
});
afterAll(() => server.close());

test("the server is ready from its start until it stops", async () => {
  const { lifecycle } = server.platform;
  const ready = async () => (await server.call("/api/health/ready")).status;
  expect(await ready()).toBe(200);
  lifecycle.starting = true;
  expect(await ready()).toBe(503);
  Object.assign(lifecycle, { starting: false, draining: true });
  expect(await ready()).toBe(503);
  lifecycle.draining = false;
});

describe("settings", () => {
  test("lists settings for admins with descriptions and without secrets", async () => {
    const { body, text } = await server.call("/api/admin/settings", { token: admin.token });
    const { items } = body as {
      items: { name: string; value: string | null; is_secret: boolean; is_default: boolean }[];
    };
    expect(items.map(({ name }) => name)).toEqual(listSettings().map(({ env }) => env));
    expect(text).not.toContain("canary");
    const named = (name: string) => items.find((item) => item.name === name);
    expect(named("FEATHER_PRODUCT_NAME")).toMatchObject({ value: "Plume", is_secret: false, is_default: false });
    expect(named("FEATHER_PORT")).toMatchObject({ value: "4000", is_default: true });
    expect(named("FEATHER_SECRET")).toMatchObject({ value: null, is_secret: true, is_default: false });
    expect(named("DATABASE_URL")?.value).toBe("postgres://…@db.example/feather");
    expect(named("DATABASE_DIRECT_URL")?.value).toBe("postgres://…@direct.example/feather");
  });
});

describe("exposure", () => {
  type Body = { exposure: object; items: { name: string; is_default: boolean }[] };
  const readAs = async (env: Record<string, string>) => {
    const open = await createTestServer({ env });
    try {
      const { token } = await open.signInAdmin();
      return (await open.call("/api/admin/settings", { token })).body as Body;
    } finally {
      await open.close();
    }
  };

  test("the settings page shows admins who can reach the server and what is open to them", async () => {
    const { exposure, items } = await readAs({
      FEATHER_HOST: "0.0.0.0",
      FEATHER_PUBLIC_URL: "https://feather.example/",
      FEATHER_REGISTRATION: "",
      FEATHER_DISCOVER: "",
    });
    expect(exposure).toEqual({
      is_exposed: true,
      host: "0.0.0.0",
      public_url: "https://feather.example",
      is_encrypted: true,
      registration: "invite",
      payments: "off",
      marketplaces: "off",
      discovery: false,
    });
    const isDefault = (name: string) => items.find((item) => item.name === name)?.is_default;
    expect([isDefault("FEATHER_PAYMENTS"), isDefault("FEATHER_REGISTRATION")]).toEqual([true, true]);
  });

  test("the settings page shows admins that only this machine can reach the server", async () => {
    const { exposure, items } = await readAs({ FEATHER_MARKETPLACES: "off" });
    expect(exposure).toMatchObject({ is_exposed: false, public_url: "http://localhost:4000", payments: "test" });
    expect(items.find(({ name }) => name === "FEATHER_MARKETPLACES")?.is_default).toBe(false);
  });
});

describe("the outbox", () => {
  test("lists the outbox for admins, the newest first, by state and by part of the address", async () => {
    for (const name of ["ada", "bob", "100%"])
      await putMessage(server, { kind: "receipt", to: `${name}@example.com`, subject: `To ${name}`, text: "…" });
    await server.db
      .updateTable("outbox")
      .set({ sent_at: new Date() })
      .where("recipient", "=", "bob@example.com")
      .execute();
    const read = async (query: string) => {
      const { body } = await server.call(`/api/admin/outbox?${query}`, { token: admin.token });
      return (body as { items: { to: string; state: string }[] }).items.map(({ to, state }) => [to, state]);
    };
    expect(await read("search=ada")).toEqual([["ada@example.com", "waiting"]]);
    expect(await read("state=sent&search=example.com")).toEqual([["bob@example.com", "sent"]]);
    expect(await read("state=failed")).toEqual([]);
    expect(await read("search=%25")).toEqual([["100%@example.com", "waiting"]]);
  });
});

describe("a link in the outbox", () => {
  const ask = (email: string) => server.call("/api/auth/forgot-password", { body: { email } });
  const messageTo = async (email: string, token = admin.token) => {
    const { body } = await server.call(`/api/admin/outbox?search=${email}`, { token });
    return (body as { items: { id: string; text: string }[] }).items[0] ?? { id: "", text: "" };
  };
  const reveal = (id: string, body: object, token = admin.token) =>
    server.call(`/api/admin/outbox/${id}/reveal`, { token, body });

  test("hides links in lists, and reveals one after the password is entered, with an audit event", async () => {
    const { email } = await server.signUp();
    await ask(email);
    await server.api.identity.passwordReset.settled();
    const { secret } = await server.createKey(admin, { scopes: ["admin"] });
    for (const token of [admin.token, secret]) expect((await messageTo(email, token)).text).not.toMatch(/one_/);
    const { id, text } = await messageTo(email);
    expect(text).toContain("token=(hidden)");
    expect((await reveal(id, {})).status).toBe(400);
    expect((await reveal(id, { password: PASSWORD }, secret)).status).toBe(401);
    expect((await reveal(id, { password: PASSWORD })).body).toMatchObject({
      text: expect.stringMatching(/token=one_[0-9A-Za-z]{49}/),
    });
    const row = await server.db
      .selectFrom("audit_log")
      .select(["actor_user_id", "details"])
      .where("action", "=", "outbox.reveal")
      .where("target", "=", id)
      .executeTakeFirst();
    expect(row).toEqual({ actor_user_id: admin.userId, details: { kind: "password_reset", to: email } });
  });

  test("reveals no link if a mail server is configured", async () => {
    const mailing = await createTestServer({ env: { SMTP_URL: "smtp://127.0.0.1:9" } });
    try {
      const boss = await mailing.signInAdmin();
      const body = { password: PASSWORD };
      const answer = await mailing.call("/api/admin/outbox/mail_1/reveal", { token: boss.token, body });
      expect([answer.status, answer.text]).toEqual([409, expect.stringContaining("outbox.sent_by_mail")]);
    } finally {
      await mailing.close();
    }
  });

  test("removes an expired link from its message and deletes the message after 30 days", async () => {
    const { email } = await server.signUp();
    await ask(email);
    await server.api.identity.passwordReset.settled();
    const upkeep = server.platform.jobs.find(({ name }) => name === "keep the outbox small");
    const bodyOf = () =>
      server.db.selectFrom("outbox").select("body").where("recipient", "=", email).executeTakeFirst();
    await upkeep?.run();
    const token = /one_[0-9A-Za-z]{49}/.exec((await bodyOf())?.body ?? "")?.[0];
    expect(token).toBeDefined();
    const body = { token, password: "another long password" };
    expect((await server.call("/api/auth/reset-password", { body })).status).toBe(200);
    await upkeep?.run();
    const rows = await server.db.selectFrom("outbox").select("body").where("recipient", "=", email).execute();
    expect(rows.map((row) => row.body).join()).not.toContain(token);
    const old = new Date(Date.now() - 31 * 86_400_000);
    await server.db.updateTable("outbox").set({ created_at: old }).where("recipient", "=", email).execute();
    await upkeep?.run();
    expect(await bodyOf()).toBeUndefined();
  });
});

test("the public configuration contains the contacts of the operator, or null", async () => {
  const site = await createTestServer({
    env: { FEATHER_CONTACT_EMAIL: "help@example.com", FEATHER_COMMUNITY_URL: "https://chat.example.com/" },
  });
  try {
    const set = { contact_email: "help@example.com", community_url: "https://chat.example.com/" };
    expect((await site.call("/api/config")).body).toMatchObject(set);
  } finally {
    await site.close();
  }
  expect((await server.call("/api/config")).body).toMatchObject({ contact_email: null, community_url: null });
});

describe("analytics", () => {
  const configOf = async (env: Record<string, string>) => {
    const site = await createTestServer({ env });
    try {
      return (await site.call("/api/config")).body;
    } finally {
      await site.close();
    }
  };

  test("the public configuration contains the analytics server", async () => {
    expect(
      await configOf({
        FEATHER_ANALYTICS_KEY: "phc_x",
        FEATHER_ANALYTICS_HOST: "https://stats.example/ingest",
        FEATHER_ANALYTICS_BEFORE_CONSENT: "on",
      }),
    ).toMatchObject({
      posthog_key: "phc_x",
      posthog_host: "https://stats.example/ingest",
      features: { analytics_before_consent: true },
    });
  });

  test("analytics is off without a key and asks for consent by default", async () => {
    expect(await configOf({})).toMatchObject({
      posthog_key: null,
      posthog_host: null,
      features: { analytics_before_consent: false },
    });
  });
});
