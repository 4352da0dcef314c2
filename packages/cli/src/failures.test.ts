import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, createServer as createSocketServer, type Server } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ErrorCode } from "@feather/sdk";
import { buildAvailability, buildModel, buildPage } from "@feather/testing/builders";
import { SELF_SIGNED } from "@feather/testing/certificate";
import { errorResponse } from "@feather/testing/errors";
import type { StubResponse } from "@feather/testing/stub";
import { startStubServer } from "@feather/testing/stub-server";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { apiKey, user } from "./testing/fixtures.ts";
import { createConfigFolder, type RunOptions, runCli } from "./testing/run-cli.ts";

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));
const EVIL =
  "\u001b[31mred\u001b]0;title\u0007\u001b]8;;https://evil.example\u0007link\u001b]52;c;ZXZpbA==\u0007\u009b2J\u202eexe\u2066x\rover";
/** Characters that a terminal acts on, but for the end of a line and the tab. */
const isHarmful = (text: string): boolean =>
  /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(text.replace(/[\t\n]/g, ""));

let server: Awaited<ReturnType<typeof startStubServer>>;
let folder: ReturnType<typeof createConfigFolder>;
/** What the server answers to `models show`. */
let shown: StubResponse = { body: {} };

beforeAll(async () => {
  server = await startStubServer({
    "GET /feather/models/a%2Fb": () => shown,
    "GET /feather/models": () => ({
      body: buildPage(
        [
          {
            ...buildModel({ id: `o/${EVIL}`, name: EVIL, description: EVIL }),
            availability: { ...buildAvailability(), tier: EVIL },
          },
        ],
        139,
      ),
    }),
    "GET /api-keys": () => ({ body: buildPage([{ ...apiKey, name: EVIL, prefix: EVIL, id: EVIL }]) }),
    "GET /auth/me": () => ({ body: { ...user, username: EVIL, organization: { ...user.organization, name: EVIL } } }),
    "GET /v1/plan": () => ({ body: { id: "max", name: EVIL, concurrency: 8 } }),
    "POST /v1/chat/completions": () => ({
      headers: { "content-type": "text/event-stream" },
      body: `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: EVIL }, finish_reason: null }] })}\n\n`,
    }),
    "POST /api-keys": () => ({ status: 201, body: { ...apiKey, name: EVIL, id: EVIL, secret: EVIL } }),
  });
});
afterAll(() => server.close());
beforeEach(() => {
  folder = createConfigFolder();
});
afterEach(() => folder.remove());

const KEY = { FEATHER_API_KEY: "rc_key" };
const run = (argv: string[], settings: RunOptions = {}) =>
  runCli(argv, { FEATHER_BASE_URL: server.baseUrl, FEATHER_CONFIG_DIR: folder.dir, LANG: "C.UTF-8", ...KEY }, settings);
const show = ["models", "show", "a/b"];

