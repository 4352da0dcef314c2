import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SETTINGS } from "../../config/settings.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";

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
      FEATHER_PRODUCT_NAME: "Plume",
    },
  });
  admin = await server.signInAdmin();
});
afterAll(() => server.close());

it("is ready only once it has started, and until it stops", async () => {
  const { lifecycle } = server.deps;
  const ready = async () => (await server.call("/api/health/ready")).status;
  expect(await ready()).toBe(200);
  lifecycle.starting = true;
  expect(await ready()).toBe(503);
  Object.assign(lifecycle, { starting: false, draining: true });
  expect(await ready()).toBe(503);
  lifecycle.draining = false;
});

describe("settings", () => {
  it("are shown to admins, each with what it is for, and without a secret", async () => {
    const { body, text } = await server.call("/api/admin/settings", { token: admin.token });
    const { items } = body as {
      items: { name: string; value: string | null; is_secret: boolean; is_default: boolean }[];
    };
    expect(items.map(({ name }) => name)).toEqual(Object.keys(SETTINGS));
    expect(text).not.toContain("canary");
    const named = (name: string) => items.find((item) => item.name === name);
    expect(named("FEATHER_PRODUCT_NAME")).toMatchObject({ value: "Plume", is_secret: false, is_default: false });
    expect(named("FEATHER_PORT")).toMatchObject({ value: "4000", is_default: true });
    expect(named("FEATHER_SECRET")).toMatchObject({ value: null, is_secret: true, is_default: false });
    expect(named("DATABASE_URL")?.value).toBe("postgres://…@db.example/feather");
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

  it("tells admins who can reach the server and what is open to them", async () => {
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

  it("tells admins that only this machine can reach the server", async () => {
    const { exposure, items } = await readAs({ FEATHER_MARKETPLACES: "off" });
    expect(exposure).toMatchObject({ is_exposed: false, public_url: "http://localhost:4000", payments: "test" });
    expect(items.find(({ name }) => name === "FEATHER_MARKETPLACES")?.is_default).toBe(false);
  });
});

describe("the outbox", () => {
  it("is read by admins, newest first, by state and by part of the address", async () => {
    const { mail } = server.deps;
    for (const name of ["ada", "bob", "100%"])
      await mail.send({ kind: "receipt", to: `${name}@example.com`, subject: `To ${name}`, text: "…" });
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

describe("analytics", () => {
  const configOf = async (env: Record<string, string>) => {
    const site = await createTestServer({ env });
    try {
      return (await site.call("/api/config")).body;
    } finally {
      await site.close();
    }
  };

  it("is named to the site", async () => {
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

  it("is nowhere without a key, and asks first", async () => {
    expect(await configOf({})).toMatchObject({
      posthog_key: null,
      posthog_host: null,
      features: { analytics_before_consent: false },
    });
  });
});
