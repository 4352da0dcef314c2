import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { takeSetupLock } from "./setup-lock.mjs";

let folder: string;
let lock: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "feather-lock-"));
  lock = join(folder, ".setup.lock");
});
afterEach(() => rmSync(folder, { recursive: true }));

const neverWaits = (pid: number) => {
  throw new Error(`it waits for ${pid}`);
};

/** Starts a process that takes the lock and keeps it until it is killed. */
async function startHolder() {
  const program = join(folder, "holder.mjs");
  const module = JSON.stringify(new URL("setup-lock.mjs", import.meta.url).href);
  writeFileSync(
    program,
    `import { takeSetupLock } from ${module};
    await takeSetupLock(${JSON.stringify(lock)}, () => {});
    process.send("taken");
    setInterval(() => {}, 1000);`,
  );
  const child = fork(program);
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "message");
  return child;
}

test("a second set-up waits for the first, says for which process, and goes on when that ends", async () => {
  const holder = await startHolder();
  const waits: number[] = [];
  const { promise: waiting, resolve } = Promise.withResolvers<void>();
  const taking = takeSetupLock(lock, (pid) => {
    waits.push(pid);
    resolve();
  });
  await waiting;
  expect(readFileSync(lock, "utf8").split(" ")[0]).toBe(String(holder.pid));
  holder.kill("SIGKILL");
  const release = await taking;
  expect(waits).toEqual([holder.pid]);
  expect(readFileSync(lock, "utf8").split(" ")[0]).toBe(String(process.pid));
  release();
  expect(existsSync(lock)).toBe(false);
});

test("the lock of a set-up that was killed is taken over at once", async () => {
  const holder = await startHolder();
  holder.kill("SIGKILL");
  await once(holder, "exit");
  (await takeSetupLock(lock, neverWaits))();
});

test("the lock of a process whose id another one has by now is taken over", async () => {
  writeFileSync(lock, `${process.pid} 1`);
  (await takeSetupLock(lock, neverWaits))();
});

test("a lock that was given back is free, and giving it back twice takes it from nobody", async () => {
  const release = await takeSetupLock(lock, neverWaits);
  release();
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const holder = await startHolder();
  holder.once("exit", () => resolve());
  release();
  expect(existsSync(lock)).toBe(true);
  holder.kill("SIGKILL");
  await ended;
});