describe("exit codes of server errors", () => {
  const refuses = (status: number, code: ErrorCode, details = {}) =>
    errorResponse(status, code, "What the server says.", details);
  test.each<[string, StubResponse, number, string]>([
    ["a request that is not valid", refuses(400, "invalid_request"), 2, "What the server says."],
    ["nobody signed in", refuses(401, "unauthorized"), 4, "feather login"],
    ["no credit left", refuses(402, "insufficient_credits"), 7, "What the server says."],
    [
      "a bank that wants to be asked",
      refuses(402, "payments.authentication_required", { url: "https://bank.example/confirm" }),
      7,
      "open: https://bank.example/confirm",
    ],
    ["something not allowed", refuses(403, "key_scope_denied"), 4, "a key with that scope"],
    ["a plan that is too small", refuses(403, "model_not_on_plan"), 7, "a larger plan"],
    ["a model id with a typo", refuses(404, "model_not_found", { suggestions: ["a/c"] }), 3, "close: a/c"],
    ["something that is gone", refuses(410, "invitations.ended"), 3, "What the server says."],
    ["a conflict", refuses(409, "deployments.name_taken"), 6, "What the server says."],
    ["a version that moved", refuses(412, "changed_meanwhile"), 6, "What the server says."],
    ["something too large", refuses(413, "payload_too_large"), 2, "What the server says."],
    [
      "fields that are not valid",
      refuses(422, "private_models.incompatible", { fields: [{ field: "name", message: "is taken" }] }),
      2,
      "is taken",
    ],
    ["all units in use", refuses(429, "concurrency_limit_exceeded"), 7, "--queue 60"],
    ["too many requests", refuses(429, "rate_limit_exceeded"), 7, "What the server says."],
    [
      "a server that wants a long wait",
      { ...refuses(503, "hub.unavailable"), headers: { "retry-after": "60" } },
      9,
      "wait: 60 s, says the server",
    ],
    ["a fault of the server", refuses(500, "internal_error"), 9, "request: req_test"],
    ["a fault behind it", refuses(502, "upstream_error"), 9, "What the server says."],
    ["a model that is loading", refuses(503, "model_loading"), 9, "What the server says."],
    ["a backend that is too slow", refuses(504, "upstream_timeout"), 9, "What the server says."],
    ["a status that nobody knows", refuses(418, "a_code_of_tomorrow" as ErrorCode), 1, "What the server says."],
    [
      "a web page with an error",
      { status: 404, headers: { "content-type": "text/html" }, body: "<html>" },
      3,
      "Check the base URL",
    ],
  ])("%s", async (_, answer, code, message) => {
    shown = answer;
    const result = await run(show);
    expect([result.code, result.out]).toEqual([code, ""]);
    expect(result.err.replace(/ +/g, " ")).toContain(message);
    // The same for programs: one line of JSON on stderr, with the code of the error.
    const { err } = await run([...show, "--json"]);
    expect(JSON.parse(err)).toEqual({
      error: expect.objectContaining({ code: expect.any(String), message: expect.any(String) }),
    });
  });

  test.each<[string, StubResponse]>([
    [
      "a web page instead of JSON",
      { headers: { "content-type": "text/html" }, body: "<!doctype html><title>Another site</title>" },
    ],
    ["JSON that is cut off", { body: '{"id":"a/b","name":' }],
  ])("the exit code reports %s as a server error", async (_, answer) => {
    shown = answer;
    const { code, out, err } = await run(show);
    expect([code === 0, out]).toEqual([false, ""]);
    expect(err).toMatch(/^error: .*(web page|JSON)/);
    expect(err).toContain("--base-url");
    expect(err).not.toContain("Unexpected token");
  });
});

