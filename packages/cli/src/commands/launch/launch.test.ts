import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { buildModel, buildPage } from "@feather/testing/builders";
import { errorResponse } from "@feather/testing/errors";
import { expect, onTestFinished, test, vi } from "vitest";
import type { ProgramRunner } from "../../context.ts";
import { apiKey } from "../../testing/fixtures.ts";
import { setupCli } from "../../testing/setup-cli.ts";
import { type ModelAccess, PROGRAM_NAMES, PROGRAMS, type Program } from "./programs.ts";

const model = buildModel({ id: "acme/coder", context_length: 131_072 });
let keys: string[] = [];
const routes = {
  "GET /feather/models/acme%2Fcoder": () => ({ body: model }),
  "GET /feather/models/acme%2Fsmall": () => ({ body: { ...model, id: "acme/small", context_length: 8192 } }),
  "GET /feather/models": () => ({ body: buildPage([model]) }),
  "POST /api-keys": ({ body }: { readonly body: unknown }) => {
    keys.push("key_9");
    return { status: 201, body: { ...apiKey, ...(body as object), id: "key_9", secret: "rc_for_the_run" } };
  },
  "DELETE /api-keys/key_9": () => {
    keys = [];
    return { status: 204 };
  },
};
const { run, runAnonymous, requests } = setupCli(routes);
const refused = setupCli({
  ...routes,
  "POST /api-keys": () => errorResponse(403, "key_scope_denied", "This key lacks keys.write."),
});
const undeletable = setupCli({
  ...routes,
  "DELETE /api-keys/key_9": () => errorResponse(404, "api_keys.not_found", "There is no key key_9."),
});

type Started = { path: string; args: readonly string[]; variables: Readonly<Record<string, string | undefined>> };

/** Creates programs that are all installed, and end with an exit code at once. */
function createPrograms(exitCode = 0, whileRunning: (started: Started) => void = () => {}) {
  const started: Started[] = [];
  const programs: ProgramRunner = {
    find: async (command) => `/usr/bin/${command}`,
    run: async (path, args, variables) => {
      started.push({ path, args, variables });
      whileRunning({ path, args, variables });
      return exitCode;
    },
  };
  return { programs, started };
}

test("starts a program with a key that calls one model only, and deletes the key when it ends", async () => {
  let keysWhileRunning = 0;
  const { programs, started } = createPrograms(0, () => {
    keysWhileRunning = keys.length;
  });
  const { code, out, err } = await run("launch claude -m acme/coder -- -p hello", { programs });
  expect([code, out, keysWhileRunning, keys.length]).toEqual([0, "", 1, 0]);
  expect(err).toContain("claude calls acme/coder with a key of its own (key_9)");
  expect(started).toEqual([
    {
      path: "/usr/bin/claude",
      args: ["-p", "hello"],
      variables: expect.objectContaining({ ANTHROPIC_AUTH_TOKEN: "rc_for_the_run", ANTHROPIC_MODEL: "acme/coder" }),
    },
  ]);
  expect(requests().find(({ method }) => method === "POST")?.body).toEqual({
    name: "launch claude",
    allowed_models: ["acme/coder"],
    expires_at: "2026-11-22T00:00:00.000Z",
  });
});

test("limits of the run's key are those of the flags", async () => {
  await run("launch aider --spend-limit 2 --expires 1h --max-units 1", createPrograms());
  expect(requests().find(({ method }) => method === "POST")?.body).toEqual({
    name: "launch aider",
    allowed_models: ["acme/coder"],
    expires_at: "2026-11-21T13:00:00.000Z",
    spend_limit_nano_usd: "2000000000",
    max_concurrency: 1,
  });
});

test("the exit code is that of the program, and the key ends also where the program fails", async () => {
  expect(await run("launch opencode -m acme/coder", createPrograms(3))).toMatchObject({ code: 3, out: "" });
  expect(keys).toEqual([]);
});

test("the key ends where the program cannot be started", async () => {
  const programs: ProgramRunner = {
    find: async () => "/usr/bin/codex",
    run: async () => {
      throw new Error("spawn EACCES");
    },
  };
  const { code, err } = await run("launch codex -m acme/coder", { programs });
  expect([code, keys]).toEqual([1, []]);
  expect(err).toContain("spawn EACCES");
});

test("the key ends where the command is interrupted while the program ends", async () => {
  const interrupt = new AbortController();
  const { programs } = createPrograms(130, () => interrupt.abort());
  const { code, err } = await run("launch claude -m acme/coder", { programs, signal: interrupt.signal });
  expect([code, keys]).toEqual([130, []]);
  expect(err).not.toContain("could not be deleted");
});

test("no key is made where the folder for the program's files cannot be made", async () => {
  vi.stubEnv("TMPDIR", "/no/such/folder");
  onTestFinished(() => void vi.unstubAllEnvs());
  const { code } = await run("launch cline -m acme/coder", createPrograms());
  expect(code).toBe(1);
  expect(requests().filter(({ method }) => method !== "GET")).toEqual([]);
});

