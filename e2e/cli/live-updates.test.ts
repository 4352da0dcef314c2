/**
 * Displays that commands redraw while they run, at a real terminal and with a server whose answers the test triggers.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildDeployment, buildModel, buildPage, buildUser } from "@feather/testing/builders";
import { formatChunk, formatEvent, formatUsage } from "@feather/testing/chat-events";
import { type StubServer, startStubServer } from "@feather/testing/stub-server";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { FEATHER } from "../support/cli.ts";
import { openTerminal } from "../support/pseudo-terminal.ts";

const home = mkdtempSync(join(tmpdir(), "feather-live-updates-"));
const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const CTRL_Z = "\u001a";
const open: ReturnType<typeof openTerminal>[] = [];
let server: StubServer;
let pull = { state: "queued", bytes_done: 0 };
let deployment = buildDeployment();
let events = createEvents();

/** A response with events that the test sends. */
function createEvents() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  return {
    response: () => new Response(readable, { headers: { "content-type": "text/event-stream" } }),
    send: (text: string) => writer.write(new TextEncoder().encode(text)),
    end: () => writer.close(),
  };
}

const toPull = () => ({
  id: "pull_1",
  model_id: "acme/bot-8b",
  repository: "acme/bot-8b",
  file: "bot-q8_0.gguf",
  bytes_total: 500_000_000,
  conversion_progress: null,
  organization_id: null,
  error: null,
  created_at: "2026-11-21T11:58:00.000Z",
  ...pull,
});
const toUsage = (models: readonly string[]) => ({
  limit: 4,
  used_cost: models.length,
  request_count: models.length,
  requests: models.map((model, index) => ({
    id: `req_${index}`,
    cost: 1,
    model,
    started_at: new Date().toISOString(),
    duration_ms: 0,
    output_tokens: 57,
    tokens_per_second: 62.4,
    is_own: true,
  })),
});

const LOADED_MODEL = {
  model_id: "acme/bot-8b",
  organization_id: null,
  state: "warm",
  memory_bytes: 6_000_000_000,
  context_length: 8192,
  request_count: 1,
  last_used_at: "2026-11-21T11:58:00.000Z",
};

