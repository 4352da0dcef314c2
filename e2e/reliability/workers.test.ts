import { execFileSync } from "node:child_process";
import { waitFor } from "@feather/testing/wait-for";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createEnvironment, MODEL, type ReliabilityEnvironment } from "./environment.ts";

const WORKERS = 3;
const UNITS = 8; // of the first admin's plan
const CALLERS = 24;
const BODY = JSON.stringify({ model: MODEL, messages: [{ role: "user", content: "Well?" }] });

let environment: ReliabilityEnvironment;
let secret: string;
beforeEach(async () => {
  environment = await createEnvironment({ FEATHER_WORKERS: String(WORKERS), FEATHER_METRICS_TOKEN: "m".repeat(32) });
  ({ secret } = await environment.client().apiKeys.create({ name: "callers" }));
});
afterEach(() => environment?.close());

/** Makes a call over its own connection, so that any process may take it. */
function call(headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${environment.baseUrl()}/v1/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${secret}`,
      "content-type": "application/json",
      connection: "close",
      ...headers,
    },
    body: BODY,
  });
}

/** The processes of the workers. */
function listWorkers(): number[] {
  const children = execFileSync("ps", ["-o", "pid=,args=", "--ppid", String(environment.pid())], { encoding: "utf8" });
  return children
    .split("\n")
    .filter((line) => line.includes("bin/worker.js"))
    .map((line) => Number.parseInt(line, 10));
}

/** Takes all units until `release` is called; resolves when the backend answers that many calls. */
async function holdAllUnits() {
  const gate = Promise.withResolvers<void>();
  environment.backend.scripts.set(MODEL, { thinkUntil: gate.promise, tokens: ["Well."] });
  const held = Array.from({ length: UNITS }, () =>
    call({ "x-queue-timeout": "60" }).then(
      ({ status }) => status,
      () => 0, // its process was killed
    ),
  );
  await waitFor(() => expect(environment.backend.active()).toBe(UNITS));
  return async () => {
    gate.resolve();
    environment.backend.scripts.delete(MODEL);
    return Promise.all(held);
  };
}

async function waitUntilIdle(): Promise<void> {
  await waitFor(async () => expect((await environment.client().concurrency.get()).used_cost).toBe(0));
}

test("workers share the units of a plan exactly, and show what all of them do", async () => {
  expect(listWorkers()).toHaveLength(WORKERS - 1);
  const release = await holdAllUnits();
  const refused = await Promise.all(Array.from({ length: CALLERS }, () => call()));
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]));
  for (let turn = 0; turn < WORKERS * 2; turn++)
    expect((await environment.client().concurrency.get()).used_cost).toBe(UNITS);
  const metrics = await fetch(`${environment.baseUrl()}/metrics`, {
    headers: { authorization: `Bearer ${"m".repeat(32)}`, connection: "close" },
  });
  expect(await metrics.text()).toContain(`\nfeather_units_in_use ${UNITS}\n`);
  expect(new Set(await release())).toEqual(new Set([200]));
  expect(environment.backend.peak()).toBe(UNITS);
  await waitUntilIdle();
});

test("the units of a worker that is killed are free at once, and another one takes its place", async () => {
  const release = await holdAllUnits();
  const [worker, ...others] = listWorkers();
  if (worker === undefined) throw new Error("There is no worker.");
  process.kill(worker, "SIGKILL");
  await release();
  await waitUntilIdle();
  const releaseAgain = await holdAllUnits();
  expect(new Set(await releaseAgain())).toEqual(new Set([200]));
  await waitFor(() => expect(listWorkers()).toHaveLength(WORKERS - 1));
  expect(listWorkers()).toEqual(expect.arrayContaining(others));
});

test("workers end with the first process, and the next start has all units", async () => {
  const release = await holdAllUnits();
  const workers = listWorkers();
  await environment.kill();
  await release();
  for (const worker of workers) await waitFor(() => expect(() => process.kill(worker, 0)).toThrow("ESRCH"));
  await environment.start();
  const releaseAgain = await holdAllUnits();
  expect(new Set(await releaseAgain())).toEqual(new Set([200]));
  const [first = 0] = listWorkers();
  expect(await environment.stop(["SIGTERM"])).toBe(0);
  expect(() => process.kill(first, 0)).toThrow("ESRCH");
  await environment.start();
});
