import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createEnvironment, MODEL, type ReliabilityEnvironment } from "./environment.ts";

/** Signals that come later than a second after the first count as asking again. */
const ASKED_AGAIN_MS = 1_200;

let environment: ReliabilityEnvironment;
beforeAll(async () => {
  environment = await createEnvironment();
});
afterAll(() => environment?.close());

/** Ids of the database servers that run on the stand's data. */
const databaseServers = (): string[] =>
  execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes("bin/postgres") && line.includes(environment.folder));

/** A stream of which the first part has arrived. */
async function startStream(maxTokens?: number) {
  const create = environment.client().chat.completions.create({
    model: MODEL,
    messages: [{ role: "user", content: "Tell me." }],
    stream: true,
    ...(maxTokens && { max_tokens: maxTokens }),
  });
  const { data, response } = await create.withResponse();
  const parts = data[Symbol.asyncIterator]();
  await parts.next();
  return { id: response.headers.get("request-id") ?? "", parts };
}

async function countRest(parts: AsyncIterator<unknown>): Promise<number> {
  let count = 0;
  while (!(await parts.next()).done) count += 1;
  return count;
}

test("a Ctrl-C delivered twice lets a stream finish and stops the database", async () => {
  const { id, parts } = await startStream();
  const stopped = environment.stop(["SIGINT", "SIGINT"]);
  expect(await countRest(parts)).toBeGreaterThan(0);
  expect(await stopped).toBe(0);
  expect(databaseServers()).toEqual([]);
  await environment.start();
  expect((await environment.client().usage.requests.get(id)).outcome).toBe("completed");
});

test("a second Ctrl-C aborts a stream, writes its receipt and stops the database", async () => {
  const { id, parts } = await startStream(5_000);
  const rest = countRest(parts).catch(() => 0);
  const stopped = environment.stop(["SIGINT"]);
  await sleep(ASKED_AGAIN_MS);
  void environment.stop(["SIGINT"]);
  expect(await stopped).toBe(1);
  await rest;
  expect(databaseServers()).toEqual([]);
  await environment.start();
  expect((await environment.client().usage.requests.get(id)).outcome).toBe("interrupted");
});
