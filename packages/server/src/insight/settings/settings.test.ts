import type { components } from "@feather/openapi/schema";
import { errorCode } from "@feather/testing/errors";
import { afterEach, expect, test } from "vitest";
import { createSealer, SEALING_PURPOSES } from "../../platform/core/secrets/sealing.ts";
import { createTestServer, type TestServerOptions } from "../../testing/server.ts";
import { readSavedValues, removeSavedValue } from "./saved-settings.repository.ts";

type ServerSettings = components["schemas"]["ServerSettings"];
type TestServer = Awaited<ReturnType<typeof createTestServer>>;

let server: TestServer | undefined;
afterEach(() => server?.close());

async function start(options: TestServerOptions = {}) {
  server = await createTestServer(options);
  const { call } = server;
  const { token } = await server.signInAdmin();
  const save = (values: Record<string, string | null>) =>
    call("/api/admin/settings", { method: "PUT", token, body: { values } });
  const list = async () => (await call("/api/admin/settings", { token })).body as ServerSettings;
  const find = async (name: string) => (await list()).items.find((item) => item.name === name);
  const restart = () => call("/api/admin/restart", { method: "POST", token });
  return { server, call, token, save, list, find, restart };
}

const SECRET = "re_secret_that_nobody_sees";

test("a saved value waits for the next start, and says who saved it", async () => {
  const { save, list, find } = await start();
  const { status, body } = await save({ FEATHER_PRODUCT_NAME: "Acme models", FEATHER_REFERRAL_CREDITS: "7" });
  expect(status).toBe(200);
  expect((body as ServerSettings).needs_restart).toBe(true);
  expect(await find("FEATHER_PRODUCT_NAME")).toMatchObject({
    value: "Feather",
    source: "default",
    is_default: true,
    saved: {
      value: "Acme models",
      is_set: true,
      previous_value: null,
      needs_restart: true,
      saved_by: expect.stringContaining("@"),
    },
  });
  expect((await list()).can_restart).toBe(false);
});

test("a server that starts with saved values uses them, after the environment and before defaults", async () => {
  const saved = new Map([
    ["FEATHER_PRODUCT_NAME", "Acme models"],
    ["FEATHER_REFERRAL_CREDITS", "7"],
    ["FEATHER_PORT", "1"],
    ["FEATHER_UNKNOWN", "1"],
  ]);
  const { find, call } = await start({ saved, env: { FEATHER_REFERRAL_CREDITS: "9" } });
  expect(await find("FEATHER_PRODUCT_NAME")).toMatchObject({
    value: "Acme models",
    source: "saved",
    is_default: false,
  });
  expect(await find("FEATHER_REFERRAL_CREDITS")).toMatchObject({
    value: "9",
    source: "environment",
    is_editable: false,
  });
  expect(await find("FEATHER_PORT")).toMatchObject({ value: "4000", source: "default", is_editable: false });
  expect((await call("/api/config")).body).toMatchObject({ product_name: "Acme models" });
});

test("what is saved is what the next start reads, secrets encrypted", async () => {
  const secret = new Uint8Array(32).fill(7);
  const { server, save, find } = await start({ secret });
  await save({ FEATHER_PRODUCT_NAME: "Acme", SMTP_URL: `smtps://acme:${SECRET}@mail.example.com` });
  const deps = { db: server.db, savedSettingsSealer: createSealer(secret, SEALING_PURPOSES.savedSettings) };
  expect(await readSavedValues(deps)).toEqual(
    new Map([
      ["FEATHER_PRODUCT_NAME", "Acme"],
      ["SMTP_URL", `smtps://acme:${SECRET}@mail.example.com`],
    ]),
  );
  const rows = await server.db.selectFrom("saved_settings").selectAll().execute();
  expect(
    JSON.stringify(rows.map((row) => ({ ...row, sealed_value: row.sealed_value?.toString("latin1") }))),
  ).not.toContain(SECRET);
  expect(await find("SMTP_URL")).toMatchObject({
    value: null,
    saved: { value: null, is_set: true, needs_restart: true },
  });
});

test("null removes a saved value, and the previous one is there to be saved again", async () => {
  const { save, find } = await start();
  await save({ FEATHER_PRODUCT_NAME: "Acme" });
  await save({ FEATHER_PRODUCT_NAME: "Acme models" });
  expect((await find("FEATHER_PRODUCT_NAME"))?.saved).toMatchObject({ previous_value: "Acme" });
  await save({ FEATHER_PRODUCT_NAME: null });
  expect((await find("FEATHER_PRODUCT_NAME"))?.saved).toMatchObject({
    value: null,
    is_set: false,
    previous_value: "Acme models",
    needs_restart: false,
  });
});

