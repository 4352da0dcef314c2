import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createFeather, type Feather } from "@feather/sdk";
import { type FakeUpstream, startFakeUpstream } from "@feather/testing/fake-upstream";
import { freePort } from "@feather/testing/free-port";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, beforeAll, expect, test } from "vitest";
import { memoryAfterCollection } from "../bench/heap.ts";
import { signInAsAdmin } from "../support/accounts.ts";
import { type Platform, startPlatform } from "../support/platform.ts";

const ENDLESS = "endless/talker";
const SHORT = "short/talker";
/** The system keeps some megabytes for each of them, which it counts as memory of the test. */
const READERS = 250;
/** The number of readers that connect at a time: the system queues only some hundred connections. */
const WAVE = 50;
/** Unread bytes from the backend, in two reads of 64 kB, and the 16 kB that the caller may be behind. */
const MAX_MB_PER_READER = 0.45;
const RETRY_MS = 200;
const HANG_LIMIT_MS = 300_000;

let folder: string;
let backend: FakeUpstream;
let platform: Platform;
let admin: Feather;
let token: string;
let inspectPort: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "feather-slow-readers-"));
  chmodSync(folder, 0o711);
  const tokens = Array<string>(20_000).fill("more ".repeat(800));
  backend = await startFakeUpstream({ reply: ({ model }) => ({ tokens: model === ENDLESS ? tokens : ["Well."] }) }, [
    ENDLESS,
    SHORT,
  ]);
  inspectPort = await freePort();
  platform = await startPlatform(folder, {
    NODE_OPTIONS: `--inspect=127.0.0.1:${inspectPort}`,
    FEATHER_LOG_LEVEL: "silent",
    FEATHER_PRELOAD: "off",
    FEATHER_STALLED_TIMEOUT: "15",
    FEATHER_BACKENDS: JSON.stringify([{ name: "talker", base_url: backend.baseUrl, models: [ENDLESS, SHORT] }]),
  });
  admin = (await signInAsAdmin(platform.baseUrl)).feather;
  const { id } = await admin.auth.me();
  await admin.admin.users.update(id, { plan_id: "feather_scale", quantity: 128 });
  token = (await admin.apiKeys.create({ name: "readers" })).secret;
});
afterAll(async () => {
  platform?.process.kill("SIGTERM");
  await platform?.ended;
  await backend?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a stream and reads only its status. Repeats the call if the server is overloaded. */
async function startReader(): Promise<Socket> {
  for (;;) {
    const { socket, status } = await startStream();
    if (status === 200) return socket;
    expect(status).toBe(503);
    socket.destroy();
    await sleep(RETRY_MS);
  }
}

async function startStream(): Promise<{ socket: Socket; status: number }> {
  const { hostname, port, host } = new URL(platform.baseUrl);
  const body = JSON.stringify({ model: ENDLESS, stream: true, messages: [{ role: "user", content: "Hello" }] });
  const socket = connect({ port: Number(port), host: hostname, noDelay: true });
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  const [first] = (await once(socket, "data")) as [Buffer];
  socket.pause();
  return { socket, status: Number(/^HTTP\/1\.1 (\d+)/.exec(first.toString("latin1"))?.[1]) };
}

test(
  "callers who do not read their streams hold up nobody, take bounded memory, and are disconnected",
  async () => {
    const readMemory = () => memoryAfterCollection(platform.process.pid ?? 0, inspectPort);
    const readers: Socket[] = [];
    const before = await readMemory();
    try {
      while (readers.length < READERS) readers.push(...(await Promise.all(Array.from({ length: WAVE }, startReader))));
      const caller = createFeather({ baseUrl: platform.baseUrl, token, maxRetries: 10 });
      const answer = await caller.chat.completions.create({ model: SHORT, messages: [{ role: "user", content: "?" }] });
      expect(answer.choices[0]?.message.content).toBe("Well.");
      expect((await fetch(`${platform.baseUrl}/api/health/live`)).status).toBe(200);
      const { residentMb } = await readMemory();
      expect((residentMb - before.residentMb) / READERS).toBeLessThan(MAX_MB_PER_READER);
      await expect.poll(() => backend.active(), { timeout: HANG_LIMIT_MS }).toBe(0);
      await waitFor(async () => expect((await admin.concurrency.get()).used_cost).toBe(0));
    } finally {
      for (const socket of readers) socket.destroy();
    }
  },
  HANG_LIMIT_MS,
);
