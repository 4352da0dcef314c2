import { waitFor } from "@feather/testing/wait-for";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createTestServer, type TestServer } from "../testing/server.ts";
import { createUsageWriter, type UsageRow } from "./usage-writer.ts";

let server: TestServer;
let organizationId = "";
const log = { error: vi.fn() };

beforeAll(async () => {
  server = await createTestServer();
  organizationId = (await server.signUp()).organizationId;
});
beforeEach(() => void log.error.mockClear());
afterAll(() => server.close());

const row = (id: string, more: Partial<UsageRow> = {}): UsageRow => ({
  id,
  organization_id: organizationId,
  model_id: "o/n",
  model_class_id: "c",
  kind: "chat",
  outcome: "completed",
  status: 200,
  streamed: false,
  units: 1,
  started_at: new Date(),
  duration_ms: 1,
  ...more,
});
const written = async (...ids: string[]) =>
  (await server.db.selectFrom("requests").select("id").where("id", "in", ids).orderBy("id").execute()).map(
    ({ id }) => id,
  );

describe("the usage writer", () => {
  test("writes a row within 50 ms without being flushed", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      createUsageWriter(server.db, log).add(row("soon"));
      vi.advanceTimersByTime(50);
    } finally {
      vi.useRealTimers();
    }
    await waitFor(async () => expect(await written("soon")).toEqual(["soon"]));
  });

  test("writes a row that is added twice only once", async () => {
    const writer = createUsageWriter(server.db, log);
    writer.add(row("twice"));
    writer.add(row("twice", { duration_ms: 2 }));
    await writer.flush();
    expect(await written("twice")).toEqual(["twice"]);
    expect(log.error).not.toHaveBeenCalled();
  });

  test("writes more rows than one insert takes", async () => {
    const writer = createUsageWriter(server.db, log);
    const ids = Array.from({ length: 1_100 }, (_, index) => `many${index}`);
    for (const id of ids) writer.add(row(id));
    await writer.flush();
    expect(await written(...ids)).toHaveLength(1_100);
  });

  test("writes the other rows when the database rejects one", async () => {
    const writer = createUsageWriter(server.db, log);
    for (const fine of [row("a"), row("bad", { prompt_tokens: 1e12 }), row("stray", { outcome: "lost" }), row("z")])
      writer.add(fine);
    await writer.flush();
    expect(await written("a", "bad", "stray", "z")).toEqual(["a", "z"]);
    expect(log.error).toHaveBeenCalledTimes(2);
  });

  test("writes rows of an organization that was deleted meanwhile", async () => {
    const writer = createUsageWriter(server.db, log);
    writer.add(row("late", { organization_id: "org_gone" }));
    await writer.flush();
    expect(await written("late")).toEqual(["late"]);
  });

  test("keeps rows while the database is unavailable, and writes them later", async () => {
    let away = true;
    const db = new Proxy(server.db, {
      get: (target, name) => {
        if (name === "getExecutor" && away) throw new Error("connection refused");
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const writer = createUsageWriter(db, log);
    writer.add(row("kept"));
    await writer.flush();
    expect(await written("kept")).toEqual([]);
    away = false;
    await writer.flush();
    expect(await written("kept")).toEqual(["kept"]);
  });
});
