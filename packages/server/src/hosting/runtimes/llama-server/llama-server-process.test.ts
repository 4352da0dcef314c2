import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  buildFakeGguf,
  buildProjector,
  FAKE_LLAMA_SERVER_COMMAND,
  type FakeLlamaServerMode,
} from "@feather/testing/fake-llama-server";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { GUIDE_FOLDER } from "../engine-files.ts";
import { findCommand } from "../processes/find-command.ts";
import type { EngineModel, EngineProcess } from "../processes/model-process.ts";
import { detectSandbox, type EngineSandbox } from "../processes/sandbox.ts";
import { DEFAULT_WATCH_TIMES, type WatchTimes } from "../processes/watch-health.ts";
import { createLlamaServerArchitectureCheck } from "./llama-server-architectures.ts";
import { createLlamaServerStarter } from "./llama-server-process.ts";

const QUICK: WatchTimes = { ...DEFAULT_WATCH_TIMES, startPollMs: 20, pollMs: 100, answerMs: 100 };
const OFF: EngineSandbox = { state: "off" };
const NO_CARD = { state: "off", reason: "There is none." } as const;
const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
/** The number of values in the embedding of a token of the model `feather/guide`. */
const GUIDE_WIDTH = 256;

let running: EngineProcess[] = [];
afterEach(async () => {
  await Promise.all(running.map((engine) => engine.stop()));
  running = [];
});

type RunOptions = {
  mode?: FakeLlamaServerMode;
  command?: string;
  content?: Buffer;
  projector?: Buffer;
  model?: Partial<EngineModel>;
  times?: WatchTimes;
  sandbox?: EngineSandbox;
};

function run({
  mode,
  command = FAKE_LLAMA_SERVER_COMMAND,
  projector,
  times = QUICK,
  sandbox = OFF,
  ...options
}: RunOptions = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), "llama-server-data-"));
  chmodSync(dataDir, 0o755); // as the data folder of a server that is root
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const file = join(dataDir, "model.gguf");
  writeFileSync(file, options.content ?? buildFakeGguf(mode === undefined ? {} : { mode }));
  const projectorFile = join(dataDir, "projector.gguf");
  if (projector) writeFileSync(projectorFile, projector);
  const ready: { socketPath: string; apiKey: string | undefined }[] = [];
  const gone: { reason: string; restartsInMs: number }[] = [];
  const shares: number[] = [];
  const state = { command, gpu: NO_CARD, notice: null };
  const start = createLlamaServerStarter({ state, dataDir, sandbox, times, log: { debug: () => {}, warn: () => {} } });
  const engine = start(
    {
      id: "acme/sees",
      file,
      contextLength: 512,
      sequences: 2,
      ...(projector && { projector: projectorFile }),
      ...options.model,
    },
    {
      ready: (socketPath, apiKey) => void ready.push({ socketPath, apiKey }),
      exited: (reason, restartsInMs) => void gone.push({ reason, restartsInMs }),
      progress: (share) => void shares.push(share),
    },
  );
  running.push(engine);
  const isReady = async () => {
    await expect.poll(() => ready.length, { timeout: 20_000 }).toBeGreaterThan(0);
    return ready[0] ?? { socketPath: "", apiKey: "" };
  };
  return { engine, file, dataDir, ready, gone, shares, isReady };
}

type Endpoint = { socketPath: string; apiKey?: string | undefined };

function send(
  { socketPath, apiKey }: Endpoint,
  path: string,
  body?: object,
): Promise<{ status?: number | undefined; body: string }> {
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

const chat = (endpoint: Endpoint, content: unknown = "Hello") =>
  send(endpoint, "/v1/chat/completions", { model: "acme/sees", messages: [{ role: "user", content }], max_tokens: 4 });
const IMAGE = [
  { type: "text", text: "What is this?" },
  { type: "image_url", image_url: { url: PIXEL } },
];

/** Returns the processes whose command line contains a text. */
function processesWith(text: string): { pid: number; args: string }[] {
  return execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(text) && !line.includes("ps -eo"))
    .map((line) => ({ pid: Number.parseInt(line.trim(), 10), args: line }));
}

/** Returns the process that serves a model, not its watchdog, shell or sandbox. */
function servingProcess(file: string): number {
  const isOther = ({ args }: { args: string }) => /stop-with-stdin|bwrap|\/bin\/sh/.test(args);
  return processesWith(`--model ${file}`).find((found) => !isOther(found))?.pid ?? 0;
}