test.each([
  ["is not valid", { FEATHER_REFERRAL_CREDITS: "many" }, 400, "settings.not_valid"],
  ["is empty", { FEATHER_PRODUCT_NAME: "" }, 400, "invalid_request"],
  ["contradicts another one", { FEATHER_PAYMENTS: "stripe" }, 400, "settings.not_valid"],
  ["is of no setting", { FEATHER_NOTHING: "1" }, 400, "settings.unknown"],
  ["is needed before the database is open", { DATABASE_URL: "postgres://x/y" }, 409, "settings.not_editable"],
  ["names a program", { FEATHER_GGUF_CONVERTER: "/bin/sh" }, 409, "settings.not_editable"],
  ["is set in the environment", { FEATHER_REGISTRATION: "off" }, 409, "settings.set_elsewhere"],
])("nothing is saved when one value %s", async (_, values, status, code) => {
  const { save, list } = await start();
  const refusal = await save({ FEATHER_PRODUCT_NAME: "Acme", ...values });
  expect([refusal.status, errorCode(refusal.body)]).toEqual([status, code]);
  expect((await list()).items.filter(({ saved }) => saved !== null)).toEqual([]);
});

test("the problems name the settings, without the values of secrets", async () => {
  const { save } = await start();
  const { body } = await save({ STRIPE_SECRET_KEY: SECRET, FEATHER_PAYMENTS: "stripe" });
  expect(JSON.stringify(body)).toContain("STRIPE_WEBHOOK_SECRET");
  expect(JSON.stringify(body)).not.toContain(SECRET);
});

test("a public address with plain HTTP is refused as it would be at a start", async () => {
  const { save } = await start();
  const { status, text } = await save({ FEATHER_PUBLIC_URL: "http://models.example.com" });
  expect([status, text]).toEqual([400, expect.stringContaining("plain HTTP")]);
});

test("two changes at once that contradict each other are not both saved", async () => {
  const keys = {
    STRIPE_SECRET_KEY: "sk_test_1",
    STRIPE_WEBHOOK_SECRET: "whsec_1",
    STRIPE_PUBLISHABLE_KEY: "pk_test_1",
  };
  const { save } = await start();
  expect((await save({ FEATHER_PAYMENTS: "off", ...keys })).status).toBe(200);
  const results = await Promise.all([save({ FEATHER_PAYMENTS: "stripe" }), save({ STRIPE_SECRET_KEY: null })]);
  expect(results.map(({ status }) => status).sort()).toEqual([200, 400]);
});

test("the audit log says who saved what, without secrets", async () => {
  const { server, save } = await start();
  await save({ FEATHER_PRODUCT_NAME: "Acme", SMTP_URL: `smtps://acme:${SECRET}@mail.example.com` });
  await save({ FEATHER_PRODUCT_NAME: "Acme" });
  const rows = await server.db
    .selectFrom("audit_log")
    .select(["target", "details"])
    .where("action", "=", "settings.save")
    .orderBy("target")
    .execute();
  expect(rows).toEqual([
    { target: "FEATHER_PRODUCT_NAME", details: { value: "Acme", value_before: null } },
    { target: "SMTP_URL", details: { is_set: true } },
  ]);
});

test("an admin starts the server again where that is possible, with a row in the audit log", async () => {
  let restarts = 0;
  const { server, restart } = await start({ restart: () => void restarts++ });
  expect((await restart()).status).toBe(202);
  expect(restarts).toBe(1);
  const rows = await server.db
    .selectFrom("audit_log")
    .select("action")
    .where("action", "=", "server.restart")
    .execute();
  expect(rows).toHaveLength(1);
});

test("one of several servers is not started again through the API", async () => {
  const { restart } = await start();
  const { status, body } = await restart();
  expect([status, errorCode(body)]).toEqual([409, "settings.several_servers"]);
});

test("the operator removes a saved value by hand", async () => {
  const { server, save, find } = await start();
  await save({ FEATHER_PRODUCT_NAME: "Acme" });
  expect(await removeSavedValue(server.db, "FEATHER_PRODUCT_NAME", new Date())).toBe(true);
  expect(await removeSavedValue(server.db, "FEATHER_PRODUCT_NAME", new Date())).toBe(false);
  expect((await find("FEATHER_PRODUCT_NAME"))?.saved).toMatchObject({ is_set: false, saved_by: null });
});
