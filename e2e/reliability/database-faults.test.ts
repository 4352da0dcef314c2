import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createFeather, type Feather } from "@feather/sdk";
import { waitFor } from "@feather/testing/wait-for";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createEnvironment, MODEL, type ReliabilityEnvironment } from "./environment.ts";

/** What an operator sees when a disk or a network hangs for a while. */
const PAUSE_MS = 30_000;
const CALLERS = 6;
/** A stream of 50 tokens a second that lasts longer than the pause. */
const LONG_STREAM_TOKENS = 2_500;
const HANG_LIMIT_MS = 300_000;

let environment: ReliabilityEnvironment;
let baseUrl: string;
let secret: string;

beforeEach(async () => {
  environment = await createEnvironment();
  baseUrl = environment.baseUrl();
  ({ secret } = await environment.client().apiKeys.create({ name: "callers" }));
});
afterEach(() => environment?.close());

/** The processes of the embedded database. */
function listDatabaseProcesses(): number[] {
  const folder = readdirSync(environment.folder, { recursive: true, encoding: "utf8" }).find((path) =>
    path.endsWith("postmaster.pid"),
  );
  const [first = ""] = readFileSync(join(environment.folder, folder ?? "postmaster.pid"), "utf8").split("\n");
  const children = execFileSync("ps", ["-o", "pid=", "--ppid", first], { encoding: "utf8" });
  return [first, ...children.trim().split(/\s+/)].map(Number);
}

/** Makes calls, one after the other, until it is stopped; collects their statuses, and the ids of answered ones. */
async function call(seen: { statuses: Map<number, number>; answered: string[] }, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const response = await fetch(`${baseUrl}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: JSON.stringify({ model: MODEL, messages: [{ role: "user", content: "Well?" }] }),
    });
    await response.text();
    seen.statuses.set(response.status, (seen.statuses.get(response.status) ?? 0) + 1);
    if (response.status === 200) seen.answered.push(response.headers.get("request-id") ?? "");
    else await sleep(100);
  }
}

test(
  "while the database hangs for 30 s, streams go on, calls end, and no receipt of an answered call is lost",
  async () => {
    const seen = { statuses: new Map<number, number>(), answered: [] as string[] };
    const stop = new AbortController();
    const caller: Feather = createFeather({ baseUrl, token: secret, maxRetries: 0, timeout: HANG_LIMIT_MS });
    const stream = await caller.chat.completions.create({
      model: MODEL,
      messages: [{ role: "user", content: "Tell me more." }],
      stream: true,
      max_tokens: LONG_STREAM_TOKENS,
    });
    const text = stream.text();
    const load = Promise.all(Array.from({ length: CALLERS }, () => call(seen, stop.signal)));
    await waitFor(() => expect(seen.answered.length).toBeGreaterThan(CALLERS));

    const processes = listDatabaseProcesses();
    for (const id of processes) process.kill(id, "SIGSTOP");
    const resumeAt = Date.now() + PAUSE_MS;
    while (Date.now() < resumeAt) {
      expect((await fetch(`${baseUrl}/api/health/live`)).status).toBe(200);
      await sleep(500);
    }
    for (const id of processes) process.kill(id, "SIGCONT");

    const before = seen.answered.length;
    await waitFor(() => expect(seen.answered.length).toBeGreaterThan(before + CALLERS));
    stop.abort();
    await load;
    expect([...seen.statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect((await text).split(" more").length - 1).toBe(LONG_STREAM_TOKENS);
    const admin = environment.client();
    for (const id of seen.answered) expect((await admin.usage.requests.get(id)).outcome, id).toBe("completed");
    expect((await admin.concurrency.get()).used_cost).toBe(0);
  },
  HANG_LIMIT_MS,
);

test(
  "when the database is gone for good, the server stays alive, says that it is not ready, and refuses calls with 503",
  async () => {
    const [postmaster = 0] = listDatabaseProcesses();
    renameSync(join(environment.folder, "postgres"), join(environment.folder, "gone"));
    process.kill(postmaster, "SIGKILL");
    const seen = { statuses: new Map<number, number>(), answered: [] as string[] };
    const stop = new AbortController();
    const load = call(seen, stop.signal);
    await waitFor(() => expect(seen.statuses.get(503)).toBeGreaterThan(3));
    stop.abort();
    await load;
    expect((await fetch(`${baseUrl}/api/health/live`)).status).toBe(200);
    expect((await fetch(`${baseUrl}/api/health/ready`)).status).toBe(503);
    expect([...seen.statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  },
  HANG_LIMIT_MS,
);
