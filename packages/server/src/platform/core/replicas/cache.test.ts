import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createCache } from "./cache.ts";
import type { Bus, BusTopic } from "./replicas.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A bus on which the test sends messages of other processes. */
function createTestBus() {
  const listeners: { topic: BusTopic; listener: (message: unknown, from: string) => void }[] = [];
  const onReconnected: (() => void)[] = [];
  let connected = true;
  const bus: Bus = {
    publish() {},
    subscribe: (topic, listener) => void listeners.push({ topic, listener }),
    isConnected: () => connected,
    onReconnected: (listener) => void onReconnected.push(listener),
  };
  return {
    bus,
    send(topic: BusTopic, message: unknown) {
      for (const one of listeners) if (one.topic === topic) one.listener(message, "other");
    },
    disconnect() {
      connected = false;
    },
    reconnect() {
      connected = true;
      for (const listener of onReconnected) listener();
    },
  };
}

function setUp({ ttlMs = 30_000, max = 100 } = {}) {
  const bus = createTestBus();
  const time = { now: 0 };
  let loads = 0;
  const cache = createCache<string>(bus, { max, ttlMs, tables: ["models"] }, () => time.now);
  const read = (key = "key") => cache.read(key, async () => `${key} ${++loads}`);
  return { bus, cache, read, time };
}

describe("a cache", () => {
  test("a cache keeps a value for its time to live", async () => {
    const { read, time } = setUp();
    await read();
    time.now = 29_999;
    expect(await read()).toBe("key 1");
    time.now = 30_000;
    expect(await read()).toBe("key 2");
  });

  test("a cache keeps the most recently used values up to its maximum", async () => {
    const { read, cache } = setUp({ max: 2 });
    for (const key of ["a", "b", "c"]) await read(key);
    expect(["a", "b", "c"].map((key) => cache.find(key) !== undefined)).toEqual([false, true, true]);
  });

  test("a cache is cleared by a change of its tables, and by no other message", async () => {
    const { bus, read } = setUp();
    await read();
    for (const message of [{ table: "users" }, { table: 7 }, {}, null, "models"]) bus.send("changed", message);
    bus.send("hosting", { table: "models" });
    expect(await read()).toBe("key 1");
    bus.send("changed", { table: "models" });
    expect(await read()).toBe("key 2");
  });

  test("many changes clear a cache at once for the first of them, and once more after the last", async () => {
    const { bus, cache, read } = setUp();
    await read();
    for (let index = 0; index < 50; index++) bus.send("changed", { table: "models" });
    expect(cache.find("key")).toBeUndefined();
    await read();
    vi.advanceTimersByTime(99);
    expect(cache.find("key")).toBe("key 2");
    vi.advanceTimersByTime(1);
    expect(cache.find("key")).toBeUndefined();
    await read();
    vi.advanceTimersByTime(1_000);
    expect(cache.find("key")).toBe("key 3");
  });

  test("a cache keeps values for five seconds while messages may be lost, and is cleared when they arrive again", async () => {
    const { bus, cache, read, time } = setUp();
    await read();
    bus.disconnect();
    time.now = 4_999;
    expect(cache.find("key")).toBe("key 1");
    time.now = 5_000;
    expect(cache.find("key")).toBeUndefined();
    await read();
    bus.reconnect();
    expect(cache.find("key")).toBeUndefined();
  });

  test("a cache does not lengthen a shorter time to live while messages may be lost", async () => {
    const { bus, cache, read, time } = setUp({ ttlMs: 1_000 });
    await read();
    bus.disconnect();
    time.now = 1_000;
    expect(cache.find("key")).toBeUndefined();
  });

  test.each([
    ["a change in another process", ({ bus }: ReturnType<typeof setUp>) => bus.send("changed", { table: "models" })],
    ["a lost connection", ({ bus }: ReturnType<typeof setUp>) => bus.reconnect()],
    ["clearing it", ({ cache }: ReturnType<typeof setUp>) => cache.clear()],
    ["deleting the key", ({ cache }: ReturnType<typeof setUp>) => cache.delete("key")],
  ])("a cache neither keeps nor shares a value whose read began before %s", async (_what, invalidate) => {
    const parts = setUp();
    const { cache } = parts;
    const before = Promise.withResolvers<string>();
    const first = cache.read("key", () => before.promise);
    invalidate(parts);
    const second = cache.read("key", async () => "after");
    before.resolve("before");
    expect(await first).toBe("before");
    expect(await second).toBe("after");
    expect(cache.find("key")).not.toBe("before");
  });

  test("concurrent readers of a key of a cache share one read, whose failure is not kept", async () => {
    const { cache } = setUp();
    const pending = Promise.withResolvers<string>();
    const load = vi.fn(() => pending.promise);
    const reads = [cache.read("key", load), cache.read("key", load)];
    pending.reject(new Error("away"));
    await expect(Promise.all(reads)).rejects.toThrow("away");
    expect(load).toHaveBeenCalledTimes(1);
    expect(await cache.read("key", async () => "there")).toBe("there");
  });
});