test("llama-server serves a model on a private socket, with the context of all sequences and the model's template", async () => {
  const { engine, file, shares, isReady } = run();
  const endpoint = await isReady();
  expect(shares).toEqual([0.1, 1]);
  expect(statSync(dirname(endpoint.socketPath)).mode & 0o077).toBe(0);
  expect(await chat(endpoint)).toMatchObject({ status: 200, body: expect.stringContaining("llama-server says hello") });
  const [{ args = "" } = {}] = processesWith(`--model ${file}`);
  expect(args).toContain("--alias acme/sees");
  expect(args).toContain("--no-webui --jinja --ctx-size 1024 --parallel 2 --device none");
  await engine.stop();
  expect([existsSync(dirname(endpoint.socketPath)), processesWith(file)]).toEqual([false, []]);
});

test("llama-server answers no call without the API key, which no command line shows", async () => {
  const { file, isReady } = run();
  const { socketPath, apiKey = "" } = await isReady();
  expect([(await chat({ socketPath })).status, (await chat({ socketPath, apiKey: "guess" })).status]).toEqual([
    401, 401,
  ]);
  expect(apiKey).toMatch(/^[0-9a-f]{64}$/);
  expect(processesWith(file).some(({ args }) => args.includes(apiKey))).toBe(false);
});

test("llama-server reads images with the projector of its model, and not without", async () => {
  const seeing = await run({ projector: buildProjector(64) }).isReady();
  expect((await chat(seeing, IMAGE)).body).toContain("llama-server sees an image");
  expect(await chat(await run().isReady(), IMAGE)).toMatchObject({ status: 500 });
});

test("llama-server orders texts with a reranker, in batches that hold the longest", async () => {
  const { file, isReady } = run({ content: buildFakeGguf({ isReranker: true }), model: { isReranker: true } });
  const { status, body } = await send(await isReady(), "/v1/rerank", { query: "a", documents: ["b", "cc"] });
  expect([status, JSON.parse(body)]).toMatchObject([200, { results: [{ index: 0 }, { index: 1 }] }]);
  expect(processesWith(file)[0]?.args).toContain("--reranking --batch-size 512 --ubatch-size 512");
});

test.runIf(process.platform === "linux")(
  "llama-server sees no setting of the server, and keeps no prompts in memory",
  async () => {
    vi.stubEnv("FEATHER_ADMIN_PASSWORD", "canary-password");
    vi.stubEnv("LLAMA_ARG_TOOLS", "canary-tools");
    const { file, isReady } = run();
    await isReady();
    vi.unstubAllEnvs();
    const environment = readFileSync(`/proc/${servingProcess(file)}/environ`, "utf8");
    expect(environment).not.toMatch(/canary/);
    expect(environment).toContain("LLAMA_ARG_CACHE_RAM=0");
    expect(environment).toContain("LLAMA_ARG_OFFLINE=1");
  },
);

test.runIf(detectSandbox("auto").state === "on")(
  "llama-server in the sandbox serves its model, and sees neither the data folder nor other processes",
  async () => {
    const { dataDir, file, engine, isReady } = run({ sandbox: { state: "on" }, projector: buildProjector(64) });
    writeFileSync(join(dataDir, "secret.key"), "secret", { mode: 0o644 });
    expect((await chat(await isReady(), IMAGE)).status).toBe(200);
    const root = `/proc/${servingProcess(file)}/root`;
    expect(existsSync(join(root, file))).toBe(true);
    expect(existsSync(join(root, dataDir, "secret.key"))).toBe(false);
    expect(existsSync(join(root, "proc", String(process.pid), "environ"))).toBe(false);
    await engine.stop();
    await expect.poll(() => processesWith(file)).toEqual([]);
  },
);

test("llama-server that ends at the start is started again later each time, with the cause", async () => {
  const { gone, ready } = run({ mode: "out_of_memory" });
  await expect.poll(() => gone.length, { timeout: 5_000 }).toBe(2);
  const reason = "ggml_backend_cpu_buffer_type_alloc_buffer: failed to allocate buffer of size 68719476736";
  expect(gone).toEqual([
    { reason, restartsInMs: 500 },
    { reason, restartsInMs: 1_000 },
  ]);
  expect(ready).toEqual([]);
});

