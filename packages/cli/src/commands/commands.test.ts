import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { buildModel, buildPage } from "@feather/testing/builders";
import { errorResponse } from "@feather/testing/errors";
import { streamedResponse } from "@feather/testing/stub";
import { startStubServer } from "@feather/testing/stub-server";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { apiKey, loadingModel, user } from "../testing/fixtures.ts";
import { createConfigFolder, type RunOptions, runCli } from "../testing/run-cli.ts";
import { loadAllCommands } from "./command-group.ts";
import { COMMANDS } from "./registry.ts";

let warmModels = [buildModel()];
type Server = Awaited<ReturnType<typeof startStubServer>>;
let server: Server;
let folder: ReturnType<typeof createConfigFolder>;

const KEY = { FEATHER_API_KEY: "rc_key" };
const variables = () => ({ FEATHER_BASE_URL: server.baseUrl, FEATHER_CONFIG_DIR: folder.dir, LANG: "C.UTF-8" });
const signedIn = (argv: string[], settings: RunOptions = {}) =>
  runCli(argv, variables(), { ...settings, env: { ...KEY, ...settings.env } });
const anonymous = (argv: string[], settings: RunOptions = {}) => runCli(argv, variables(), settings);

beforeAll(async () => {
  server = await startStubServer({
    "GET /feather/models": ({ url }) => ({
      body: url.includes("availability=warm")
        ? buildPage(warmModels)
        : url.includes("search=none")
          ? buildPage([])
          : buildPage([buildModel(), loadingModel], 139),
    }),
    "GET /feather/models/Qwen%2FQwen3-32B": () => ({
      body: { ...buildModel(), description: "Evil \u001b[2J", readme: null, places: [], probes: [] },
    }),
    "GET /feather/models/feather%2Fdemo": () => ({
      body: { ...buildModel({ id: "feather/demo" }), readme: null, places: [], probes: [] },
    }),
    "GET /feather/models/qwen%2Fqwen3-23b": () => errorResponse(404, "model_not_found", "There is no such model."),
    "GET /feather/models/who%2Fknows": () =>
      errorResponse(404, "model_not_found", "There is no model called who/knows."),
    "GET /api-keys": () => ({ body: buildPage([apiKey]) }),
    "POST /api-keys": () => ({ status: 201, body: { ...apiKey, secret: "rc_secret" } }),
    "PUT /api-keys/key_1": () => ({ body: { ...apiKey, name: "staging" } }),
    "DELETE /api-keys/key_1": () => ({ status: 204 }),
    "POST /auth/login": ({ body }) =>
      JSON.stringify(body).includes("right")
        ? { headers: { "x-session-token": "ses_new" }, body: user }
        : errorResponse(401, "auth.wrong_credentials", "Email or password is wrong."),
    "POST /auth/logout": () => ({ status: 204 }),
    "GET /auth/me": ({ authorization }) =>
      authorization === "Bearer rc_bad"
        ? errorResponse(401, "unauthorized", "The key is not valid.")
        : authorization === "Bearer rc_calls"
          ? errorResponse(403, "key_scope_denied", "The key may not do this.")
          : { body: user },
    "GET /v1/plan": () => ({ body: { id: "max", name: "Max", concurrency: 8 } }),
    "POST /v1/chat/completions": ({ body }) =>
      JSON.stringify(body).includes('"stream":true')
        ? streamedResponse(["Mostly ", "trapped \u001b[2Jair."])
        : { body: { choices: [{ index: 0, message: { role: "assistant", content: "Whole." } }] } },
  });
});
afterAll(() => server.close());
beforeEach(() => {
  folder = createConfigFolder();
  server.requests.length = 0;
});
afterEach(() => folder.remove());

