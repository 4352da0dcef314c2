import { afterAll, beforeAll, test } from "vitest";
import { openReplicas, type ReplicaEnvironment } from "./environment.ts";
import { SCENARIOS } from "./scenarios.ts";

const REPLICAS = 3;
/** Ends a scenario that hangs. */
const HANG_LIMIT_MS = 300_000;

let environment: ReplicaEnvironment;
const measured: { fault: string; promised: string; measured: string }[] = [];
beforeAll(async () => {
  environment = await openReplicas(REPLICAS);
});
afterAll(async () => {
  await environment?.close();
  const front = environment?.hasNginx ? "behind nginx" : "behind a stand-in for nginx, which is not installed";
  console.log(`${REPLICAS} replicas ${front}:`);
  for (const row of measured) console.log(`  ${row.fault}\n    promised: ${row.promised}\n    kept: ${row.measured}`);
});

test.each(SCENARIOS)(
  "three replicas, fault: $fault; promised: $promise",
  async ({ fault, promise, run }) => {
    measured.push({ fault, promised: promise, measured: await run(environment) });
  },
  HANG_LIMIT_MS,
);
