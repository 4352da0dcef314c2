import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import type { DatabaseConnection } from "../platform/core/db/connect.ts";
import { createTemporaryFolder } from "../platform/core/db/temporary.ts";
import { createTestDatabase } from "../testing/database.ts";
import { beginTestStart } from "../testing/started-platform.ts";

const ADMIN = { email: "root@example.com", password: "a long enough secret 1" };

let database: DatabaseConnection;
let folder: string;
let address: string;
beforeEach(async () => {
  database = await createTestDatabase();
  folder = createTemporaryFolder("feather-saved-");
  const { rows } = await database.pool.query<{ name: string }>("select current_database() as name");
  const { user, host } = inject("postgres");
  address = `postgres://${user}@localhost/${rows[0]?.name}?host=${encodeURIComponent(host)}`;
});
afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

/** Starts a server on the same database, runs `use` once it is ready, and stops it. */
async function whileRunning<T>(env: Record<string, string>, use: (url: string) => Promise<T>): Promise<T> {
  const variables = {
    DATABASE_URL: address,
    FEATHER_SECRET: "the same secret for each start of the server",
    FEATHER_ADMIN_EMAIL: ADMIN.email,
    FEATHER_ADMIN_PASSWORD: ADMIN.password,
    FEATHER_PRELOAD: "off",
    ...env,
  };
  const { url, ready, stop } = await beginTestStart(variables, folder);
  try {
    await ready;
    return await use(url);
  } finally {
    await stop();
  }
}

const readName = async (url: string) =>
  ((await (await fetch(`${url}/api/config`)).json()) as { product_name: string }).product_name;

async function save(url: string, values: Record<string, string | null>): Promise<number> {
  const login = await fetch(`${url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-session-transport": "token" },
    body: JSON.stringify(ADMIN),
  });
  const saved = await fetch(`${url}/api/admin/settings`, {
    method: "PUT",
    headers: { "content-type": "application/json", authorization: `Bearer ${login.headers.get("x-session-token")}` },
    body: JSON.stringify({ values }),
  });
  return saved.status;
}

const SECRET_URL = "smtp://acme:secret@127.0.0.1:9";

test("saved values are used from the next start on, secrets among them, until they are removed", async () => {
  await whileRunning({}, async (url) => {
    expect(await save(url, { FEATHER_PRODUCT_NAME: "Acme", SMTP_URL: SECRET_URL })).toBe(200);
    expect(await readName(url)).toBe("Feather");
  });
  await whileRunning({}, async (url) => {
    expect(await readName(url)).toBe("Acme");
    expect(await save(url, { FEATHER_PRODUCT_NAME: null })).toBe(200);
  });
  await whileRunning({}, async (url) => expect(await readName(url)).toBe("Feather"));
});

test("the environment and the settings file win over saved values", async () => {
  await whileRunning({}, async (url) => void (await save(url, { FEATHER_PRODUCT_NAME: "Acme" })));
  await whileRunning({ FEATHER_PRODUCT_NAME: "Plume" }, async (url) => expect(await readName(url)).toBe("Plume"));
  writeFileSync(join(folder, "feather.config.yaml"), "FEATHER_PRODUCT_NAME: Quill\n");
  await whileRunning({}, async (url) => expect(await readName(url)).toBe("Quill"));
});

test("values that are only valid with saved ones do not stop a start", async () => {
  const keys = {
    STRIPE_SECRET_KEY: "sk_test_1",
    STRIPE_WEBHOOK_SECRET: "whsec_1",
    STRIPE_PUBLISHABLE_KEY: "pk_test_1",
  };
  await whileRunning({}, async (url) => expect(await save(url, keys)).toBe(200));
  await whileRunning({ FEATHER_PAYMENTS: "stripe" }, async (url) => {
    expect((await (await fetch(`${url}/api/config`)).json()) as object).toMatchObject({ payments: "stripe" });
  });
});

test("a start that saved values stop names them and the command that removes one", async () => {
  await whileRunning({}, async (url) => void (await save(url, { FEATHER_VIES: "off", FEATHER_PRODUCT_NAME: "Acme" })));
  const start = whileRunning({ FEATHER_PAYMENTS: "stripe" }, async () => {});
  await expect(start).rejects.toThrow(/STRIPE_SECRET_KEY[\s\S]*Admins saved FEATHER_PRODUCT_NAME, FEATHER_VIES/);
});
