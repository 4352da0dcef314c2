import { execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { FAKE_VLLM_COMMAND, type FakeSafetensorsModel, writeSafetensorsModel } from "@feather/testing/fake-vllm";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import type { EngineProcess } from "../processes/model-process.ts";
import { choosePythonAccount } from "../processes/python-program.ts";
import { detectSandbox, type EngineSandbox } from "../processes/sandbox.ts";
import { STOP_WITH_STDIN } from "../processes/spawn-owned.ts";
import { DEFAULT_WATCH_TIMES, type WatchTimes } from "../processes/watch-health.ts";
import { vllmFolder } from "./vllm-environment.ts";
import { createVllmStarter } from "./vllm-process.ts";

const GIGABYTE = 1024 ** 3;
const QUICK: WatchTimes = { ...DEFAULT_WATCH_TIMES, startPollMs: 20, pollMs: 100, answerMs: 100 };

let running: EngineProcess[] = [];
afterEach(async () => {
  await Promise.all(running.map((engine) => engine.stop()));
  running = [];
});

type RunOptions = FakeSafetensorsModel & { command?: string; times?: WatchTimes; sandbox?: EngineSandbox };

function run({ command = FAKE_VLLM_COMMAND, times = QUICK, sandbox = { state: "off" }, ...fake }: RunOptions = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), "vllm-data-"));
  chmodSync(dataDir, 0o755); // as the data folder of a server that is root
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const file = join(dataDir, "model");
  writeSafetensorsModel(file, fake);
  const ready: { socketPath: string; apiKey: string | undefined }[] = [];
  const gone: { reason: string; restartsInMs: number }[] = [];
  const shares: number[] = [];
  const gpu = { state: "on", type: "cuda", devices: ["A card"], totalBytes: 80 * GIGABYTE } as const;
  const logged: string[] = [];
  const warnings: string[] = [];
  const warn = (first: unknown) => void (typeof first === "string" && warnings.push(first));
  const start = createVllmStarter({
    state: { command, gpu, notice: null },
    dataDir,
    sandbox,
    times,
    log: { debug: (_fields: unknown, line?: unknown) => void logged.push(String(line)), warn },
  });
  const engine = start(
    {
      id: "acme/support",
      file,
      contextLength: 2048,
      memoryBytes: 20 * GIGABYTE,
      toolParser: "hermes",
      reasoningParser: "qwen3",
    },
    {
      ready: (socketPath, apiKey) => void ready.push({ socketPath, apiKey }),
      exited: (reason, restartsInMs) => void gone.push({ reason, restartsInMs }),
      progress: (share) => void shares.push(share),
    },
  );
  running.push(engine);
  const isReady = async () => {
    await expect.poll(() => ready.length).toBeGreaterThan(0);
    const [{ socketPath, apiKey } = { socketPath: "", apiKey: "" }] = ready;
    return { socketPath, apiKey };
  };
  return { engine, file, dataDir, ready, gone, shares, logged, warnings, isReady };
}

type Answer = { status: number | undefined; body: string };

function send(socketPath: string, path: string, apiKey?: string, body?: object): Promise<Answer> {
  const headers = { "content-type": "application/json", ...(apiKey && { authorization: `Bearer ${apiKey}` }) };
  return new Promise((resolve, reject) => {
    request({ socketPath, path, method: body ? "POST" : "GET", headers }, async (response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode, body: text });
    })
      .on("error", reject)
      .end(body && JSON.stringify(body));
  });
}

const CHAT = { model: "acme/support", messages: [{ role: "user", content: "Hello" }] };
const chat = (socketPath: string, apiKey?: string) => send(socketPath, "/v1/chat/completions", apiKey, CHAT);

/** Returns the processes whose command line contains a text. */
function processesWith(text: string): { pid: number; args: string }[] {
  return execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(text) && !line.includes("ps -eo"))
    .map((line) => ({ pid: Number.parseInt(line.trim(), 10), args: line }));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.[0] !== "Z";
  } catch {
    return false;
  }
}

