/** Completion of command lines in bash at a real terminal. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildApiKey, buildDeployment, buildModel, buildPage } from "@feather/testing/builders";
import { type HttpServer, startHttpServer } from "@feather/testing/http-server";
import { type StubServer, startStubServer } from "@feather/testing/stub-server";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { FEATHER } from "../support/cli.ts";
import { openTerminal } from "../support/pseudo-terminal.ts";

const home = mkdtempSync(join(tmpdir(), "feather-completion-"));
const open: ReturnType<typeof openTerminal>[] = [];
let server: StubServer;
let silent: HttpServer;

beforeAll(async () => {
  server = await startStubServer({
    "GET /feather/models": () => ({ body: buildPage([buildModel({ id: "Qwen/Qwen3-32B" })]) }),
    "GET /api-keys": () => ({ body: buildPage([buildApiKey({ name: "production" })]) }),
    "GET /application": () => ({ body: { items: [{ id: "app_1", name: "Notes" }] } }),
    "GET /feather/private-cloud/deployments": () => ({ body: buildPage([buildDeployment()]) }),
  });
  silent = await startHttpServer(() => {});
  writeFileSync(join(home, "feather"), `#!/bin/sh\nexec '${process.execPath}' '${FEATHER}' "$@"\n`, { mode: 0o755 });
});
afterEach(() => {
  for (const terminal of open.splice(0)) terminal.kill();
});
afterAll(async () => {
  await Promise.all([server.close(), silent.close()]);
  // A program that was just ended may still write its cache.
  rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

/** Opens bash with the completion of the program. */
async function bash(baseUrl: string) {
  const env = {
    PATH: `${home}:${process.env.PATH ?? ""}`,
    HOME: home,
    PS1: "shell$ ",
    FEATHER_CONFIG_DIR: join(home, "config"),
    FEATHER_CACHE_DIR: mkdtempSync(join(home, "cache-")),
    FEATHER_BASE_URL: baseUrl,
    FEATHER_API_KEY: "rc_key",
  };
  const terminal = openTerminal("bash", ["--norc", "-i"], { env });
  open.push(terminal);
  await terminal.waitForText("shell$");
  terminal.typeKeys('eval "$(feather completion bash)"; echo is $((40+2))\r');
  await terminal.waitForText("is 42");
  return terminal;
}

test.each([
  ["a command", "feather mode", "feather models "],
  ["a key", "feather keys show prod", "feather keys show production "],
  ["an application", "feather apps show No", "feather apps show Notes "],
  ["a deployment", "feather deployments logs sup", "feather deployments logs support-bot "],
  ["a model", "feather models show Qwen/", "feather models show Qwen/Qwen3-32B "],
  ["a field", "feather models list --json owned", "feather models list --json owned_by "],
])("Tab completes the name of %s", async (_, typed, completed) => {
  const terminal = await bash(server.baseUrl);
  terminal.typeKeys(`${typed}\t#`);
  await terminal.waitForText(`${completed}#`);
});

test("Tab shows nothing when the server does not answer, and the line goes on", async () => {
  const terminal = await bash(silent.url);
  terminal.typeKeys("feather keys show prod\t#");
  await terminal.waitForText("feather keys show prod#");
  expect(terminal.text()).not.toMatch(/error|Waiting/);
});