describe("models list", () => {
  test("models list is a table for people, with the next page on stderr", async () => {
    const { code, out, err } = await anonymous(["models", "list", "--search", "coder"], {
      tty: true,
      columns: 100,
      env: { NO_COLOR: "1" },
    });
    expect(code).toBe(0);
    expect(out).toBe(
      [
        "MODEL                              SIZE  CONTEXT  UNITS  RATING  STATE",
        "Qwen/Qwen3-32B                      33B     40Ki  ▰▰▱▱      4.6  warm",
        "Qwen/Qwen3-Coder-30B-A3B-Instruct   31B    256Ki  ▰▰▱▱      4.6  loading 62 %, about 40 s",
        "",
      ].join("\n"),
    );
    expect(err).toBe("\n2 of 139 models. Next page: feather models list --search coder --page 2\n");
  });

  test("models list is tab-separated in a pipe, with exact values and no messages", async () => {
    const { out, err } = await anonymous(["models", "list"]);
    expect(out.split("\n")[0]).toBe("Qwen/Qwen3-32B\t32762123264\t40960\t2\t4.6\twarm");
    expect(err).toBe("");
  });

  test("models list turns flags into the query", async () => {
    const flags = ["--search", "a b", "--family", "qwen", "--size", "15B..34B", "--sort=-released_date", "--warm"];
    await anonymous(["models", "list", ...flags, "--page", "2", "--limit", "10"]);
    const query = new URLSearchParams(server.requests[0]?.url.split("?")[1]);
    expect(Object.fromEntries(query)).toEqual({
      search: "a b",
      family: "qwen",
      min_params: "15",
      max_params: "34",
      sort: "-released_date",
      availability: "warm",
      page: "2",
      perPage: "10",
    });
  });

  test.each([
    ["500M..1T", "0.5", "1000"],
    ["8b..", "8", null],
    ["..4B", null, "4"],
    ["7B", "7", "7"],
  ])("models list accepts the size %s", async (size, min, max) => {
    await anonymous(["models", "list", "--size", size]);
    const query = new URLSearchParams(server.requests[0]?.url.split("?")[1]);
    expect([query.get("min_params"), query.get("max_params")]).toEqual([min, max]);
  });

  test("models list prints the contract's shape, or chosen fields, as JSON", async () => {
    const whole = JSON.parse((await anonymous(["models", "list", "--json"])).out);
    expect(whole).toMatchObject({ items: [{ id: "Qwen/Qwen3-32B" }, {}], pagination: { total_items: 139 } });
    const some = JSON.parse((await anonymous(["models", "list", "--json", "id,state"])).out);
    expect(some[0]).toEqual({ id: "Qwen/Qwen3-32B", state: "warm" });
  });

  test("models list rejects an unknown field with the list of fields, before any request", async () => {
    const { code, out, err } = await anonymous(["models", "list", "--json", "id,nope"]);
    expect([code, out]).toEqual([2, ""]);
    expect(JSON.parse(err).error).toMatchObject({ code: "usage", message: "unknown field: nope" });
    expect(err).toContain("context_length");
    expect(server.requests).toEqual([]);
  });

  test("the command of the next page stays a command that can be copied where the line is too short for it", async () => {
    const argv = ["models", "list", "--limit", "8", "--search", "coder"];
    const { err } = await anonymous(argv, { tty: true, columns: 60, env: { NO_COLOR: "1" } });
    expect(err).toContain("Next page:\n  feather models list --limit 8 --search coder --page 2\n");
    const narrow = await anonymous(argv, { tty: true, columns: 45, env: { NO_COLOR: "1" } });
    expect(narrow.err).toContain("Next page:\n  feather models list --limit 8 --search \\\n    coder --page 2\n");
  });

  test("the command of the next page keeps its flags, also for agents", async () => {
    const argv = ["models", "list", "--limit", "8", "--search", "a b", "--page", "1"];
    for (const env of [{ NO_COLOR: "1" }, { AI_AGENT: "1" }]) {
      const { err } = await anonymous(argv, { tty: true, columns: 100, env });
      expect(err).toContain("Next page: feather models list --limit 8 --search 'a b' --page 2\n");
    }
  });

  test.each([
    ["15B", "No model fits that has exactly 15B parameters. A range finds more: --size 12B..18B.\n"],
    ["12B..18B", "No model fits. Fewer words or a wider size find more.\n"],
  ])("models list says what finds more when no model has the size %s", async (size, message) => {
    expect((await anonymous(["models", "list", "--search", "none", "--size", size])).err).toBe(message);
  });

  test.each<[string, RunOptions, boolean]>([
    ["coloured at a terminal", { tty: true }, true],
    ["plain with NO_COLOR", { tty: true, env: { NO_COLOR: "1" } }, false],
    ["plain in a pipe, whatever the environment asks for", { env: { FORCE_COLOR: "1" } }, false],
  ])("JSON is %s", async (_, settings, isColoured) => {
    const { out } = await anonymous(["models", "list", "--json", "id"], settings);
    expect(out.includes("\u001b[")).toBe(isColoured);
  });

  test("models list prints only ids with -q, and succeeds without results", async () => {
    expect((await anonymous(["models", "list", "-q"])).out).toBe("Qwen/Qwen3-32B\nQwen/Qwen3-Coder-30B-A3B-Instruct\n");
    expect(await anonymous(["models", "list", "--search", "none"])).toMatchObject({ code: 0, out: "" });
  });
});