test("vLLM serves a model on a private socket under the model's id, with the share of the card that is its own", async () => {
  const { engine, file, shares, isReady } = run();
  const { socketPath, apiKey } = await isReady();
  expect(shares).toEqual([0, 0.5, 1]);
  expect(statSync(dirname(socketPath)).mode & 0o077).toBe(0);
  expect(JSON.parse((await send(socketPath, "/v1/models", apiKey)).body)).toMatchObject({
    data: [{ id: "acme/support", max_model_len: 2048, root: file }],
  });
  expect(await chat(socketPath, apiKey)).toMatchObject({
    status: 200,
    body: expect.stringContaining("vLLM says hello"),
  });
  const [{ args = "" } = {}] = processesWith(`${FAKE_VLLM_COMMAND} serve ${file}`);
  expect(args).toContain("--scheduling-policy priority --gpu-memory-utilization 0.250");
  const batch = await send(socketPath, "/v1/chat/completions", apiKey, { ...CHAT, priority: 1 });
  expect(batch.status).toBe(200);
  expect(args).toContain("--enable-auto-tool-choice --tool-call-parser hermes --reasoning-parser qwen3");
  await engine.stop();
  expect(existsSync(dirname(socketPath))).toBe(false);
  expect(processesWith(file)).toEqual([]);
});

test("vLLM answers no call without the API key, which no command line shows", async () => {
  const { file, isReady } = run();
  const { socketPath, apiKey } = await isReady();
  expect([(await chat(socketPath)).status, (await chat(socketPath, "guess")).status]).toEqual([401, 401]);
  expect(apiKey).toMatch(/^[0-9a-f]{64}$/);
  expect(processesWith(file).some(({ args }) => args.includes(apiKey ?? ""))).toBe(false);
});

/** Returns the process that serves a model, not its watchdog or sandbox. */
function servingProcess(file: string): number {
  const isVllm = ({ args }: { args: string }) => !/stop-with-stdin|bwrap/.test(args);
  return processesWith(`${FAKE_VLLM_COMMAND} serve ${file}`).find(isVllm)?.pid ?? 0;
}

test.runIf(process.platform === "linux")("vLLM runs as a user without rights where the server is root", async () => {
  const { file, dataDir, warnings, isReady } = run();
  const { socketPath, apiKey } = await isReady();
  const account = choosePythonAccount(FAKE_VLLM_COMMAND, vllmFolder(dataDir), file);
  expect(statSync(`/proc/${servingProcess(file)}`).uid).toBe(account?.uid ?? process.getuid?.());
  expect(warnings).toEqual([]);
  expect((await chat(socketPath, apiKey)).status).toBe(200);
});

test.runIf(process.getuid?.() === 0)("a server that is root says so when vLLM cannot run as another user", async () => {
  const folder = mkdtempSync(join(tmpdir(), "closed-")); // only its owner may enter
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const command = join(folder, "vllm");
  writeFileSync(command, "#!/bin/sh\n", { mode: 0o755 });
  expect(run({ command }).warnings).toEqual([expect.stringContaining("vLLM runs with root's rights")]);
});

test.runIf(detectSandbox("auto").state === "on")(
  "vLLM in the sandbox serves its model, and sees neither the data folder nor other processes",
  async () => {
    const { dataDir, file, engine, isReady } = run({ sandbox: { state: "on" } });
    writeFileSync(join(dataDir, "secret.key"), "secret", { mode: 0o644 });
    const { socketPath, apiKey } = await isReady();
    expect((await chat(socketPath, apiKey)).status).toBe(200);
    const root = `/proc/${servingProcess(file)}/root`;
    expect(existsSync(join(root, file, "config.json"))).toBe(true);
    expect(existsSync(join(root, dataDir, "secret.key"))).toBe(false);
    expect(existsSync(join(root, "proc", String(process.pid), "environ"))).toBe(false);
    await engine.stop();
    await expect.poll(() => processesWith(file)).toEqual([]);
  },
);

test.runIf(process.platform === "linux")("vLLM sees no secret of the server, and sends no statistics", async () => {
  vi.stubEnv("FEATHER_ADMIN_PASSWORD", "canary-password");
  vi.stubEnv("HF_TOKEN", "canary-token");
  vi.stubEnv("CUDA_VISIBLE_DEVICES", "0");
  const { file, isReady } = run();
  await isReady();
  vi.unstubAllEnvs();
  const vllm = processesWith(`${FAKE_VLLM_COMMAND} serve ${file}`).find(
    ({ args }) => !args.includes("stop-with-stdin"),
  );
  const environment = readFileSync(`/proc/${vllm?.pid}/environ`, "utf8");
  expect(environment).not.toMatch(/canary/);
  expect(environment).toContain("CUDA_VISIBLE_DEVICES=0");
  expect(environment).toContain("VLLM_NO_USAGE_STATS=1");
});

test.each([
  ["out_of_memory", /^ValueError: Free memory on device \(3\.22\/79\.15 GiB\)/],
  ["port_taken", /^OSError: \[Errno 98\] Address already in use$/],
] as const)(
  "vLLM that ends at the start with %s is started again later each time, with the cause",
  async (mode, reason) => {
    const { gone, ready } = run({ mode });
    await expect.poll(() => gone.length).toBe(2);
    expect(gone).toEqual([
      { reason: expect.stringMatching(reason), restartsInMs: 500 },
      { reason: expect.stringMatching(reason), restartsInMs: 1_000 },
    ]);
    expect(ready).toEqual([]);
  },
);