test("a key that cannot be deleted is named, and the program's exit code stays", async () => {
  const { code, err } = await undeletable.run("launch claude -m acme/coder", createPrograms(4));
  expect(code).toBe(4);
  expect(err).toContain("feather keys delete key_9");
});

test("a program that is not installed says where it comes from, and nothing is made", async () => {
  const { code, err } = await run("launch goose -m acme/coder");
  expect(code).toBe(2);
  expect(err).toContain("goose is not installed");
  expect(err).toContain("goose-docs.ai");
  expect(requests()).toEqual([]);
});

test("an API key that may not make keys can be given to the program itself", async () => {
  const { programs, started } = createPrograms();
  const denied = await refused.run("launch aider -m acme/coder", { programs });
  expect([denied.code, started.length]).toEqual([4, 0]);
  expect(denied.err).toContain("--same-key");
  await refused.run("launch aider -m acme/coder --same-key", { programs });
  expect(started[0]?.variables.OPENAI_API_KEY).toBe("rc_key");
});

test("a model with a small context is used, with a warning", async () => {
  const { code, err } = await run("launch claude -m acme/small", createPrograms());
  expect(code).toBe(0);
  expect(err).toContain("acme/small reads 8,192 tokens at once");
});

test.each([
  ["launch vim", 2, "Allowed choices are claude, codex, opencode, cline, aider, goose"],
  ["launch claude --same-key --spend-limit 2", 2, "--same-key excludes limits"],
  ["launch claude --spend-limit much", 2, "amount of dollars"],
])("%s exits with %i and sends nothing", async (line, code, message) => {
  const result = await run(line, createPrograms());
  expect(result.code).toBe(code);
  expect(result.err).toContain(message);
  expect(requests()).toEqual([]);
});

test("launch needs a sign-in", async () => {
  expect((await runAnonymous("launch claude")).code).toBe(4);
});

const ACCESS: ModelAccess = {
  baseUrl: "https://feather.example",
  key: "rc_secret",
  model: "acme/coder",
  contextLength: 131_072,
  startedAt: new Date("2026-11-21T12:00:00Z"),
  folder: "/tmp/run",
};
const programOf = (name: (typeof PROGRAM_NAMES)[number]): Program => PROGRAMS[name];

test.each(PROGRAM_NAMES)("%s gets the secret by its environment or a file, not among its arguments", (name) => {
  const { args, variables, files } = programOf(name);
  expect(JSON.stringify(args?.(ACCESS) ?? [])).not.toContain("rc_secret");
  expect(JSON.stringify([variables(ACCESS), files?.(ACCESS)])).toContain("rc_secret");
});

test.each(PROGRAM_NAMES)("%s can be started with a model of unknown context", (name) => {
  const { args, variables, files } = programOf(name);
  const access = { ...ACCESS, contextLength: null };
  const texts = JSON.stringify([args?.(access), variables(access), files?.(access)]);
  expect(texts).toContain("acme/coder");
  expect(texts).not.toMatch(/null"|NaN/);
});

test.each([
  ["https://feather.example", "https://feather.example", "v1/chat/completions"],
  ["https://example.com/ai", "https://example.com", "ai/v1/chat/completions"],
])("goose reaches a server at %s", (baseUrl, host, path) => {
  const variables = programOf("goose").variables({ ...ACCESS, baseUrl });
  expect([variables.OPENAI_HOST, variables.OPENAI_BASE_PATH]).toEqual([host, path]);
});

test("Cline reads the run's provider from a file that only this user can read, and that is deleted", async () => {
  let settings: unknown;
  let mode = 0;
  let file = "";
  const { programs, started } = createPrograms(0, ({ variables }) => {
    file = variables.CLINE_PROVIDER_SETTINGS_PATH ?? "";
    settings = JSON.parse(readFileSync(file, "utf8"));
    mode = statSync(file).mode & 0o777;
  });
  await run("launch cline -m acme/coder", { programs });
  expect(mode).toBe(0o600);
  expect(started[0]?.args).toEqual(["-P", "openai-compatible", "-m", "acme/coder"]);
  expect(settings).toMatchObject({
    lastUsedProvider: "openai-compatible",
    providers: {
      "openai-compatible": {
        settings: { apiKey: "rc_for_the_run", model: "acme/coder" },
        updatedAt: "2026-11-21T12:00:00.000Z", // Cline replaces a file without it
      },
    },
  });
  expect(existsSync(join(file, ".."))).toBe(false);
});

test("the caller's own credential is removed from the program's environment", async () => {
  const { programs, started } = createPrograms();
  await run("launch claude -m acme/coder", { programs });
  const variables = started[0]?.variables ?? {};
  expect("FEATHER_API_KEY" in variables && "FEATHER_TOKEN" in variables).toBe(true);
  expect([variables.FEATHER_API_KEY, variables.FEATHER_TOKEN, variables.ANTHROPIC_API_KEY]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
