import { once } from "node:events";
import { rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { waitFor } from "@feather/testing/wait-for";
import pino from "pino";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { readSettings } from "../config/settings.ts";
import type { DatabaseConnection } from "../core/db/connect.ts";
import { createTemporaryFolder } from "../core/db/temporary.ts";
import { BUILT_IN_MODELS, NO_CONVERTER } from "../engine/index.ts";
import { createTestDatabase } from "../testing/database.ts";
import { startPlatform } from "./platform.ts";
import { createStops } from "./stops.ts";

const ADMIN = { email: "root@example.com", password: "a long enough secret 1" };

let database: DatabaseConnection;
let folder: string;
beforeEach(async () => {
  database = await createTestDatabase();
  folder = createTemporaryFolder("feather-start-");
});
afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

async function readStartSettings(port: number, env: Record<string, string>) {
  const { rows } = await database.pool.query<{ name: string }>("select current_database() as name");
  const { user, host } = inject("postgres");
  return readSettings(
    {
      DATABASE_URL: `postgres://${user}@localhost/${rows[0]?.name}?host=${encodeURIComponent(host)}`,
      FEATHER_DATA_DIR: folder,
      FEATHER_PORT: String(port),
      FEATHER_DISCOVER: "off",
      FEATHER_COLD_WAIT: "0",
      FEATHER_ADMIN_EMAIL: ADMIN.email,
      FEATHER_ADMIN_PASSWORD: ADMIN.password,
      ...env,
    },
    folder,
  );
}

/** Starts a platform, waits until it is ready, signs in its first admin and calls all built-in models at once. */
async function callAtStart(env: Record<string, string> = {}): Promise<{ login: number; calls: number[] }> {
  const port = await findFreePort();
  const stops = createStops();
  const { signal } = new AbortController();
  const starting = startPlatform({
    settings: await readStartSettings(port, env),
    engineSandbox: { state: "off" },
    engineGpu: { state: "off", reason: "FEATHER_GPU is off." },
    converter: NO_CONVERTER,
    vllm: { state: "off", reason: "FEATHER_VLLM is off." },
    log: pino({ level: "silent" }),
    root: folder,
    stops,
    requested: signal,
    report: () => {},
    onDatabaseLost: () => {},
  });
  try {
    const url = `http://127.0.0.1:${port}`;
    const post = (path: string, body: object, token?: string) =>
      fetch(`${url}${path}`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "x-session-transport": "token",
          ...(token && { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify(body),
      });
    await waitFor(async () => expect((await fetch(`${url}/api/health/ready`)).status).toBe(200));
    const login = await post("/api/auth/login", ADMIN);
    const token = login.headers.get("x-session-token") ?? "";
    const body = { messages: [{ role: "user", content: "Hello" }], max_tokens: 1 };
    const answers = await Promise.all(
      BUILT_IN_MODELS.map(({ id }) => post("/v1/chat/completions", { ...body, model: id }, token)),
    );
    return { login: login.status, calls: answers.map(({ status }) => status) };
  } finally {
    await starting;
    await stops.stopAll(signal);
  }
}

test("a starting server is ready only when its first admin can sign in and the built-in models answer", async () => {
  expect(await callAtStart()).toEqual({ login: 200, calls: [200, 200] });
}, 120_000);

test("a server without preloading is ready before the built-in models are loaded, and the first calls load them", async () => {
  expect(await callAtStart({ FEATHER_PRELOAD: "off" })).toEqual({ login: 200, calls: [503, 503] });
}, 120_000);
