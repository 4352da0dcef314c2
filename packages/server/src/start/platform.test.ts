import { rmSync } from "node:fs";
import { waitFor } from "@feather/testing/wait-for";
import pino from "pino";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { BUILT_IN_MODELS } from "../hosting/runtimes/index.ts";
import type { DatabaseConnection } from "../platform/core/db/connect.ts";
import { createTemporaryFolder } from "../platform/core/db/temporary.ts";
import { createTestDatabase } from "../testing/database.ts";
import { beginTestStart } from "../testing/started-platform.ts";

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

async function readEnvironment(env: Record<string, string>): Promise<Record<string, string>> {
  const { rows } = await database.pool.query<{ name: string }>("select current_database() as name");
  const { user, host } = inject("postgres");
  return {
    DATABASE_URL: `postgres://${user}@localhost/${rows[0]?.name}?host=${encodeURIComponent(host)}`,
    FEATHER_ADMIN_EMAIL: ADMIN.email,
    FEATHER_ADMIN_PASSWORD: ADMIN.password,
    ...env,
  };
}

type Server = {
  post(path: string, body: object, token?: string): Promise<Response>;
  /** The token of the set-up link; null when there is an admin. */
  setupToken: string | null;
};

/** Starts a platform, runs `use` once it says that it is ready, and stops it. */
async function atReady<T>(env: Record<string, string>, use: (server: Server) => Promise<T>): Promise<T> {
  const { url, ready, stop } = await beginTestStart(await readEnvironment(env), folder);
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
  try {
    await waitFor(async () => expect((await fetch(`${url}/api/health/ready`)).status).toBe(200));
    return await use({ post, setupToken: await ready });
  } finally {
    await ready;
    await stop();
  }
}

/** Signs in the first admin and calls all built-in models at once. */
async function callBuiltInModels({ post }: Server): Promise<{ login: number; calls: number[] }> {
  const login = await post("/api/auth/login", ADMIN);
  const token = login.headers.get("x-session-token") ?? "";
  const body = { messages: [{ role: "user", content: "Hello" }], max_tokens: 1 };
  const answers = await Promise.all(
    BUILT_IN_MODELS.map(({ id }) => post("/v1/chat/completions", { ...body, model: id }, token)),
  );
  return { login: login.status, calls: answers.map(({ status }) => status) };
}

test("a start without problems logs nothing besides its sentences", async () => {
  const lines: string[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(line) });
  const env = await readEnvironment({ FEATHER_PRELOAD: "off", FEATHER_HUB_DIR: folder });
  const { url, ready, stop } = await beginTestStart(env, folder, log);
  await waitFor(async () => expect((await fetch(`${url}/api/health/ready`)).status).toBe(200));
  await ready;
  await stop();
  expect(lines).toEqual([]);
});

test("a starting server is ready only when its first admin can sign in and the built-in models answer", async () => {
  expect(await atReady({}, callBuiltInModels)).toEqual({ login: 200, calls: [200, 200] });
}, 120_000);

test("a starting server without an admin is ready only when its set-up link makes one", async () => {
  const env = { FEATHER_ADMIN_EMAIL: "", FEATHER_ADMIN_PASSWORD: "", FEATHER_PRELOAD: "off" };
  const status = await atReady(env, async ({ post, setupToken }) => {
    return (await post("/api/auth/setup", { ...ADMIN, token: setupToken })).status;
  });
  expect(status).toBe(201);
}, 120_000);

test("a server without preloading is ready before the built-in models are loaded, and the first calls load them", async () => {
  expect(await atReady({ FEATHER_PRELOAD: "off" }, callBuiltInModels)).toEqual({ login: 200, calls: [503, 503] });
}, 120_000);