test("models show prints the day of release", async () => {
  const { out } = await anonymous(["models", "show", "Qwen/Qwen3-32B"]);
  expect(out).toContain("released\t29 Apr 2025\n");
});

test("a mistyped model id suggests the closest ones", async () => {
  const { code, err } = await anonymous(["models", "show", "qwen/qwen3-23b"]);
  expect(code).toBe(3);
  expect(err).toMatch(/close: +Qwen\/Qwen3-32B/);
});

describe("output modes of a list", () => {
  test("agents get all columns with a header, uncut, and the next page", async () => {
    const { out, err } = await anonymous(["models", "list"], { tty: true, columns: 30, env: { AI_AGENT: "1" } });
    expect(out.split("\n")[0]).toBe("MODEL\tSIZE\tCONTEXT\tUNITS\tRATING\tSTATE");
    expect(out.split("\n")[2]).toBe("Qwen/Qwen3-Coder-30B-A3B-Instruct\t30532122624\t262144\t2\t4.6\tloading");
    expect(err).toBe("2 of 139 models. Next page: feather models list --page 2\n");
  });

  test("CSV has a header and exact values", async () => {
    const { out } = await anonymous(["models", "list", "--csv"]);
    expect(out.split(/\r?\n/)[0]).toBe("model,size,context,units,rating,state");
    expect(out.split(/\r?\n/)[1]).toBe("Qwen/Qwen3-32B,32762123264,40960,2,4.6,warm");
  });

  test("a jq filter prints raw strings, of all fields or of chosen ones", async () => {
    expect((await anonymous(["models", "list", "--jq", ".items[].id"])).out).toBe(
      "Qwen/Qwen3-32B\nQwen/Qwen3-Coder-30B-A3B-Instruct\n",
    );
    expect((await anonymous(["models", "list", "--json", "id,state", "--jq", ".[0]"])).out).toBe(
      '{"id":"Qwen/Qwen3-32B","state":"warm"}\n',
    );
    expect((await anonymous(["models", "show", "Qwen/Qwen3-32B", "--jq", ".description"])).out).toBe("Evil \\x1b[2J\n");
  });

  test.each([
    [".items[", "is no jq filter"],
    [".items.id", "does not fit what came"],
  ])("a list rejects the filter %s", async (filter, message) => {
    const { code, out, err } = await anonymous(["models", "list", "--jq", filter]);
    expect([code, out]).toEqual([2, ""]);
    expect(JSON.parse(err).error.message).toContain(message);
  });

  test("--all reads all pages", async () => {
    const { out } = await anonymous(["models", "list", "--all", "--json"]);
    expect(JSON.parse(out).items).toHaveLength(4);
    expect(server.requests.map(({ url }) => url)).toEqual([
      "/feather/models?page=1&perPage=100",
      "/feather/models?page=2&perPage=100",
    ]);
  });

  test("FEATHER_FORCE_TTY simulates a terminal with that many columns", async () => {
    const { out } = await anonymous(["models", "list"], { env: { FEATHER_FORCE_TTY: "45", NO_COLOR: "1" } });
    expect(out.split("\n")[0]).toBe("MODEL                STATE");
  });
});