test("an architecture that llama-server does not know is named", async () => {
  const { gone } = run({ content: buildFakeGguf({ architecture: "unknown" }) });
  await expect.poll(() => gone.length).toBe(1);
  expect(gone[0]?.reason).toBe("unknown model architecture: 'unknown'");
});

test("llama-server that is slow to load is not ready before its model is in memory", async () => {
  const { file, ready, shares, isReady } = run({ mode: "slow_start" });
  await expect.poll(() => shares).toEqual([0.1]);
  expect(ready).toEqual([]);
  writeFileSync(`${file}.continue`, "");
  await isReady();
  expect(shares).toEqual([0.1, 1]);
});

test("llama-server that crashes while it serves is started again on the same socket, with the cause", async () => {
  const { ready, gone, isReady } = run({ mode: "crashes" });
  const endpoint = await isReady();
  await expect(chat(endpoint)).rejects.toThrow();
  await expect.poll(() => ready.length, { timeout: 5_000 }).toBe(2);
  expect(gone).toEqual([{ reason: expect.stringContaining("GGML_ASSERT"), restartsInMs: 500 }]);
  expect((await send(endpoint, "/health")).status).toBe(200);
});

test("llama-server that no longer answers is killed and started again", async () => {
  const { ready, gone, isReady } = run({ mode: "hangs" });
  const hung = chat(await isReady()).catch(() => null);
  await expect.poll(() => gone.length, { timeout: 5_000 }).toBe(1);
  expect(gone[0]?.reason).toMatch(/^It did not answer for /);
  await expect.poll(() => ready.length, { timeout: 5_000 }).toBe(2);
  expect(await hung).toBeNull();
});

test("llama-server is asked which architectures it knows", async () => {
  const warnings: unknown[] = [];
  const check = {
    sandbox: OFF,
    dataDir: join(tmpdir(), "nonexistent"),
    log: { warn: (line: unknown) => void warnings.push(line) },
  };
  const isKnown = createLlamaServerArchitectureCheck({ command: FAKE_LLAMA_SERVER_COMMAND, ...check });
  expect([await isKnown("llama"), await isKnown("unknown")]).toEqual([true, false]);
  const isKnownByNone = createLlamaServerArchitectureCheck({ command: "/nonexistent/llama-server", ...check });
  expect([warnings.length, await isKnownByNone("unknown"), warnings.length]).toEqual([0, true, 1]);
});

const realCommand = findCommand(process.env.FEATHER_TEST_LLAMA_SERVER ?? "llama-server", process.env.PATH ?? "");
const sandbox = detectSandbox("auto");

describe.runIf(realCommand !== null)("the real llama-server", () => {
  const command = realCommand ?? "";
  const guide = {
    content: readFileSync(join(GUIDE_FOLDER, "guide.gguf")),
    command,
    times: DEFAULT_WATCH_TIMES,
    sandbox,
  };

  test("the real llama-server chats, and reads an image with a projector", async () => {
    const { gone, isReady } = run({ ...guide, projector: buildProjector(GUIDE_WIDTH) });
    const endpoint = await isReady();
    const texts = JSON.parse((await chat(endpoint)).body) as Answer;
    const images = JSON.parse((await chat(endpoint, IMAGE)).body) as Answer;
    expect(texts.choices[0]?.message.content).not.toBe("");
    expect(images.usage.prompt_tokens).toBeGreaterThan(texts.usage.prompt_tokens + 10);
    expect(gone).toEqual([]);
  });

  test("the real llama-server orders texts", async () => {
    const endpoint = await run({ ...guide, model: { isReranker: true } }).isReady();
    const { body } = await send(endpoint, "/v1/rerank", { query: "a", documents: ["b", "c"] });
    expect(JSON.parse(body)).toMatchObject({ results: [{ index: 0 }, { index: 1 }] });
  });

  test("the real llama-server says which architectures it knows", async () => {
    const warnings: unknown[] = [];
    const log = { warn: (line: unknown) => void warnings.push(line) };
    const isKnown = createLlamaServerArchitectureCheck({
      command,
      sandbox,
      dataDir: join(tmpdir(), "nonexistent"),
      log,
    });
    expect([await isKnown("llama"), await isKnown("no-such-architecture"), warnings]).toEqual([true, false, []]);
  });
});
type Answer = { choices: { message: { content: string } }[]; usage: { prompt_tokens: number } };
