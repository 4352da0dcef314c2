import { waitFor } from "@feather/testing/wait-for";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createChatRequest, errorOf } from "../../testing/chat.ts";
import { createTestServer, type TestServer } from "../../testing/server.ts";
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

/** Makes every insert into `requests` wait until `unblock` is called. */
async function blockRequests() {
  const trx = await server.db.startTransaction().execute();
  await sql`lock table requests in access exclusive mode`.execute(trx);
  return {
    /** Resolves when an insert is waiting. */
    isAwaited: () =>
      waitFor(async () => {
        const { rows } = await sql`
          select from pg_locks where relation = 'requests'::regclass and not granted`.execute(server.db);
        expect(rows.length).toBeGreaterThan(0);
      }),
    unblock: async () => {
      if (!trx.isCommitted) await trx.commit().execute();
    },
  };
}

test("a call is refused while the database takes no usage rows, and answered again when it has taken all", async () => {
  const { usageWriter } = server.api.gateway;
  const { token } = await server.signUpOnPlan({});
  await server.addUpstream();
  const chat = () => server.call("/v1/chat/completions", { token, body: createChatRequest() });
  expect((await chat()).status).toBe(200);
  const database = await blockRequests();
  try {
    for (let index = 0; index < 20_000; index++) usageWriter.add(row(`full${index}`));
    const refused = await chat();
    expect([refused.status, errorOf(refused.body).code, refused.headers.get("retry-after")]).toEqual([
      503,
      "storage_unavailable",
      "2",
    ]);
  } finally {
    await database.unblock();
  }
  await usageWriter.flush();
  expect((await chat()).status).toBe(200);
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from requests where id like 'full%'`.execute(server.db);
  expect(rows).toEqual([{ count: 20_000 }]);
});

describe("the usage writer", () => {
  test("the usage writer writes a row within 50 ms without being flushed", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      createUsageWriter(server.db, log).add(row("soon"));
      vi.advanceTimersByTime(50);
    } finally {
      vi.useRealTimers();
    }
    await waitFor(async () => expect(await written("soon")).toEqual(["soon"]));
  });

  test("the usage writer writes a row that is added twice only once", async () => {
    const writer = createUsageWriter(server.db, log);
    const started_at = new Date();
    writer.add(row("twice", { started_at }));
    writer.add(row("twice", { started_at, duration_ms: 2 }));
    await writer.flush();
    expect(await written("twice")).toEqual(["twice"]);
    expect(log.error).not.toHaveBeenCalled();
  });

  test("the usage writer writes more rows than one insert takes", async () => {
    const writer = createUsageWriter(server.db, log);
    const ids = Array.from({ length: 1_100 }, (_, index) => `many${index}`);
    for (const id of ids) writer.add(row(id));
    await writer.flush();
    expect(await written(...ids)).toHaveLength(1_100);
  });

  test("the usage writer writes the other rows when the database rejects one", async () => {
    const writer = createUsageWriter(server.db, log);
    for (const fine of [row("a"), row("bad", { prompt_tokens: 1e12 }), row("stray", { outcome: "lost" }), row("z")])
      writer.add(fine);
    await writer.flush();
    expect(await written("a", "bad", "stray", "z")).toEqual(["a", "z"]);
    expect(log.error).toHaveBeenCalledTimes(2);
  });

  test("the usage writer writes rows of an organization that was deleted meanwhile", async () => {
    const writer = createUsageWriter(server.db, log);
    writer.add(row("late", { organization_id: "org_gone" }));
    await writer.flush();
    expect(await written("late")).toEqual(["late"]);
  });

  test("the usage writer writes rows that come during a write together, not as soon as the database is free", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const batches: string[][] = [];
      const firstWrite = Promise.withResolvers<void>();
      const writer = createUsageWriter(server.db, log, {
        write: async (rows) => {
          batches.push(rows.map(({ id }) => id));
          if (batches.length === 1) await firstWrite.promise;
        },
        discard: () => {},
      });
      writer.add(row("1"));
      await vi.advanceTimersByTimeAsync(50);
      writer.add(row("2"));
      firstWrite.resolve();
      await vi.advanceTimersByTimeAsync(40);
      writer.add(row("3"));
      expect(batches).toEqual([["1"]]);
      await vi.advanceTimersByTimeAsync(10);
      expect(batches).toEqual([["1"], ["2", "3"]]);
    } finally {
      vi.useRealTimers();
    }
  });

  test("the usage writer refuses calls before more rows wait than it holds, and loses none", async () => {
    const database = await blockRequests();
    const writer = createUsageWriter(server.db, log, undefined, { maxWaitingRows: 10 });
    const ids = Array.from({ length: 8 }, (_, index) => `waits${index}`);
    try {
      for (const id of ids) writer.add(row(id));
      expect(() => writer.refuseWhenFull(1)).not.toThrow();
      expect(() => writer.refuseWhenFull(2)).toThrow(expect.objectContaining({ code: "storage_unavailable" }));
      const flushed = writer.flush();
      await database.isAwaited();
      expect(() => writer.refuseWhenFull(2), "while they are being written").toThrow();
      await database.unblock();
      await flushed;
    } finally {
      await database.unblock();
    }
    expect(() => writer.refuseWhenFull(9)).not.toThrow();
    expect(await written(...ids)).toEqual(ids);
  });

  test("the usage writer closes when the database has taken all rows, however often it refused", async () => {
    let refusals = 2;
    const batches: number[] = [];
    const writer = createUsageWriter(server.db, log, {
      write: async (rows) => {
        if (refusals-- > 0) throw new Error("connection refused");
        batches.push(rows.length);
      },
      discard: () => {},
    });
    for (const id of ["1", "2"]) writer.add(row(id));
    await writer.close(new AbortController().signal);
    expect(batches).toEqual([2]);
  });

  test("the usage writer keeps a row whose month gets its partition while it is being written, however often that happens", async () => {
    let conflicts = 3;
    const [writes, discarded] = [[] as string[], [] as string[]];
    const writer = createUsageWriter(server.db, log, {
      write: async (rows) => {
        if (conflicts-- > 0) throw Object.assign(new Error("violates partition constraint"), { code: "23514" });
        writes.push(...rows.map(({ id }) => id));
      },
      discard: ({ id }) => void discarded.push(id),
    });
    writer.add(row("late"));
    await writer.close(new AbortController().signal);
    expect([writes, discarded]).toEqual([["late"], []]);
  });

  test("the usage writer closes when it is forced to, and logs how many rows the database has not accepted", async () => {
    const forced = new AbortController();
    const writer = createUsageWriter(server.db, log, {
      write: async () => {
        forced.abort();
        throw new Error("connection refused");
      },
      discard: () => {},
    });
    writer.add(row("lost"));
    await writer.close(forced.signal);
    expect(log.error).toHaveBeenLastCalledWith({ rows: 1 }, expect.stringContaining("not take"));
    await writer.flush();
  });

  test("the usage writer keeps rows while the database is unavailable, and writes them later", async () => {
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
