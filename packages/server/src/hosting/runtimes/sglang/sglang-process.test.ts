import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { FAKE_SGLANG_COMMAND } from "@feather/testing/fake-sglang";
import { type FakeSafetensorsModel, writeSafetensorsModel } from "@feather/testing/fake-vllm";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import type { EngineProcess } from "../processes/model-process.ts";
import { detectSandbox, type EngineSandbox } from "../processes/sandbox.ts";
import { DEFAULT_WATCH_TIMES, type WatchTimes } from "../processes/watch-health.ts";
import { createSglangStarter } from "./sglang-process.ts";

const GIGABYTE = 1024 ** 3;
const QUICK: WatchTimes = { ...DEFAULT_WATCH_TIMES, startPollMs: 20, pollMs: 100, answerMs: 100 };
const TIMEOUT = { timeout: 10_000 };

let running: EngineProcess[] = [];
afterEach(async () => {
  await Promise.all(running.map((engine) => engine.stop()));
  running = [];
});

type RunOptions = FakeSafetensorsModel & { command?: string; sandbox?: EngineSandbox };

function run({ command = FAKE_SGLANG_COMMAND, sandbox = { state: "off" }, ...fake }: RunOptions = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), "sglang-data-"));
  chmodSync(dataDir, 0o755); // as the data folder of a server that is root
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const file = join(dataDir, "model");
  writeSafetensorsModel(file, fake);
  const ready: { socketPath: string; apiKey: string | undefined }[] = [];
  const gone: { reason: string; restartsInMs: number }[] = [];
  const shares: number[] = [];
  const logged: string[] = [];
  const gpu = { state: "on", type: "cuda", devices: ["A card"], totalBytes: 80 * GIGABYTE } as const;
  const debug = (_fields: unknown, line?: unknown) => void logged.push(String(line));
  const state = { command, gpu, notice: null };
  const start = createSglangStarter({ state, dataDir, sandbox, times: QUICK, log: { debug, warn: () => {} } });
  const model = { id: "acme/support", file, contextLength: 2048, sequences: 2, memoryBytes: 20 * GIGABYTE };
  const engine = start(
    { ...model, toolParser: "qwen", reasoningParser: "qwen3" },
    {
      ready: (socketPath, apiKey) => void ready.push({ socketPath, apiKey }),
      exited: (reason, restartsInMs) => void gone.push({ reason, restartsInMs }),
      progress: (share) => void shares.push(share),
    },
  );
  running.push(engine);
  const isReady = async () => {
    await expect.poll(() => ready.length, TIMEOUT).toBeGreaterThan(0);
    return ready[0] ?? { socketPath: "", apiKey: "" };
  };
  return { engine, file, dataDir, ready, gone, shares, logged, isReady };
}

type Endpoint = { socketPath: string; apiKey?: string | undefined };

function chat({ socketPath, apiKey }: Endpoint): Promise<{ status: number | undefined; body: string }> {
  const headers = { "content-type": "application/json", ...(apiKey && { authorization: `Bearer ${apiKey}` }) };
  return new Promise((resolve, reject) => {
    request({ socketPath, path: "/v1/chat/completions", method: "POST", headers }, async (response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode, body: text });
    })
      .on("error", reject)
      .end(JSON.stringify({ model: "acme/support", messages: [{ role: "user", content: "Hello" }] }));
  });
}

/** Returns the processes whose command line contains a text. */
function processesWith(text: string): { pid: number; args: string }[] {
  return execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(text) && !line.includes("ps -eo"))
    .map((line) => ({ pid: Number.parseInt(line.trim(), 10), args: line }));
}

/** Returns the process that serves a model, not what starts it or passes connections on to it. */
function servingProcess(file: string): { pid: number; args: string } {
  const isOther = ({ args }: { args: string }) => /stop-with-stdin|bwrap|serve-port-at-socket/.test(args);
  return processesWith(`--model-path ${file}`).find((found) => !isOther(found)) ?? { pid: 0, args: "" };
}

