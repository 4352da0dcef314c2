import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { splitGguf } from "@feather/testing/split-gguf";
import pino from "pino";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { isRoot } from "../../../platform/core/db/embedded/account.ts";
import { DEMO_MODEL_FILE } from "../built-in-models.ts";
import { chooseEngineAccount, chooseSocketRoot, createEngineEnvironment } from "../processes/confinement.ts";
import type { EngineProcess } from "../processes/model-process.ts";
import { describeSandbox, detectSandbox } from "../processes/sandbox.ts";
import { createEngineStarter, runEngine } from "./engine-process.ts";

const log = { debug: () => {}, warn: () => {} };
let running: EngineProcess[] = [];
afterEach(async () => {
  await Promise.all(running.map((engine) => engine.stop()));
  running = [];
});

type RunOptions = { file?: string; stopsWithin?: number; isSandboxed?: boolean };

function run({ file = DEMO_MODEL_FILE, stopsWithin: stopTimeoutMs, isSandboxed = false }: RunOptions = {}) {
  const ready: string[] = [];
  const gone: { reason: string; restartsInMs: number }[] = [];
  const shares: number[] = [];
  const lines: string[] = [];
  const engine = runEngine(
    { id: "feather/demo", file, contextLength: 256, sequences: 1, threads: 1 },
    {
      ready: (socketPath) => ready.push(socketPath),
      exited: (reason, restartsInMs) => gone.push({ reason, restartsInMs }),
      progress: (share) => shares.push(share),
      line: (text) => lines.push(text),
    },
    { log, isSandboxed, stopTimeoutMs },
  );
  running.push(engine);
  const isReady = (times = 1) => expect.poll(() => ready.length).toBe(times);
  return { engine, ready, gone, shares, lines, isReady };
}