beforeAll(async () => {
  server = await startStubServer({
    "POST /admin/store/pulls": () => ({ status: 202, body: toPull() }),
    "GET /admin/store/pulls": () => ({ body: { items: [toPull()] } }),
    "GET /feather/private-cloud/deployments": () => ({ body: buildPage([deployment]) }),
    "GET /feather/private-cloud/deployments/dep_1": () => ({ body: deployment }),
    "GET /feather/private-cloud/deployments/dep_1/logs": () => events.response(),
    "GET /account/concurrency": () => ({ body: toUsage([]) }),
    "GET /account/concurrency/stream": () => events.response(),
    "DELETE /account/concurrency/req_0": () => ({ status: 204 }),
    "GET /auth/me": () => ({ body: buildUser({ is_admin: true }) }),
    "GET /admin/settings": () => ({ body: { items: [] } }),
    "GET /feather/models": () => ({
      body: buildPage([buildModel({ id: "a/cold" }), buildModel({ id: "acme/bot-8b" })]),
    }),
    "GET /admin/model-host": () => ({
      body: { memory_bytes: 18_000_000_000, free_bytes: 12_000_000_000, models: [LOADED_MODEL] },
    }),
    "POST /admin/models/acme%2Fbot-8b/unload": () => ({
      status: 202,
      body: { id: "acme/bot-8b", status: "unloading" },
    }),
    "GET /feather/models/a%2Fb": () => ({ body: buildModel({ id: "a/b" }) }),
    "GET /v1/plan": () => ({ body: { id: "max", name: "Max", concurrency: 8 } }),
    "POST /v1/chat/completions": () => events.response(),
  });
});
beforeEach(() => {
  events = createEvents();
});
afterEach(() => {
  for (const terminal of open.splice(0)) terminal.kill();
});
afterAll(async () => {
  await server.close();
  // A program that was just ended may still write its cache.
  rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

const environment = () => ({
  HOME: home,
  FEATHER_CONFIG_DIR: home,
  FEATHER_BASE_URL: server.baseUrl,
  FEATHER_API_KEY: "rc_key",
});

/** Runs a command between two lines of a shell, the second of which has the exit code. */
function shell(command: string, size: { readonly columns?: number; readonly rows?: number } = {}) {
  const env = { ...environment(), feather: `${process.execPath} ${FEATHER}` };
  const terminal = openTerminal("sh", ["-c", `echo before; $feather ${command}; echo after $?`], { ...size, env });
  open.push(terminal);
  return terminal;
}

test("a download shows how far it is, on one line for each state", async () => {
  const terminal = shell("models pull acme/bot-8b --wait", { columns: 120 });
  await terminal.waitForText("queued");
  pull = { state: "downloading", bytes_done: 125_000_000 };
  await terminal.waitForText("25 %");
  pull = { state: "downloading", bytes_done: 375_000_000 };
  await terminal.waitForText("75 %");
  expect(terminal.text()).not.toContain("25 %");
  pull = { state: "done", bytes_done: 500_000_000 };
  expect(await terminal.ended()).toBe(0);
  expect(terminal.text().replaceAll(/ +/g, " ")).toMatch(
    /^before\nacme\/bot-8b queued .*\n downloading .*75 %\n done .*100 %\nacme\/bot-8b is ready to run: bot-q8_0\.gguf\nafter 0$/,
  );
});

test("a deployment shows its states while it is waited for, each on one line", async () => {
  deployment = buildDeployment({ state: "pending", ready_replicas: 0 });
  const terminal = shell("deployments wait support-bot");
  await terminal.waitForText("pending");
  deployment = buildDeployment({ state: "initializing", ready_replicas: 0 });
  await terminal.waitForText("initializing");
  deployment = buildDeployment({ state: "running" });
  expect(await terminal.ended()).toBe(0);
  expect(terminal.text().replaceAll(/ +/g, " ")).toMatch(
    /^before\nsupport-bot pending .*\n initializing .*\n running .*1 of 1 replica\nsupport-bot is ready .*\nIt answers at .*\nafter 0$/s,
  );
});

test("the units in use are shown as they change, until q is pressed", async () => {
  const terminal = shell("usage --live");
  await terminal.waitForText("0 of 4 units in use");
  await events.send(formatEvent(toUsage(["acme/bot-8b", "a/b"])));
  await terminal.waitForText("2 of 4 units in use");
  expect(terminal.text()).toMatch(/acme\/bot-8b .*req_0/);
  await events.send(formatEvent(toUsage(["a/b"])));
  await terminal.waitForText("1 of 4 units in use");
  expect(terminal.text()).not.toContain("acme/bot-8b");
  terminal.typeKeys("q");
  expect(await terminal.ended()).toBe(0);
  expect(terminal.text()).toMatch(/after 0$/);
});

test("top shows how fast an answer comes and the memory of models, stops a request and unloads a model", async () => {
  const terminal = shell("top", { columns: 120 });
  await terminal.waitForText("0 of 4 units in use");
  await events.send(formatEvent(toUsage(["acme/bot-8b"])));
  await terminal.waitForText("1 of 4 units in use");
  expect(terminal.text()).toMatch(/1 ▰+ {2}acme\/bot-8b {2}\d+ s {2}62\/s/);
  expect(terminal.text()).toMatch(/› acme\/bot-8b +running +1 +\d+ s +62\/s/);
  terminal.typeKeys("x");
  await terminal.waitForText("Stop this request to acme/bot-8b?");
  terminal.typeKeys("y");
  await terminal.waitForText("Stopped req_0.");
  terminal.typeKeys("2");
  await terminal.waitForText("Models take 6.0 GB of 18.0 GB of memory.");
  expect(terminal.text()).toMatch(/› acme\/bot-8b +\S+ +6\.0 GB/);
  terminal.typeKeys("x");
  await terminal.waitForText("Unload acme/bot-8b? 1 request that it answers will fail.");
  terminal.typeKeys("y");
  await terminal.waitForText("acme/bot-8b is unloaded.");
  terminal.typeKeys("q");
  expect(await terminal.ended()).toBe(0);
  expect(terminal.text()).toBe("before\nafter 0");
});

test("Ctrl-Z gives the screen back to the shell, and fg fills it with top again", async () => {
  const terminal = openTerminal("bash", ["--norc", "-i"], {
    env: { ...environment(), PS1: "shell$ ", feather: `${process.execPath} ${FEATHER}` },
  });
  open.push(terminal);
  await terminal.waitForText("shell$");
  terminal.typeKeys("$feather top\r");
  await terminal.waitForText("0 of 4 units in use");
  terminal.typeKeys(CTRL_Z);
  await terminal.waitForText("Stopped");
  expect(terminal.screen()).not.toContain("units in use");
  terminal.typeKeys("fg\r");
  await terminal.waitForText("0 of 4 units in use");
  terminal.typeKeys("q");
  await expect.poll(terminal.screen).not.toContain("units in use");
});

test("followed logs are printed as they come, until Ctrl-C", async () => {
  deployment = buildDeployment();
  const line = (text: string) => formatEvent({ logged_at: "2026-11-21T11:10:00.000Z", replica: "r1", text });
  const terminal = shell("deployments logs support-bot --follow");
  await events.send(line("starting"));
  await terminal.waitForText("r1  starting");
  await events.send(line("ready"));
  await terminal.waitForText("r1  ready");
  await terminal.waitForText("Waiting for lines of support-bot");
  await events.send(line("still here"));
  await terminal.waitForText("r1  still here");
  terminal.typeKeys(CTRL_C);
  expect(await terminal.ended()).toBe(130);
  expect(terminal.text()).toMatch(
    /^before\n\S+ {2}r1 {2}starting\n\S+ {2}r1 {2}ready\n\S+ {2}r1 {2}still here\n(?!.*Waiting)/s,
  );
});

const WORDS = Array.from({ length: 300 }, (_, index) => `word${index}.`);

/** Streams words as one paragraph, a few at a time, each time once the last ones are on the screen. */
async function streamWords(terminal: ReturnType<typeof openTerminal>, words: readonly string[]): Promise<void> {
  for (let start = 0; start < words.length; start += 10) {
    const part = words.slice(start, start + 10);
    await events.send(formatChunk({ content: `${part.join(" ")} ` }));
    await terminal.waitForText(part.at(-1) ?? "");
  }
}

async function endAnswer(): Promise<void> {
  const usage = formatUsage({ prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 });
  await events.send(formatChunk({}, "stop") + usage + formatEvent("[DONE]"));
  await events.end();
}

test("an answer that is taller than the terminal stands in the scrollback once", async () => {
  const terminal = shell("chat -m a/b", { columns: 60, rows: 12 });
  await terminal.waitForText("/help for commands");
  terminal.typeKeys("why?\r");
  await streamWords(terminal, WORDS);
  await endAnswer();
  await terminal.waitForText("1 token · first after");
  terminal.typeKeys(CTRL_D);
  expect(await terminal.ended()).toBe(0);
  expect(terminal.text().match(/word\d+\./g)).toEqual(WORDS);
  expect(terminal.text()).toMatch(/^before\n/);
});

test("an answer that is streamed while the window becomes narrower is complete, and leaves no more than a screen of before", async () => {
  const terminal = shell("chat -m a/b", { columns: 80, rows: 12 });
  await terminal.waitForText("/help for commands");
  terminal.typeKeys("why?\r");
  await streamWords(terminal, WORDS.slice(0, 100));
  terminal.resize(40);
  await streamWords(terminal, WORDS.slice(100));
  await endAnswer();
  await terminal.waitForText("1 token · first after");
  terminal.typeKeys(CTRL_D);
  expect(await terminal.ended()).toBe(0);
  const shown = terminal.text().match(/word\d+\./g) ?? [];
  expect(shown.slice(-WORDS.length)).toEqual(WORDS);
  expect(shown.length).toBeLessThan(WORDS.length + 12 * 6);
  expect(terminal.text()).toMatch(/^before\n/);
});
