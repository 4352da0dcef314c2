import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { encodeGguf } from "../scripts/demo-model/gguf-writer.ts";
import {
  createTemporaryFolder,
  demoModelPath,
  ENGINE_BINARY,
  openResponse,
  readLineWithField,
  sendRequest,
  serveModel,
  startEngine,
  type TemporaryFolder,
  waitUntil,
} from "./testing/engine-process.ts";

let folder: TemporaryFolder;
let modelPath: string;

beforeAll(() => {
  folder = createTemporaryFolder();
  modelPath = demoModelPath();
});
afterAll(() => folder[Symbol.dispose]());

const inFolder = (name: string) => join(folder.path, name);

test.concurrent("bad arguments end with 2 and the usage", async () => {
  const { code, stderr } = await startEngine(["serve"]).exit;
  expect(code).toBe(2);
  expect(stderr).toContain("Usage: feather-engine serve");
});

test.concurrent("a missing file and a file that is no model end with one line and 1", async () => {
  writeFileSync(inFolder("bad.gguf"), "not a model");
  for (const name of ["missing.gguf", "bad.gguf"]) {
    const { code, stderr } = await startEngine(["serve", inFolder(name), "--port", "0"]).exit;
    expect(code).toBe(1);
    expect(stderr.trim().split("\n")).toEqual([expect.stringContaining(name)]);
  }
});

test.concurrent("an architecture that llama.cpp does not know is named, and so is whether it knows one", async () => {
  for (const [name, isKnown] of [["zzz", false] as const, ["qwen3", true] as const]) {
    const metadata = new Map([["general.architecture", { type: "string" as const, value: name }]]);
    writeFileSync(inFolder(`${name}.gguf`), encodeGguf({ metadata, tensors: [] }));
    const check = startEngine(["check", inFolder(`${name}.gguf`)]);
    expect([await text(check.child.stdout), await check.exit]).toEqual([
      `${JSON.stringify({ architecture_known: isKnown })}\n`,
      { code: 0, stderr: "" },
    ]);
  }
  const { code, stderr } = await startEngine(["serve", inFolder("zzz.gguf"), "--port", "0"]).exit;
  expect(code).toBe(1);
  expect(stderr.trim().split("\n").at(-1)).toMatch(/zzz\.gguf has the architecture zzz, which the llama\.cpp of this/);
});

test.concurrent("a socket in use and a file that is no socket are refused and left alone", async () => {
  const used = inFolder("used.sock");
  const server = createServer().listen(used);
  await once(server, "listening");
  writeFileSync(inFolder("file.sock"), "precious");
  for (const path of [used, inFolder("file.sock")]) {
    const { code, stderr } = await startEngine(["serve", modelPath, "--socket", path]).exit;
    expect(code).toBe(1);
    expect(stderr).toContain(path);
    expect(existsSync(path)).toBe(true);
  }
  server.close();
});

test.concurrent("a stale socket file is replaced, and the new one belongs to its owner alone", async () => {
  const path = inFolder("stale.sock");
  const first = startEngine(["serve", modelPath, "--socket", path]);
  await first.ready;
  first.child.kill("SIGKILL");
  await first.exit;
  expect(existsSync(path)).toBe(true);

  const second = startEngine(["serve", modelPath, "--socket", path, "--model-id", "a/b", "--context", "512"]);
  expect(await second.ready).toEqual({ ready: true, model: "a/b", context_length: 512, pid: second.child.pid });
  expect(statSync(path).mode & 0o077).toBe(0);
  expect((await sendRequest(path, "/health")).status).toBe(200);
  second.child.kill("SIGTERM");
  expect(await second.exit).toEqual({ code: 0, stderr: "" });
  expect(existsSync(path)).toBe(false);
});

test.concurrent("SIGTERM lets a running stream end before the engine exits with 0", async () => {
  await using engine = await serveModel(modelPath);
  const tokens = JSON.parse((await sendRequest(engine.socket, "/v1/tokenize", { text: "z" })).body).tokens;
  const stream = await openResponse(engine.socket, "/v1/completions", {
    prompt: "a",
    temperature: 0,
    max_tokens: 200,
    stream: true,
    logit_bias: { [tokens[0]]: 100 },
  });
  engine.child.kill("SIGTERM");
  const body = await text(stream);
  expect(body.match(/"text":"z"/g)).toHaveLength(200);
  expect(body.endsWith("data: [DONE]\n\n")).toBe(true);
  // The client keeps the connection open, which must not hold the engine up.
  expect((await engine.exit).code).toBe(0);
});

test.concurrent("the end of standard input lets a running request end before the engine exits with 0", async () => {
  await using engine = await serveModel(modelPath);
  const request = { prompt: "a", temperature: 0, max_tokens: 200, stream: true };
  const stream = await openResponse(engine.socket, "/v1/completions", request);
  engine.child.stdin.end();
  expect((await text(stream)).endsWith("data: [DONE]\n\n")).toBe(true);
  expect((await engine.exit).code).toBe(0);
});

test.concurrent("an engine whose parent was killed ends by itself", async () => {
  const script = `
    const { spawn } = require("node:child_process");
    const args = [${JSON.stringify(ENGINE_BINARY)}, "serve", ${JSON.stringify(modelPath)}, "--port", "0", "--stop-with-stdin"];
    spawn(process.execPath, args, { stdio: ["pipe", "inherit", "ignore"] });
    setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "ignore"] });
  const { pid } = await readLineWithField(parent.stdout, "pid");
  expect(isProcessAlive(Number(pid))).toBe(true);
  parent.kill("SIGKILL");
  await waitUntil(() => !isProcessAlive(Number(pid)));
});

function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
