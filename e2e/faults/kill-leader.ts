import assert from "node:assert/strict";
import { pollUntil } from "../support/poll-until.ts";
import type { ReplicaEnvironment, ReplicaProcess } from "./environment.ts";

/** Kills the replica that leads, and waits for the next one. Returns the killed one, and how long that took. */
export async function killLeader(environment: ReplicaEnvironment): Promise<{ killed: ReplicaProcess; tookMs: number }> {
  const before = await readLeader(environment);
  const killed = environment.replicas.find(({ replicaAddress }) => replicaAddress === before?.address);
  assert.ok(killed);
  await killed.kill();
  const startedAt = performance.now();
  await pollUntil(async () => {
    const leader = await readLeader(environment);
    assert.ok(leader !== undefined && leader.replica_id !== before?.replica_id);
  });
  return { killed, tookMs: performance.now() - startedAt };
}

async function readLeader({ query }: ReplicaEnvironment) {
  const [leader] = await query<{ address: string; replica_id: string }>(
    "select address, replica_id from replica_leader join replicas on id = replica_id",
  );
  return leader;
}