describe("wrong use exits with 2 and suggests the right use", () => {
  test.each([
    [["models", "list", "--size", "big"], "is not a range of sizes"],
    [["models", "list", "--page", "0"], "whole number between 1 and"],
    [["models", "list", "--json", "--quiet"], "exclude each other"],
    [["models", "show"], "the model's id: feather models list"],
    [["models", "lst"], "list"],
    [["chat", "--temperature", "9", "hi"], "between 0 and 2"],
    [["chat"], "there is no prompt"],
    [["keys", "delete", "key_1"], "--yes"],
    [["login"], "--email"],
    [["login", "--email", "a@b.c"], "--password-stdin"],
    [["api", "GET", "https://evil.example/"], "without the server"],
  ])("%j is rejected with exit code 2 and the right command line", async (argv, message) => {
    const { code, out, err } = await signedIn(argv);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(message);
    expect(server.requests).toEqual([]);
  });
});

describe("errors", () => {
  test("errors show the message, a hint, and the request id", async () => {
    const { code, err } = await anonymous(["models", "show", "who/knows"]);
    expect(code).toBe(3);
    expect(err).toBe(
      "error: There is no model called who/knows.\n  try:     feather models list --search <words>\n  request: req_test\n",
    );
  });

  test("errors are JSON on stderr with --json", async () => {
    const { err } = await anonymous(["models", "show", "--json", "who/knows"]);
    expect(JSON.parse(err).error).toMatchObject({ code: "model_not_found", request_id: "req_test" });
  });

  test.each<[string, string[], string]>([
    ["API errors with --json", ["models", "show", "--json", "who/knows"], "error: There is no model called who/knows."],
    ["API errors with --jq", ["models", "show", "who/knows", "--jq", ".id"], "error: There is no model called"],
    ["usage errors with --json", ["models", "list", "--json", "idd"], "error: unknown field: idd"],
    ["parser errors with --json", ["models", "list", "--json", "--nope"], "error: unknown option '--nope'"],
  ])("%s are text when stderr is a terminal", async (_, argv, message) => {
    const { err } = await anonymous(argv, { tty: true, env: { NO_COLOR: "1" } });
    expect(err).toContain(message);
    expect(err).not.toContain('{"error"');
  });

  test.each<[string, string[]]>([
    ["usage errors with --json", ["models", "list", "--json", "idd"]],
    ["usage errors with --jq", ["models", "list", "--jq", ".", "--csv"]],
    ["parser errors with --json", ["models", "list", "--json", "--nope"]],
  ])("%s are JSON when stderr is no terminal", async (_, argv) => {
    expect(JSON.parse((await anonymous(argv)).err).error).toMatchObject({ code: "usage" });
  });

  test("feather exits with 10 for an unreachable server", async () => {
    const gone = await startStubServer({});
    await gone.close();
    const argv = ["api", "GET", "/feather/models", "--base-url", gone.baseUrl];
    expect(await anonymous(argv)).toMatchObject({ code: 10, out: "" });
  });

  test("feather exits with 4 without a sign-in", async () => {
    const { code, err } = await anonymous(["keys", "list"]);
    expect(code).toBe(4);
    expect(err).toContain("try: feather login");
  });
});

