import { expect, test } from "vitest";
import { createSlotQueue } from "./slot-queue.ts";

const never = new AbortController().signal;

test("slots are assigned in the order of requests", async () => {
  const queue = createSlotQueue(1);
  const order: string[] = [];
  const work = async (name: string) => {
    const release = await queue.acquire(never, 0);
    order.push(name);
    await Promise.resolve();
    release();
  };
  await Promise.all(["a", "b", "c", "d"].map(work));
  expect(order).toEqual(["a", "b", "c", "d"]);
  expect(queue).toMatchObject({ active: 0, waiting: 0 });
});

test("requests with a lower priority value get the next slot, those with the same one in their order", async () => {
  const queue = createSlotQueue(1);
  const release = await queue.acquire(never, 1);
  const order: string[] = [];
  const work = async (name: string, priority: number) => {
    const done = await queue.acquire(never, priority);
    order.push(name);
    done();
  };
  const all = [work("batch 1", 1), work("batch 2", 1), work("person 1", 0), work("person 2", 0)];
  release();
  await Promise.all(all);
  expect(order).toEqual(["person 1", "person 2", "batch 1", "batch 2"]);
});

test("never has more active holders than slots", async () => {
  const queue = createSlotQueue(2);
  const [first] = await Promise.all([queue.acquire(never, 0), queue.acquire(never, 0)]);
  const third = queue.acquire(never, 0);
  expect(queue).toMatchObject({ active: 2, waiting: 1 });
  first();
  await third;
  expect(queue).toMatchObject({ active: 2, waiting: 0 });
});

test("releasing a slot twice frees it once", async () => {
  const queue = createSlotQueue(2);
  const release = await queue.acquire(never, 0);
  await queue.acquire(never, 0);
  release();
  release();
  expect(queue.active).toBe(1);
});

test("skips an aborted waiter", async () => {
  const queue = createSlotQueue(1);
  const release = await queue.acquire(never, 0);
  const leaving = new AbortController();
  const abandoned = queue.acquire(leaving.signal, 0);
  const patient = queue.acquire(never, 0);
  leaving.abort(new Error("left"));
  await expect(abandoned).rejects.toThrow("left");
  release();
  await patient;
  expect(queue).toMatchObject({ active: 1, waiting: 0 });
});