test("SGLang serves a model on a private socket under the model's id, with the context of all sequences", async () => {
  const { engine, file, shares, isReady } = run();
  const endpoint = await isReady();
  expect(shares).toEqual([0.5, 1]);
  expect(statSync(dirname(endpoint.socketPath)).mode & 0o077).toBe(0);
  expect(await chat(endpoint)).toMatchObject({ status: 200, body: expect.stringContaining("SGLang says hello") });
  const { args } = servingProcess(file);
  expect(args).toContain("--served-model-name acme/support --host 127.0.0.1");
  expect(args).toContain(
    "--context-length 2048 --max-total-tokens 4096 --enable-priority-scheduling --schedule-low-priority-values-first --tool-call-parser qwen --reasoning-parser qwen3",
  );
  await engine.stop();
  expect([existsSync(dirname(endpoint.socketPath)), processesWith(file)]).toEqual([false, []]);
});

test("SGLang answers no call without the API key, which no command line and no log shows", async () => {
  const { file, logged, isReady } = run();
  const { socketPath, apiKey = "" } = await isReady();
  expect([(await chat({ socketPath })).status, (await chat({ socketPath, apiKey: "guess" })).status]).toEqual([
    401, 401,
  ]);
  expect(apiKey).toMatch(/^[0-9a-f]{64}$/);
  expect(processesWith(file).some(({ args }) => args.includes(apiKey))).toBe(false);
  expect(statSync(join(dirname(socketPath), "config.yaml")).mode & 0o077).toBe(0);
  expect(logged.join("\n")).toContain("api_key='***'");
  expect(logged.join("\n")).not.toContain(apiKey);
});

test.runIf(detectSandbox("auto").state === "on")(
  "SGLang in the sandbox serves its model through the socket alone, and sees neither the data folder nor other processes",
  async () => {
    const { dataDir, file, engine, isReady } = run({ sandbox: { state: "on" } });
    writeFileSync(join(dataDir, "secret.key"), "secret", { mode: 0o644 });
    expect((await chat(await isReady())).status).toBe(200);
    const { pid, args } = servingProcess(file);
    const root = `/proc/${pid}/root`;
    expect(existsSync(join(root, file, "config.json"))).toBe(true);
    expect(existsSync(join(root, dataDir, "secret.key"))).toBe(false);
    expect(existsSync(join(root, "proc", String(process.pid), "environ"))).toBe(false);
    const port = /--port (\d+)/.exec(args)?.[1];
    await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow();
    await engine.stop();
    await expect.poll(() => processesWith(file), TIMEOUT).toEqual([]);
  },
);

test.runIf(process.platform === "linux")("SGLang sees no secret of the server", async () => {
  vi.stubEnv("FEATHER_ADMIN_PASSWORD", "canary-password");
  vi.stubEnv("HF_TOKEN", "canary-token");
  const { file, isReady } = run();
  await isReady();
  vi.unstubAllEnvs();
  const environment = readFileSync(`/proc/${servingProcess(file).pid}/environ`, "utf8");
  expect(environment).not.toMatch(/canary/);
  expect(environment).toContain("HF_HUB_OFFLINE=1");
});

test.each<[string, RunOptions, string]>([
  [
    "a card without memory",
    { mode: "out_of_memory" },
    "RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.",
  ],
  [
    "an architecture that it does not know",
    { architecture: "UnknownForCausalLM" },
    "ValueError: Model architectures ['UnknownForCausalLM'] are not supported for now.",
  ],
  ["a missing command", { command: "/nonexistent/sglang" }, "spawn /nonexistent/sglang ENOENT"],
])(
  "SGLang that ends at the start because of %s is started again later, with the cause",
  async (_cause, options, reason) => {
    const { gone, ready } = run(options);
    await expect.poll(() => gone.length, TIMEOUT).toBe(1);
    expect([gone, ready]).toEqual([[{ reason, restartsInMs: 500 }], []]);
  },
);

test("SGLang that is slow to load is not ready before its model is in memory", async () => {
  const { file, ready, shares, isReady } = run({ mode: "slow_start" });
  await expect.poll(() => shares, TIMEOUT).toEqual([0.5]);
  expect(ready).toEqual([]);
  writeFileSync(join(file, "continue"), "");
  await isReady();
});

test.each([
  ["crashes", /^RuntimeError: Not enough memory/],
  ["hangs", /^It did not answer for /],
] as const)(
  "SGLang that %s while it serves is started again on the same socket, with the cause",
  async (mode, reason) => {
    const { ready, gone, isReady } = run({ mode });
    const lost = chat(await isReady()).catch(() => null);
    await expect.poll(() => ready.length, TIMEOUT).toBe(2);
    expect(gone).toEqual([{ reason: expect.stringMatching(reason), restartsInMs: 500 }]);
    expect(await lost).toBeNull();
  },
);
