import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAccount } from "../support/accounts.ts";
import { type Platform, startPlatform } from "../support/platform.ts";
import { PONG_BACKENDS, type PongBackend } from "./backends.ts";
import { installProgram } from "./install.ts";
import { type ClientProgram, type ClientTask, PROGRAMS, type ProgramEnvironment } from "./programs.ts";
import { startRecordingProxy } from "./recording-proxy.ts";
import { type RunResult, runToEnd } from "./run-to-end.ts";

const EXPECTED_OUTPUT: Readonly<Record<ClientTask, RegExp>> = {
  chat: /pong|Oslo/,
  stream: /pong|p.*o.*n.*g/s,
  tools: /the-tool-ran|sunny in Oslo/,
  embeddings: /vector \[0\.1/,
  models: /[1-9]\d* models/,
  "wrong key": /401|unauthor|api key|authenticat|not a key/i,
};
/** What a program says of a call that the API of the model's backend has no place for. */
const REFUSAL = /400.*gives no embeddings/;

const folder = mkdtempSync(join(tmpdir(), "feather-clients-"));
let platform: Platform;
let backends: readonly PongBackend[] = [];
let key = "";

beforeAll(async () => {
  chmodSync(folder, 0o711); // the database runs as another user
  backends = await Promise.all(PONG_BACKENDS.map(({ start }) => start()));
  platform = await startPlatform(folder, { FEATHER_BACKENDS: JSON.stringify(backends.map(toSetting)) });
  const { feather } = await createAccount(platform.baseUrl);
  await feather.marketplace.subscribe({ provider: "aws", token: "test_clients_feather_max" });
  key = (await feather.apiKeys.create({ name: "clients" })).secret;
});
afterAll(async () => {
  platform.process.kill("SIGTERM");
  await platform.ended;
  await Promise.all(backends.map(({ close }) => close()));
  rmSync(folder, { recursive: true, force: true });
});

describe.each(PROGRAMS.map((program) => [program.name, program] as const))("%s", (name, program) => {
  let packages = "";
  beforeAll(async () => {
    packages = await installProgram(program);
  }, 900_000);

  const run = (task: ClientTask, given: { readonly baseUrl: string; readonly key: string; readonly api: string }) => {
    const home = join(folder, `${name.replaceAll(/\W/g, "_")}-${task.replace(" ", "_")}-${given.api}`);
    const model = backends.find(({ api }) => api === given.api)?.modelId ?? "";
    return runProgram(program, task, { ...given, model, npm: packages, python: packages, home });
  };

  describe.each(PONG_BACKENDS)("with a model of the API $api", ({ api, refuses }) => {
    const tasks = program.tasks.filter((task) => task !== "wrong key");

    test.each(tasks.filter((task) => !refuses.includes(task)))("can do: %s", async (task) => {
      const { code, output } = await run(task, { baseUrl: platform.baseUrl, key, api });
      expect(output).toMatch(EXPECTED_OUTPUT[task]);
      expect(code, output).toBe(0);
    });

    test.each(tasks.filter((task) => refuses.includes(task)))("reports that it cannot do: %s", async (task) => {
      const { code, output } = await run(task, { baseUrl: platform.baseUrl, key, api });
      expect(output).toMatch(REFUSAL);
      expect(code, output).not.toBe(0);
    });
  });

  test.runIf(program.tasks.includes("wrong key"))("reports a wrong key without repeating the request", async () => {
    const proxy = await startRecordingProxy(platform.baseUrl);
    try {
      const { output } = await run("wrong key", { baseUrl: proxy.url, key: `rc_${"0".repeat(64)}`, api: "openai" });
      expect(output).toMatch(EXPECTED_OUTPUT["wrong key"]);
      expect(output).not.toContain("pong");
      const sent = proxy.requests.map(({ method, url, body }) => `${method} ${url} ${body}`);
      // Programs that repeat a refused request seem to hang.
      expect(sent).toEqual([...new Set(sent)]);
      expect(proxy.requests.some(({ method }) => method === "POST")).toBe(true);
    } finally {
      await proxy.close();
    }
  });
});

function toSetting({ api, baseUrl, key: api_key, modelName: name, modelId: as }: PongBackend) {
  return {
    name: api,
    api,
    base_url: baseUrl,
    api_key,
    models: [name],
    ...(name !== as && { aliases: [{ name, as }] }),
  };
}

function runProgram(program: ClientProgram, task: ClientTask, environment: ProgramEnvironment): Promise<RunResult> {
  mkdirSync(environment.home, { recursive: true });
  const { file, args, env } = program.command(task, environment);
  return runToEnd(file, args, {
    cwd: mkdtempSync(join(folder, "work-")),
    env: {
      PATH: process.env.PATH,
      HOME: environment.home,
      FEATHER_BASE_URL: environment.baseUrl,
      FEATHER_API_KEY: environment.key,
      FEATHER_MODEL: environment.model,
      ...env,
    },
  });
}
