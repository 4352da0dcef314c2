import assert from "node:assert/strict";
import type { FakeUpstream } from "@feather/testing/fake-upstream";
import { waitFor } from "@feather/testing/wait-for";
import { type CallTarget, post } from "./callers.ts";
import { MODEL, UNITS } from "./environment.ts";

const WAIT_SECONDS = 30;

/**
 * Holds every unit at once, and no more: returns after how many milliseconds all were there. Proves that none was lost and
 * that none is given twice.
 */
export async function holdAllUnits(target: CallTarget, backend: FakeUpstream): Promise<number> {
  const gate = Promise.withResolvers<void>();
  backend.scripts.set(MODEL, { thinkUntil: gate.promise, tokens: ["Well."] });
  const body = { messages: [{ role: "user", content: "Well?" }] };
  const startedAt = performance.now();
  try {
    const held = Array.from({ length: UNITS }, () => post(target, body, { waitSeconds: WAIT_SECONDS }));
    await waitFor(() => assert.equal(backend.active(), UNITS));
    const tookMs = performance.now() - startedAt;
    assert.equal((await post(target, body)).status, 429);
    gate.resolve();
    for (const answer of held) assert.equal((await answer).status, 200);
    assert.ok(backend.peak() <= UNITS, `${backend.peak()} units at once`);
    return tookMs;
  } finally {
    gate.resolve();
    backend.scripts.delete(MODEL);
  }
}