test("models show escapes control characters for people and pipes", async () => {
  for (const tty of [true, false]) {
    const { out } = await anonymous(["models", "show", "Qwen/Qwen3-32B"], { tty, env: { NO_COLOR: "1" } });
    expect(out).toContain("Evil \\x1b[2J");
    expect(out).not.toContain("\u001b");
  }
});

describe("signing in", () => {
  const stored = () => JSON.parse(readFileSync(join(folder.dir, "config.json"), "utf8")).profiles.default;

  test("signing in by password stores the session until signing out", async () => {
    const argv = ["login", "--email", "maria@example.com", "--password-stdin"];
    const { code, out, err } = await anonymous(argv, { stdin: "right\n" });
    expect([code, out]).toEqual([0, ""]);
    expect(err).toContain("Signed in as maria on 127.0.0.1");
    expect(server.requests[0]?.body).toEqual({ email: "maria@example.com", password: "right" });
    await anonymous(["keys", "list"]);
    expect(server.requests.at(-1)?.authorization).toBe("Bearer ses_new");
    await anonymous(["logout"]);
    expect(server.requests.at(-1)).toMatchObject({ url: "/auth/logout", authorization: "Bearer ses_new" });
    expect((await anonymous(["whoami"])).code).toBe(4);
  });

  test("signing in with a wrong password stores nothing", async () => {
    const { code, err } = await anonymous(["login", "--email", "a@b.c", "--password-stdin"], { stdin: "wrong" });
    expect(code).toBe(4);
    expect(err).toContain("Email or password is wrong.");
    expect(stored).toThrow("ENOENT");
  });

  test("signing in with a key verifies it first, also one that may only call models", async () => {
    expect((await anonymous(["login", "--with-token"], { stdin: "rc_bad\n" })).code).toBe(4);
    expect(stored).toThrow("ENOENT");
    const { code, err } = await anonymous(["login", "--with-token"], { stdin: "rc_calls\n" });
    expect(code).toBe(0);
    expect(err).toContain("Signed in as a key on the plan Max");
    expect(stored()).toMatchObject({ secret: "rc_calls", baseUrl: server.baseUrl });
  });
});

describe("keys", () => {
  test("API keys are listed with exact times in pipes", async () => {
    const { out } = await signedIn(["keys", "list"]);
    expect(out).toBe("production\trc_wrFf…xIRT\t2026-11-21T10:00:00.000Z\t2026-11-01T12:00:00.000Z\t\tkey_1\n");
  });

  test("API keys are printed alone on stdout when they are created", async () => {
    const { out, err } = await signedIn([
      "keys",
      "create",
      "ci",
      "--scope",
      "api.access,user.read",
      "--expires",
      "2027-03-01",
    ]);
    expect(out).toBe("rc_secret\n");
    expect(err).toContain("one time");
    expect(server.requests[0]?.body).toEqual({
      name: "ci",
      scopes: ["api.access", "user.read"],
      expires_at: "2027-03-01T00:00:00.000Z",
    });
  });

  test("API keys are renamed and deleted by id", async () => {
    expect((await signedIn(["keys", "rename", "key_1", "staging"])).err).toContain("staging");
    expect((await signedIn(["keys", "delete", "key_1", "--yes"])).code).toBe(0);
    expect(server.requests.at(-1)).toMatchObject({ method: "DELETE", url: "/api-keys/key_1" });
  });
});

