import { expect, test } from "vitest";
import { registerTab } from "./open-tabs.ts";

/** The parts of the browser's locks that tabs use. */
function createLocks() {
  const held = new Set<string>();
  return {
    async request(name: string, callback: () => Promise<void>): Promise<void> {
      held.add(name);
      await callback();
      held.delete(name);
    },
    query: async () => ({ held: [...held].map((name) => ({ name })), pending: [] }),
  } as unknown as LockManager;
}

test("lists the open tabs of the same user", async () => {
  const locks = createLocks();
  const [one, two] = [await registerTab(locks, "usr_1", "a"), await registerTab(locks, "usr_1", "b")];
  await registerTab(locks, "usr_2", "c");
  expect(await one.listIds()).toEqual(new Set(["a", "b"]));
  two.close();
  await Promise.resolve();
  expect(await one.listIds()).toEqual(new Set(["a"]));
});

test("the open tabs are null in a browser without locks", async () => {
  const tabs = await registerTab(undefined, "usr_1", "a");
  expect(tabs.ownId).toBeNull();
  expect(await tabs.listIds()).toBeNull();
});