describe("exit codes of connection errors", () => {
  const sockets: Server[] = [];
  afterEach(() => {
    for (const one of sockets.splice(0)) one.close();
  });
  const listening = async (one: Server): Promise<string> => {
    await new Promise<void>((resolve) => one.listen(0, "127.0.0.1", resolve));
    sockets.push(one);
    return `127.0.0.1:${(one.address() as AddressInfo).port}`;
  };

  test("a refused connection exits with 10", async () => {
    const { code, err } = await run(["api", "GET", "/auth/me", "--base-url", "http://127.0.0.1:4"]);
    expect([code, err]).toEqual([10, expect.stringContaining("nothing listens at that address and port")]);
  });

  test("an unknown host exits with 10", async () => {
    const { code, err } = await run([...show, "--base-url", "http://feather.invalid"]);
    expect([code, err]).toEqual([10, expect.stringMatching(/no machine has that name|cannot be looked up/)]);
  });

  test("a server without TLS exits with 10", async () => {
    const address = await listening(createSocketServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")));
    const { code, err } = await run(["api", "GET", "/auth/me", "--base-url", `https://${address}`]);
    expect([code, err]).toEqual([10, expect.stringContaining("does not speak TLS")]);
  });

  test("a self-signed certificate exits with 10", async () => {
    const address = await listening(createSecureServer(SELF_SIGNED, (_, response) => response.end("{}")));
    for (const argv of [["api", "GET", "/auth/me"], show]) {
      const { code, err } = await run([...argv, "--base-url", `https://${address}`]);
      expect([code, err]).toEqual([10, expect.stringContaining("certificate is signed by itself")]);
      expect(err).toContain("NODE_EXTRA_CA_CERTS");
    }
  });

  test("a certificate that is not accepted is tried once", async () => {
    let attempts = 0;
    const secure = createSecureServer(SELF_SIGNED, (_, response) => response.end("{}"));
    secure.on("connection", () => {
      attempts += 1;
    });
    const address = await listening(secure);
    await run([...show, "--base-url", `https://${address}`]);
    expect(attempts).toBe(1);
  });

  test("a password that anybody could read on the way is warned about before it is sent", async () => {
    const argv = ["login", "--email", "a@b.example", "--password-stdin", "--base-url", "http://feather.invalid"];
    const { err } = await run(argv, { stdin: "right\n" });
    expect(err).toContain("Everybody on the way to feather.invalid can read the password");
    const local = await run([...argv.slice(0, 4), "--base-url", "http://127.0.0.1:4"], { stdin: "right\n" });
    expect(local.err).not.toContain("can read the password");
  });

  test("a reset connection exits with 10", async () => {
    const address = await listening(createSocketServer((socket) => socket.once("data", () => socket.destroy())));
    const { code, err } = await run(["api", "GET", "/auth/me", "--base-url", `http://${address}`]);
    expect([code, err]).toEqual([10, expect.stringContaining("the connection was cut")]);
  });

  test("a proxy that requires a password exits with 10", async () => {
    const proxy = createServer((_, response) => response.writeHead(407, { "proxy-authenticate": "Basic" }).end());
    proxy.on("connect", (_, socket) => socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"));
    const address = await listening(proxy);
    for (const name of ["HTTP_PROXY", "HTTPS_PROXY"]) {
      const target = name === "HTTP_PROXY" ? "http://feather.example" : "https://feather.example";
      const { code, err } = await run(["api", "GET", "/auth/me", "--base-url", target], {
        env: { [name]: `http://${address}` },
      });
      expect([code, err]).toEqual([10, expect.stringContaining("the proxy wants a name and a password (407)")]);
    }
  });

  test("an answer that is cut off exits with 10", async () => {
    const { code, out, err } = await run(["chat", "-m", "a/b", "hi"]);
    expect([code, out.length > 0]).toEqual([10, true]);
    expect(err).toContain("cut off");
  });
});

describe("wrong use exits with 2 and suggests the right use", () => {
  test.each<[string[], string]>([
    [["modles"], "models"],
    [["models", "lst"], "list"],
    [["models", "list", "--serach", "x"], "--search"],
    [["models", "list", "--sort", "best"], "-trending_rank"],
    [["models", "list", "--limit", "many"], "whole number"],
    [["models", "list", "--json", "idd"], "id, input_modalities"],
    [["models", "list", "--json", "--csv"], "exclude each other"],
    [["models", "list", "--format", "xml"], "human, plain, agent"],
    [["models", "show"], "the model's id: feather models list"],
    [["models", "reviews", "list"], "the model's id: feather models list"],
    [["keys", "rename", "ci"], "missing required argument 'name': what it is called from now on"],
    [["keys", "rename", "ci"], "try: feather keys rename <key> <name>"],
    [["admin", "deployments", "redeploy"], "try: feather admin deployments redeploy <ids...>"],
    [["models", "show", "a/b", "c/d"], "too many arguments"],
    [["models", "list", "--base-url", "feather.example"], "--base-url https://feather.example"],
    [["keys", "delete", "key_1"], "--yes"],
    [["login"], "--device"],
    [["chat"], "there is no prompt"],
    [["models", "list", "--profile", "nowhere"], "feather login --profile nowhere"],
  ])("%j is rejected with exit code 2 and the right use", async (argv, message) => {
    server.requests.length = 0;
    const { code, out, err } = await run(argv);
    expect([code, out, server.requests]).toEqual([2, "", []]);
    expect(err).toContain(message);
  });
});

describe("text from a server cannot control the terminal", () => {
  test.each<[string[]]>([
    [["models", "list"]],
    [["models", "list", "--format", "agent"]],
    [["models", "list", "--json"]],
    [["models", "list", "--jq", ".items[].name"]],
    [["models", "list", "-q"]],
    [["models", "list", "--csv"]],
    [["keys", "list"]],
    [["keys", "create", "x"]],
    [["whoami"]],
    [["whoami", "--json"]],
    [["api", "GET", "/auth/me"]],
    [["chat", "-m", "a/b", "hi"]],
    [["login", "--with-token"]],
    [["doctor"]],
  ])("text from a server cannot control the terminal in %j", async (argv) => {
    for (const tty of [true, false]) {
      const { out, err } = await run(argv, {
        tty,
        columns: 200,
        env: { NO_COLOR: "1" },
        stdin: argv[0] === "login" ? "rc_x" : "",
      });
      for (const line of (out + err).replaceAll("\r\n", "\n").split("\n")) expect(isHarmful(line), line).toBe(false);
    }
  });

  test("error messages of a server cannot control the terminal", async () => {
    shown = errorResponse(500, EVIL as ErrorCode, EVIL, {
      suggestions: [EVIL],
      fields: [{ field: EVIL, message: EVIL }],
    });
    for (const argv of [show, [...show, "--json"]])
      for (const line of (await run(argv)).err.split("\n")) expect(isHarmful(line), line).toBe(false);
  });
});

describe("the program as a process", () => {
  type Ended = { readonly code: number | null; readonly out: string; readonly err: string };
  /** Makes every write to stdout fail as it does on a full disk, on every machine. */
  const FULL_DISK = `data:text/javascript,${encodeURIComponent(`
    const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    process.stdout._write = (part, encoding, done) => done(full);
    process.stdout._writev = (parts, done) => done(full);
  `)}`;
  const start = (
    argv: string[],
    stdio: ("pipe" | "ignore")[] = ["ignore", "pipe", "pipe"],
    ofNode: readonly string[] = [],
  ) =>
    spawn(process.execPath, [...ofNode, MAIN, ...argv], {
      env: { PATH: process.env.PATH, FEATHER_BASE_URL: server.baseUrl, FEATHER_CONFIG_DIR: folder.dir, ...KEY },
      stdio,
    });
  const ended = (child: ReturnType<typeof start>) =>
    new Promise<Ended>((resolve) => {
      const printed = { out: "", err: "" };
      child.stdout?.on("data", (part: Buffer) => (printed.out += part.toString()));
      child.stderr?.on("data", (part: Buffer) => (printed.err += part.toString()));
      child.once("close", (code) => resolve({ code, ...printed }));
    });

  test("a closed pipe ends the program silently", async () => {
    const child = start(["models", "list", "--json"]);
    child.stdout?.destroy();
    expect(await ended(child)).toEqual({ code: 0, out: "", err: "" });
  });

  test("a full disk is reported", async () => {
    const { code, err } = await ended(start(["models", "list", "--json"], undefined, ["--import", FULL_DISK]));
    expect([code, err]).toEqual([1, expect.stringMatching(/^error: the result could not be written .*no space left/)]);
  });

  test("a configuration file that cannot be written is named", async () => {
    mkdirSync(folder.dir, { recursive: true });
    writeFileSync(join(folder.dir, "file"), "");
    const { code, err } = await run(["login", "--with-token"], {
      stdin: "rc_x",
      env: { FEATHER_CONFIG_DIR: join(folder.dir, "file") },
    });
    expect([code, err]).toEqual([2, expect.stringContaining("file")]);
    expect(readFileSync(join(folder.dir, "file"), "utf8")).toBe("");
  });

  test("Ctrl-C exits with 130", async () => {
    const hanging = createServer(() => {});
    await new Promise<void>((resolve) => hanging.listen(0, "127.0.0.1", resolve));
    const requested = new Promise((resolve) => hanging.once("request", resolve));
    const child = start([
      "models",
      "list",
      "--base-url",
      `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`,
    ]);
    const end = ended(child);
    await requested;
    child.kill("SIGINT");
    expect(await end).toEqual({ code: 130, out: "", err: "" });
    hanging.closeAllConnections();
    hanging.close();
  });

  test("a closed stdin counts as empty", async () => {
    const { code, err } = await ended(start(["login", "--with-token"]));
    expect([code, err]).toEqual([2, expect.stringContaining("no token came on stdin")]);
  });
});
