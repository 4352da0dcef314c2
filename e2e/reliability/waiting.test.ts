import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFeather } from "@feather/sdk";
import { type FakeUpstream, startFakeUpstream } from "@feather/testing/fake-upstream";
import { freePort } from "@feather/testing/free-port";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, beforeAll, expect, test } from "vitest";
import { memoryAfterCollection } from "../bench/heap.ts";
import { TOKEN_TRANSPORT } from "../support/accounts.ts";
import { ADMIN, type Platform, startPlatform } from "../support/platform.ts";

const MODEL = "silent/thinker";
const CALLERS = 10_000;
/**
 * The number of callers that connect at a time: the system queues a bounded number of connections that the server has
 * not accepted.
 */
const WAVE = 250;
/** Most calls of one organization that wait. */
const MAX_WAITING = 64;
/** The units of the first admin's plan. */
const UNITS = 8;

let folder: string;
let backend: FakeUpstream;
let platform: Platform;
let token: string;
let inspectPort: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "feather-waiting-"));
  chmodSync(folder, 0o711);
  backend = await startFakeUpstream({ thinkMs: 600_000 }, [MODEL]);
  inspectPort = await freePort();
  platform = await startPlatform(folder, {
    NODE_OPTIONS: `--inspect=127.0.0.1:${inspectPort}`,
    FEATHER_LOG_LEVEL: "silent",
    FEATHER_PRELOAD: "off",
    FEATHER_FIRST_BYTE_TIMEOUT: "600",
    FEATHER_BACKENDS: JSON.stringify([{ name: "silent", base_url: backend.baseUrl, models: [MODEL] }]),
  });
  const login = createFeather({ baseUrl: platform.baseUrl }).auth.login(ADMIN, TOKEN_TRANSPORT);
  const session = (await login.withResponse()).response.headers.get("x-session-token") ?? "";
  const admin = createFeather({ baseUrl: platform.baseUrl, token: session });
  token = (await admin.apiKeys.create({ name: "callers" })).secret;
});
afterAll(async () => {
  platform?.process.kill("SIGTERM");
  await platform?.ended;
  await backend?.close();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * A caller with its own connection. `status` is the status of its answer; undefined while it waits, or if the answer
 * was lost.
 */
type Caller = { socket: Socket; status: number | undefined; lost: string | undefined };

async function startCaller(): Promise<Caller> {
  const { hostname, port, host } = new URL(platform.baseUrl);
  const body = JSON.stringify({ model: MODEL, messages: [{ role: "user", content: "Hello" }] });
  const socket = connect(Number(port), hostname);
  const caller: Caller = { socket, status: undefined, lost: undefined };
  socket.setEncoding("latin1").on("data", (text: string) => {
    caller.status ??= Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
  });
  await once(socket, "connect");
  socket.on("error", (error) => {
    caller.lost = error.message;
  });
  socket.on("end", () => {
    caller.lost ??= "The connection was closed.";
  });
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\nx-queue-timeout: 300\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  return caller;
}

test("10,000 callers who would wait leave the server responsive and within 400 MB: few wait, and the others are refused at once", async () => {
  const callers: Caller[] = [];
  const health: number[] = [];
  try {
    const listWithout = () => callers.filter(({ status }) => status === undefined);
    while (callers.length < CALLERS) {
      callers.push(...(await Promise.all(Array.from({ length: WAVE }, startCaller))));
      await waitFor(() => expect(listWithout().length).toBeLessThanOrEqual(UNITS + MAX_WAITING));
      health.push((await fetch(`${platform.baseUrl}/api/health/live`)).status);
    }
    await waitFor(() => expect(backend.active()).toBe(UNITS));
    expect(listWithout().flatMap(({ lost }) => lost ?? [])).toEqual([]);
    expect(listWithout()).toHaveLength(UNITS + MAX_WAITING);
    const statuses = new Set(callers.map(({ status }) => status));
    expect([...statuses].filter((status) => status !== undefined && status !== 429 && status !== 503)).toEqual([]);
    expect(statuses).toContain(429);
    expect(new Set(health)).toEqual(new Set([200]));
    const { residentMb } = await memoryAfterCollection(platform.process.pid ?? 0, inspectPort);
    expect(residentMb).toBeLessThan(400);
  } finally {
    for (const { socket } of callers) socket.destroy();
  }
  await waitFor(() => expect(backend.active()).toBe(0));
  await waitFor(async () => {
    const late = await startCaller();
    try {
      await waitFor(() => expect([backend.active(), late.status]).not.toEqual([0, undefined]));
      expect(late.status, "while the server is still overloaded").toBeUndefined();
    } finally {
      late.socket.destroy();
    }
  });
});