describe("chat with a prompt", () => {
  test("chat with a prompt prints only the answer on stdout, escaped", async () => {
    const { code, out, err } = await signedIn(["chat", "-m", "Qwen/Qwen3-32B", "why", "feathers?"]);
    expect({ code, out, err }).toEqual({ code: 0, out: "Mostly trapped \\x1b[2Jair.\n", err: "" });
  });

  test("chat with a prompt sends piped text before the prompt, with the sampling options", async () => {
    const flags = ["--system", "Be brief.", "--temperature", "0", "--max-tokens", "5", "--top-p", "0.5", "--seed", "7"];
    await signedIn(["chat", "-m", "a/b", ...flags, "--queue", "60", "Why?"], { stdin: "the log\n" });
    expect(server.requests[0]?.headers["x-queue-timeout"]).toBe("60");
    expect(server.requests[0]?.body).toMatchObject({
      model: "a/b",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "the log\n\nWhy?" },
      ],
      temperature: 0,
      max_tokens: 5,
      top_p: 0.5,
      seed: 7,
    });
  });

  test("chat with a prompt sends the models that are tried when the first cannot answer", async () => {
    await signedIn(["chat", "-m", "a/b", "--fallback", "c/d", "--fallback", "e/f", "Why?"], { stdin: "" });
    expect(server.requests[0]?.body).toMatchObject({ model: "a/b", models: ["c/d", "e/f"] });
  });

  test("chat with a prompt sends where the model may answer", async () => {
    await signedIn(["chat", "-m", "a/b", "--only", "server, groq", "--sort", "latency", "Why?"], { stdin: "" });
    expect(server.requests[0]?.body).toMatchObject({ provider: { only: ["server", "groq"], sort: "latency" } });
  });

  test("chat with a prompt sends text files with their names", async () => {
    mkdirSync(folder.dir);
    const file = join(folder.dir, "error.log");
    writeFileSync(file, "line 1\n```\nline 2\n");
    await signedIn(["chat", "-m", "a/b", "-f", file, "Why?"]);
    expect(server.requests[0]?.body).toMatchObject({
      messages: [{ role: "user", content: "error.log:\n````\nline 1\n```\nline 2\n````\n\nWhy?" }],
    });
  });

  test("chat with a prompt rejects a file that is not there", async () => {
    const { code, err } = await signedIn(["chat", "-m", "a/b", "-f", join(folder.dir, "nowhere.txt"), "Why?"]);
    expect([code, err, server.requests]).toEqual([2, expect.stringContaining("there is no such file"), []]);
  });

  test("chat with a prompt wraps the answer between words at a terminal, and leaves it as it is in a pipe", async () => {
    const argv = ["chat", "-m", "a/b", "hi"];
    const piped = await signedIn(argv);
    const { out } = await signedIn(argv, { tty: true, columns: 20, env: { NO_COLOR: "1" } });
    expect(out.replaceAll("\n", " ")).toBe(piped.out.replaceAll("\n", " "));
    for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(20);
  });

  test("chat with a prompt prints statistics on stderr at a terminal", async () => {
    const { err } = await signedIn(["chat", "-m", "a/b", "hi"], { tty: true, env: { NO_COLOR: "1" } });
    expect(err).toMatch(/^ {2}2 tokens · .*first after \d+ ms\n$/);
  });

  test.each([
    ["a real model that answers now", [buildModel({ id: "feather/guide" }), buildModel({ id: "a/b" })], "a/b"],
    [
      "the guide when there is no other",
      [buildModel({ id: "feather/demo" }), buildModel({ id: "feather/guide" })],
      "feather/guide",
    ],
    [
      "the guide when the plan allows no other",
      [buildModel({ available_on_current_plan: false }), buildModel({ id: "feather/guide" })],
      "feather/guide",
    ],
    ["what else there is without the guide", [buildModel({ id: "feather/demo" })], "feather/demo"],
  ])("chat with a prompt uses %s when no model is named", async (_case, warm, id) => {
    warmModels = warm;
    const { err } = await signedIn(["chat", "hi"], { tty: true, env: { NO_COLOR: "1" } });
    expect(server.requests.at(-1)?.body).toMatchObject({ model: id });
    expect(err.includes("answers questions about Feather, and nothing else")).toBe(id === "feather/guide");
  });

  test("text after -- is the prompt, also when it looks like a flag", async () => {
    const { out } = await signedIn(["chat", "-m", "a/b", "--", "what", "does", "--json", "Mean"]);
    expect(() => JSON.parse(out)).toThrow();
    const sent = server.requests.at(-1)?.body as { messages: { content: string }[] };
    expect(sent.messages.at(-1)?.content).toBe("what does --json Mean");
  });

  test("chat with a prompt prints the complete answer without streaming, and its JSON", async () => {
    expect((await signedIn(["chat", "-m", "a/b", "--no-stream", "hi"])).out).toBe("Whole.\n");
    const { out } = await signedIn(["chat", "-m", "a/b", "--json", "hi"]);
    expect(JSON.parse(out).choices[0].message.content).toBe("Whole.");
    expect(server.requests.at(-1)?.body).toMatchObject({ messages: [{ content: "hi" }] });
  });

  test("chat with a prompt exits silently with 130 on Ctrl-C", async () => {
    const signal = AbortSignal.abort();
    expect(await signedIn(["chat", "-m", "a/b", "hi"], { signal })).toEqual({ code: 130, out: "", err: "" });
  });
});