test("an architecture that vLLM does not know is named", async () => {
  const { gone } = run({ architecture: "UnknownForCausalLM" });
  await expect.poll(() => gone.length).toBe(1);
  expect(gone[0]?.reason).toBe("Model architectures ['UnknownForCausalLM'] are not supported for now.");
});

test("a command that cannot be started is named", async () => {
  const { gone } = run({ command: "/nonexistent/vllm" });
  await expect.poll(() => gone.length).toBe(1);
  expect(gone[0]?.reason).toContain("/nonexistent/vllm");
});

test("a slow start reports its progress, and is not ready before it ends", async () => {
  const { file, ready, shares, isReady } = run({ mode: "slow_start" });
  await expect.poll(() => shares.at(-1)).toBe(0.5);
  expect(ready).toEqual([]);
  writeFileSync(join(file, "continue"), "");
  await isReady();
  expect(shares.at(-1)).toBe(1);
});

test("vLLM that crashes while it serves is started again on the same socket, with the cause", async () => {
  const { ready, gone, isReady } = run({ mode: "crashes" });
  const { socketPath, apiKey } = await isReady();
  await expect(chat(socketPath, apiKey)).rejects.toThrow();
  await expect.poll(() => ready.length).toBe(2);
  expect(gone).toEqual([
    { reason: expect.stringMatching(/^torch\.OutOfMemoryError: CUDA out of memory/), restartsInMs: 500 },
  ]);
  expect((await send(socketPath, "/health")).status).toBe(200);
});

test("vLLM that no longer answers is killed and started again", async () => {
  const { ready, gone, isReady } = run({ mode: "hangs" });
  const { socketPath, apiKey } = await isReady();
  const hung = chat(socketPath, apiKey).catch(() => null);
  await expect.poll(() => gone.length).toBe(1);
  expect(gone[0]?.reason).toMatch(/^It did not answer for /);
  await expect.poll(() => ready.length).toBe(2);
  expect(await hung).toBeNull();
});

test("vLLM that writes nothing while it starts is killed and started again", async () => {
  const { gone } = run({ mode: "hangs_at_start", times: { ...QUICK, startSilenceMs: 300 } });
  await expect.poll(() => gone.length).toBeGreaterThan(0);
  expect(gone[0]?.reason).toBe("It wrote nothing for 0.3 seconds while it started.");
});

test("stopping vLLM before it is ready leaves no process", async () => {
  const { engine, file, shares, gone } = run({ mode: "slow_start" });
  await expect.poll(() => shares.at(-1)).toBe(0.5);
  await engine.stop();
  expect([processesWith(file), gone]).toEqual([[], []]);
});

test("vLLM and the processes that it started end when the server is killed, even if it ignores SIGTERM", async () => {
  const folder = mkdtempSync(join(tmpdir(), "vllm-orphan-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeSafetensorsModel(folder, { mode: "ignores_sigterm" });
  // Replaces the server: starts vLLM as the server does, and waits.
  const args = [STOP_WITH_STDIN, "200", FAKE_VLLM_COMMAND, "serve", folder, "--uds", join(folder, "s")];
  const script = `require("node:child_process").spawn(process.execPath, ${JSON.stringify(args)}, { stdio: ["pipe", "inherit", "inherit"], detached: true }); setInterval(() => {}, 1000)`;
  const server = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "ignore", "pipe"] });
  let output = "";
  server.stderr.on("data", (chunk) => {
    output += chunk;
  });
  await expect.poll(() => output).toContain("Application startup complete");
  const core = Number(/engine core process (\d+)/.exec(output)?.[1]);
  const started = processesWith(`serve ${folder}`).map(({ pid }) => pid);
  expect([...started, core].map(isAlive)).not.toContain(false);
  server.kill("SIGKILL");
  await expect.poll(() => [...started, core].filter(isAlive)).toEqual([]);
});

test("vLLM ends when the process between it and the server is killed", async () => {
  const { file, ready, isReady } = run();
  await isReady();
  const between = processesWith(`serve ${file}`).find(({ args }) => args.includes("stop-with-stdin"));
  const vllm = processesWith(`serve ${file}`).find(({ args }) => !args.includes("stop-with-stdin"));
  process.kill(between?.pid ?? 0, "SIGKILL");
  await expect.poll(() => isAlive(vllm?.pid ?? 0)).toBe(false);
  await expect.poll(() => ready.length).toBe(2);
});
