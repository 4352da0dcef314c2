import { createTestClock } from "@feather/testing/clock";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DAY_MS } from "../../../platform/core/time.ts";
import { createTestServer, type TestServer } from "../../../testing/server.ts";

const clock = createTestClock("2026-11-01T12:00:00Z");

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer({ clock });
});
afterAll(() => server.close());

async function readSessions() {
  const job = server.platform.jobs.find(({ name }) => name === "delete where ended sessions were used");
  await job?.run();
  return server.db.selectFrom("sessions").select(["user_id", "ip", "user_agent"]).orderBy("created_at").execute();
}

test("address and program of a session are removed when it has ended, and kept until then", async () => {
  const [ended, idle, present] = await Promise.all([server.signUp(), server.signUp(), server.signUp()]);
  await server.db.updateTable("sessions").set({ ip: "203.0.113.9", user_agent: "Firefox" }).execute();
  await server.call("/api/auth/logout", { method: "POST", token: ended.token });
  const known = { ip: "203.0.113.9", user_agent: "Firefox" };
  const forgotten = { ip: null, user_agent: null };
  const first = await readSessions();
  expect(first).toHaveLength(3);
  expect(first).toEqual(
    expect.arrayContaining([
      { user_id: ended.userId, ...forgotten },
      { user_id: idle.userId, ...known },
      { user_id: present.userId, ...known },
    ]),
  );
  clock.at += 10 * DAY_MS;
  expect((await server.call("/api/auth/me", { token: present.token })).status).toBe(200);
  clock.at += 4 * DAY_MS;
  const later = await readSessions();
  expect(later).toContainEqual({ user_id: idle.userId, ...forgotten });
  expect(later).toContainEqual({ user_id: present.userId, ...known });
});