/** Returns the id of the process that listens on a socket. */
function pidOf(socketPath: string | undefined): number {
  const line = execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" })
    .split("\n")
    .find((text) => text.includes(`--socket ${socketPath}`));
  return Number.parseInt(line?.trim() ?? "", 10);
}
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
const health = (socketPath: string | undefined) =>
  new Promise<number | undefined>((resolve, reject) =>
    request({ socketPath: socketPath ?? "", path: "/health" }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end(),
  );

test("inherits only the environment variables with paths of programs and libraries", () => {
  const env = { PATH: "/bin", SMTP_URL: "smtp://x", FEATHER_SECRET: "x", NODE_OPTIONS: "--inspect", HOME: "/root" };
  expect(createEngineEnvironment("/tmp/x", { env })).toEqual({ PATH: "/bin", HOME: "/tmp/x", LC_ALL: "C" });
  const withGpu = createEngineEnvironment("/tmp/x", { env: { ...env, CUDA_VISIBLE_DEVICES: "1" }, gpu: true });
  expect(withGpu).toMatchObject({ PATH: "/bin", CUDA_VISIBLE_DEVICES: "1", CUDA_CACHE_DISABLE: "1" });
  expect(withGpu).not.toHaveProperty("FEATHER_SECRET");
});

test("uses a short folder for sockets when the temporary folder's path is too long", () => {
  expect(chooseSocketRoot("/var/tmp")).toBe("/var/tmp");
  expect(chooseSocketRoot(`/${"a".repeat(100)}`)).toBe("/tmp");
});

/** Writes the demonstration model as a split file. Returns the path of its first part. */
function writeSplitModel(): string {
  const folder = mkdtempSync(join(tmpdir(), "split-model-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755); // for the account that engines have
  for (const [index, part] of splitGguf(readFileSync(DEMO_MODEL_FILE), 3).entries())
    writeFileSync(join(folder, `model-0000${index + 1}-of-00003.gguf`), part);
  return join(folder, "model-00001-of-00003.gguf");
}

const chat = (socketPath: string | undefined) =>
  new Promise<number | undefined>((resolve, reject) => {
    const body = { messages: [{ role: "user", content: "Hello" }], max_tokens: 4 };
    const headers = { "content-type": "application/json" };
    request({ socketPath: socketPath ?? "", path: "/v1/chat/completions", method: "POST", headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end(JSON.stringify(body));
  });

test("removes the folders of killed servers only", () => {
  const dead = Number(execFileSync(process.execPath, ["-p", "process.pid"], { encoding: "utf8" }));
  const [left, mine] = [dead, process.pid].map((pid) => mkdtempSync(join(tmpdir(), `feather-engine-${pid}-`)));
  createEngineStarter(pino({ level: "silent" }), { state: "off" });
  expect([existsSync(left ?? ""), existsSync(mine ?? "")]).toEqual([false, true]);
  rmSync(mine ?? "", { recursive: true });
});

describe("an engine process", () => {
  test("an engine process reports progress, answers on its socket, and leaves no files when stopped", async () => {
    const { engine, ready, shares, lines, isReady } = run();
    await isReady();
    expect(await health(ready[0])).toBe(200);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(lines).toContain("ready");
    const pid = pidOf(ready[0]);
    await engine.stop();
    expect([isAlive(pid), existsSync(dirname(ready[0] ?? ""))]).toEqual([false, false]);
    await engine.stop();
  });

  test.runIf(process.platform === "linux")(
    "an engine process with a small model takes less than 85 MB beside what processes share",
    async () => {
      const { ready, isReady } = run();
      await isReady();
      const memory = readFileSync(`/proc/${pidOf(ready[0])}/smaps_rollup`, "utf8");
      expect(Number(/^Pss_Anon:\s+(\d+) kB/m.exec(memory)?.[1]) / 1024).toBeLessThan(85);
    },
  );

  test.runIf(process.platform === "linux")(
    "an engine process sees no secret of the server and leaves no core dump",
    async () => {
      vi.stubEnv("FEATHER_ADMIN_PASSWORD", "canary-password");
      vi.stubEnv("DATABASE_URL", "postgres://a:canary-password@b/c");
      const { ready, isReady } = run();
      await isReady();
      vi.unstubAllEnvs();
      const pid = pidOf(ready[0]);
      expect(readFileSync(`/proc/${pid}/environ`, "utf8")).not.toMatch(/canary|FEATHER|DATABASE/);
      const limits = readFileSync(`/proc/${pid}/limits`, "utf8");
      expect(limits).toMatch(/Max core file size\s+0\s+0/);
      expect(limits).toMatch(/Max file size\s+0\s+0/);
    },
  );

  test.runIf(process.platform === "linux" && isRoot() && chooseEngineAccount([process.execPath, DEMO_MODEL_FILE]))(
    "an engine process runs without root's privileges, and as another user than the database",
    async () => {
      const { ready, isReady } = run();
      await isReady();
      expect([65_534, 0]).not.toContain(statSync(`/proc/${pidOf(ready[0])}`).uid);
      expect(await health(ready[0])).toBe(200);
    },
  );

  test("an engine process loads a split file by its first part", async () => {
    const { ready, isReady } = run({ file: writeSplitModel() });
    await isReady();
    expect(await chat(ready[0])).toBe(200);
  });

  test("an engine process restarts with a delay after being killed", async () => {
    const { ready, gone, isReady } = run();
    await isReady();
    const first = pidOf(ready[0]);
    process.kill(first, "SIGKILL");
    await isReady(2);
    expect(gone).toEqual([{ reason: expect.any(String), restartsInMs: 500 }]);
    expect(pidOf(ready[1])).not.toBe(first);
    expect(await health(ready[1])).toBe(200);
  });

  test("an engine process reports why it cannot run, and waits longer before each restart", async () => {
    const folder = mkdtempSync(join(tmpdir(), "broken-"));
    const file = join(folder, "broken.gguf");
    writeFileSync(file, "this is no model");
    const { engine, gone, ready } = run({ file });
    await expect.poll(() => gone.length).toBe(2);
    await engine.stop();
    expect(gone.map(({ restartsInMs }) => restartsInMs)).toEqual([500, 1_000]);
    expect(gone[0]?.reason).toMatch(/broken\.gguf|GGUF/i);
    expect(ready).toEqual([]);
    rmSync(folder, { recursive: true });
  });

  test("an engine process can be stopped before it is ready and while it waits to restart", async () => {
    const early = run();
    await early.engine.stop();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const waiting = run({ file: "/nonexistent.gguf" });
    await expect.poll(() => waiting.gone.length).toBe(1);
    const timers = vi.getTimerCount(); // that of the restart, and those of HTTP clients
    await waiting.engine.stop();
    expect(vi.getTimerCount()).toBe(timers - 1);
    expect([early.ready, early.gone, waiting.gone.length]).toEqual([[], [], 1]);
  });

  test("an engine process is killed when it hangs instead of stopping", async () => {
    const { engine, ready, isReady } = run({ stopsWithin: 300 });
    await isReady();
    const pid = pidOf(ready[0]);
    process.kill(pid, "SIGSTOP");
    await engine.stop();
    expect(isAlive(pid)).toBe(false);
  });
});

const sandbox = detectSandbox("auto");
const withoutSandbox = sandbox.state === "on" ? "" : ` (skipped: ${describeSandbox(sandbox)})`;

describe.runIf(sandbox.state === "on")(`an engine in a sandbox${withoutSandbox}`, () => {
  test("an engine in a sandbox answers a chat without network access, and leaves no files when stopped", async () => {
    const { engine, ready, isReady } = run({ isSandboxed: true });
    await isReady();
    expect(await chat(ready[0])).toBe(200);
    const inside = engineIn(ready[0]);
    expect(readlinkSync(`/proc/${inside}/ns/net`)).not.toBe(readlinkSync("/proc/self/ns/net"));
    expect(readFileSync(`/proc/${inside}/status`, "utf8")).toMatch(/CapEff:\s+0+\n/);
    await engine.stop();
    await expect.poll(() => isAlive(inside)).toBe(false);
    expect(existsSync(dirname(ready[0] ?? ""))).toBe(false);
  });

  test("an engine in a sandbox loads a split file by its first part", async () => {
    const { ready, isReady } = run({ file: writeSplitModel(), isSandboxed: true });
    await isReady();
    expect(await chat(ready[0])).toBe(200);
  });

  test("an engine in a sandbox restarts after being killed", async () => {
    const { ready, gone, isReady } = run({ isSandboxed: true });
    await isReady();
    process.kill(engineIn(ready[0]), "SIGKILL");
    await isReady(2);
    expect(gone).toHaveLength(1);
    expect(await chat(ready[1])).toBe(200);
  });

  test("an engine in a sandbox is killed when it hangs instead of stopping", async () => {
    const { engine, ready, isReady } = run({ isSandboxed: true, stopsWithin: 300 });
    await isReady();
    const inside = engineIn(ready[0]);
    process.kill(inside, "SIGSTOP");
    await engine.stop();
    await expect.poll(() => isAlive(inside)).toBe(false);
  });

  test("an engine in a sandbox reports why it cannot run", async () => {
    const { gone } = run({ isSandboxed: true, file: "/nonexistent.gguf" });
    await expect.poll(() => gone.length).toBe(1);
    expect(gone[0]?.reason).toContain("/nonexistent.gguf");
  });
});

/** Returns the process id of the engine itself. The command lines of its parent processes contain the socket too. */
function engineIn(socketPath: string | undefined): number {
  const pids = execFileSync("ps", ["-eo", "pid=,comm=,args="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(`--socket ${socketPath}`) && !/^\s*\d+ (?:bwrap|sh) /.test(line))
    .map((line) => Number.parseInt(line.trim(), 10));
  expect(pids).toHaveLength(1);
  return pids[0] ?? Number.NaN;
}