describe("help and version", () => {
  test("headings of help are bold at a terminal, and plain without colour", async () => {
    const argv = ["models", "list", "--help"];
    const { out } = await anonymous(argv, { tty: true, columns: 80 });
    for (const heading of ["Usage:", "Options:", "Options of all commands:", "Examples:", "Fields of --json:"])
      expect(out).toContain(`\u001b[1m${heading}\u001b[22m`);
    const plain = await anonymous(argv, { tty: true, columns: 80, env: { NO_COLOR: "1" } });
    expect(plain.out).toBe(stripVTControlCharacters(out));
    expect((await anonymous([...argv, "--no-color"], { tty: true, columns: 80 })).out).toBe(plain.out);
  });

  test("the version is printed alone", async () => {
    expect(await anonymous(["--version"])).toMatchObject({ code: 0, out: "1.2.3\n" });
  });

  test.each([
    [["help"], "Usage: feather [options] [command]"],
    [["help", "keys"], "Usage: feather keys [options] [command]"],
    [["help", "keys", "rename"], "Usage: feather keys rename [options] <key> <name>"],
    [["keys", "--help"], "Usage: feather keys [options] [command]"],
  ])("%j prints help on stdout", async (argv, usage) => {
    const { code, out, err } = await anonymous(argv);
    expect([code, out.split("\n")[0], err]).toEqual([0, usage, ""]);
  });

  test("a noun without a verb prints its help as wrong use", async () => {
    expect(await anonymous(["keys"])).toMatchObject({ code: 2, out: "", err: expect.stringContaining("rename") });
  });

  test("every command has examples", async () => {
    for (const { name, examples } of await loadAllCommands(COMMANDS)) {
      const { code, out } = await anonymous([...name.split(" "), "--help"]);
      expect(code).toBe(0);
      // A long one stands on several lines, which a shell reads as one.
      expect(out.replaceAll(/ \\\n +/g, " ")).toContain(`$ ${examples[0]}`);
    }
  });
});

test.each([60, 80, 100])("the help of the program fits a terminal of %i columns", async (columns) => {
  const { out } = await anonymous(["--help"], { tty: true, columns, env: { NO_COLOR: "1" } });
  const footer = out.slice(out.indexOf("Short:"));
  expect(footer).toContain("130 interrupted");
  for (const line of footer.split("\n")) expect(line.length).toBeLessThanOrEqual(columns);
});

test("the help of every command fits 60 columns, and breaks no word", async () => {
  const names = (await loadAllCommands(COMMANDS)).map(({ name }) => name.split(" "));
  const groups = COMMANDS.map(({ name }) => name.split(" "));
  for (const words of [[], ...groups, ...names]) {
    const { out } = await anonymous([...words, "--help"], { tty: true, columns: 60, env: { NO_COLOR: "1" } });
    expect(
      out.split("\n").filter((line) => line.length > 60),
      words.join(" "),
    ).toEqual([]);
  }
});
