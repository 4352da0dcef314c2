import { expect, test } from "vitest";
import { createTestServer } from "../testing/server.ts";
import { createLoadShedder } from "./load-shedding.ts";

const OPTIONS = { lateMs: 250, calmMs: 100, durationMs: 1_000 };

/** Observes delays at an interval of `intervalMs`. Returns the decision after each. */
function decide(delays: readonly number[], intervalMs = 100): boolean[] {
  const shedder = createLoadShedder(OPTIONS);
  let now = 0;
  return delays.map((delay) => {
    now += intervalMs + delay;
    shedder.observe(delay, now);
    return shedder.isOverloaded();
  });
}

test("work is accepted at first, and however long the loop is somewhat late", () => {
  expect(createLoadShedder().isOverloaded()).toBe(false);
  expect(decide(Array<number>(100).fill(249))).not.toContain(true);
});

test("work is refused once the loop has been too late for a second", () => {
  expect(decide([250, 250, 250, 250])).toEqual([false, false, false, true]);
});

test("one long task is no overload, nor are two", () => {
  expect(decide([13_000, 0, 13_000, 13_000, 0])).not.toContain(true);
});

test("a single turn in time starts the count anew", () => {
  expect(decide([300, 300, 0, 300, 300, 0])).not.toContain(true);
});

test("work is accepted again only after a second of calm", () => {
  const late = [300, 300, 300];
  const calm = Array<number>(12).fill(0);
  const decisions = decide([...late, ...calm]).slice(late.length);
  expect(decisions.indexOf(false)).toBe(10);
});

test("delays between calm and late change neither decision", () => {
  const between = Array<number>(50).fill(150);
  expect(decide(between)).not.toContain(true);
  expect(decide([300, 300, 300, ...between]).slice(2)).not.toContain(false);
});

test("an overloaded server answers calls with 503 before it reads them, and health checks and pages as ever", async () => {
  let isOverloaded = false;
  const loadShedder = { observe: () => {}, isOverloaded: () => isOverloaded };
  const server = await createTestServer({ loadShedder });
  try {
    const user = await server.signUp();
    isOverloaded = true;
    for (const path of ["/v1/chat/completions", "/v1/models", "/api/auth/login", "/api/config", "/api/nothing"]) {
      const refused = await server.call(path, { token: user.token, ...(path.endsWith("s") ? { body: "{" } : {}) });
      expect([path, refused.status, refused.headers.get("retry-after")]).toEqual([path, 503, "2"]);
      expect(refused.text).toContain("overloaded");
    }
    expect((await server.call("/api/health/live")).status).toBe(200);
    expect((await server.call("/api/health/ready")).status).toBe(200);
    expect((await server.call("/")).status).not.toBe(503);
    isOverloaded = false;
    expect((await server.call("/api/config")).status).toBe(200);
  } finally {
    await server.close();
  }
});
