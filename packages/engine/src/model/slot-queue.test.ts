import { expect, test } from "vitest";
import { createSlotQueue } from "./slot-queue.ts";

const never = new AbortController().signal;

test("slots are assigned in the order of requests", async () => {
  const queue = createSlotQueue(1);
  const order: string[] = [];
  const work = async (name: string) => {
    const release = await queue.acquire(never);
    order.push(name);
    await Promise.resolve();
    release();
  };
  await Promise.all(["a", "b", "c", "d"].map(work));
  expect(order).toEqual(["a", "b", "c", "d"]);
  expect(queue).toMatchObject({ active: 0, waiting: 0 });
});

test("never has more active holders than slots", async () => {
  const queue = createSlotQueue(2);
  const [first] = await Promise.all([queue.acquire(never), queue.acquire(never)]);
  const third = queue.acquire(never);
  expect(queue).toMatchObject({ active: 2, waiting: 1 });
  first();
  await third;
  expect(queue).toMatchObject({ active: 2, waiting: 0 });
});

test("releasing a slot twice frees it once", async () => {
  const queue = createSlotQueue(2);
  const release = await queue.acquire(never);
  await queue.acquire(never);
  release();
  release();
  expect(queue.active).toBe(1);
});

test("skips an aborted waiter", async () => {
  const queue = createSlotQueue(1);
  const release = await queue.acquire(never);
  const leaving = new AbortController();
  const abandoned = queue.acquire(leaving.signal);
  const patient = queue.acquire(never);
  leaving.abort(new Error("left"));
  await expect(abandoned).rejects.toThrow("left");
  release();
  await patient;
  expect(queue).toMatchObject({ active: 1, waiting: 0 });
});
