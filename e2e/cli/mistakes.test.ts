/** What a person sees at a real terminal who mistypes, whose proxy is away, or whose key is wrong; and that pipelines read. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildDeployment, buildModel, buildPage, buildUser } from "@feather/testing/builders";
import { formatChunk, formatEvent, formatUsage } from "@feather/testing/chat-events";
import { errorResponse } from "@feather/testing/errors";
import { type StubServer, startStubServer } from "@feather/testing/stub-server";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { FEATHER } from "../support/cli.ts";
import { openTerminal } from "../support/pseudo-terminal.ts";

const home = mkdtempSync(join(tmpdir(), "feather-mistakes-"));
const open: ReturnType<typeof openTerminal>[] = [];
const [ONE, TWO, PUBLIC] = ["one.yaml", "two.yaml", "public.yaml"].map((name) => join(home, name)) as [
  string,
  string,
  string,
];
const ANSWER = `${formatChunk({ content: "Mostly air." })}${formatChunk({}, "stop")}${formatUsage({ prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 })}${formatEvent("[DONE]")}`;
const BUSY_MESSAGE =
  "All units are in use. Try again when a request has ended, or send x-queue-timeout to wait your turn.";
const CTRL_C = "\u0003";
let server: StubServer;

beforeAll(async () => {
  const page = buildPage([buildModel({ id: "a/b" })], 139);
  server = await startStubServer({
    "GET /feather/models": ({ url }) => ({
      body: url.includes("page=99")
        ? { items: [], pagination: { ...page.pagination, current_page: 99 } }
        : url.includes("min_params")
          ? buildPage([])
          : page,
    }),
    "GET /feather/models/a%2Fb": () => ({ body: buildModel({ id: "a/b" }) }),
    "GET /feather/models/a%2Fc": () => errorResponse(404, "model_not_found", "There is no model a/c."),
    "GET /auth/me": ({ authorization }) =>
      authorization === "Bearer oat_admin"
        ? { body: buildUser({ is_admin: true }) }
        : errorResponse(403, "key_scope_denied", "This credential lacks the scope user.read."),
    "GET /admin/settings": () => errorResponse(404, "not_found", "Not found"),
    "GET /admin/users": () => errorResponse(404, "not_found", "Not found"),
    "GET /v1/plan": () => ({ body: { id: "max", name: "Max", concurrency: 8 } }),
    "GET /feather/stats": () => ({ body: { model_count: 1 } }),
    "GET /feather/private-cloud/deployments": () => ({
      body: buildPage([buildDeployment(), buildDeployment({ id: "dep_2", name: "old-bot", visibility: "public" })]),
    }),
    "GET /feather/private-cloud/deployments/dep_1": () => ({ body: buildDeployment() }),
    "GET /feather/private-cloud/deployment-providers": () => ({
      body: {
        items: [
          {
            id: "local",
            name: "This machine",
            regions: [{ id: "here", name: "Here" }],
            instance_types: [{ id: "cpu", gpu: null, gpu_count: 0, vram_gb: 0, nodes: 1, hourly_nano_usd: "0" }],
            available: true,
            reason: null,
          },
        ],
      },
    }),
    "PUT /feather/private-cloud/deployments/dep_1": () => ({ body: buildDeployment() }),
    "DELETE /feather/private-cloud/deployments/dep_2": () => ({ status: 204 }),
    "POST /api-keys": ({ body }) => ({ status: 201, body: { ...(body as object), id: "key_1", secret: "rc_secret" } }),
    "POST /oauth/token": () => ({ status: 400, body: { error: "invalid_grant", error_description: "It has ended." } }),
    "POST /v1/chat/completions": ({ body }) =>
      (body as { model: string }).model === "a/busy"
        ? {
            ...errorResponse(429, "concurrency_limit_exceeded", BUSY_MESSAGE),
            headers: { "retry-after-ms": "1000", "x-should-retry": "true" },
          }
        : { headers: { "content-type": "text/event-stream" }, body: ANSWER },
  });
  const place = "provider_id: local\nregion: here\ninstance_type: cpu\n";
  writeFileSync(ONE, `name: support-bot\n${place}model_id: acme/support-8b\nmin_replicas: 2\nmax_replicas: 3\n`);
  writeFileSync(TWO, `name: new-bot\n${place}model_id: a/c\n`);
  writeFileSync(PUBLIC, `name: old-bot\n${place}model_id: acme/support-8b\n`);
  mkdirSync(join(home, "folder"));
});
beforeEach(() => {
  server.requests.length = 0;
});
afterEach(() => {
  for (const terminal of open.splice(0)) terminal.kill();
});
afterAll(async () => {
  await server.close();
  rmSync(home, { recursive: true, force: true });
});

type Variables = Readonly<Record<string, string>>;
/** Runs a command line at a terminal of 200 columns; returns its exit code and the text on the screen. */
async function run(line: string | readonly string[], env: Variables = {}) {
  const terminal = openTerminal(process.execPath, [FEATHER, ...(typeof line === "string" ? line.split(" ") : line)], {
    columns: 200,
    env: {
      HOME: home,
      FEATHER_CONFIG_DIR: join(home, "config"),
      FEATHER_CACHE_DIR: join(home, "cache"),
      FEATHER_BASE_URL: server.baseUrl,
      FEATHER_API_KEY: "rc_key",
      ...env,
    },
  });
  open.push(terminal);
  const code = await terminal.ended();
  return { code, text: terminal.text(), raw: terminal.raw() };
}

describe("a mistake on the command line", () => {
  test.each([
    ["models list --json foo", "error: unknown field: foo"],
    ["keys rm x", "try: feather keys delete"],
    ["keys shwo", "close: show"],
    ["keys nothing-like-it", "try:   feather keys --help"],
    ["logs", "feather deployments logs <name>"],
    ["update", "npm install -g <address of your server>/cli.tgz"],
    ["deploy", "feather deployments create"],
    ["list", "feather models list"],
    ["version", "feather --version"],
    ["-v", "feather --version"],
    ["config", "feather profile list"],
    ["--base-url localhost:4301 models list", "--base-url http://localhost:4301"],
    [`deployments apply -f ${home}/folder --dry-run`, "it is a folder"],
  ])("%s exits with 2 and says in words what would work", async (line, expected) => {
    const { code, text } = await run(line);
    expect([code, text.replaceAll(/ +/g, " ")]).toEqual([2, expect.stringContaining(expected.replaceAll(/ +/g, " "))]);
    expect(text).not.toMatch(/^\{/m);
  });

  test("models list --warm lists the models that answer now", async () => {
    expect((await run("models list --warm")).text).toMatch(/a\/b .*40Ki/);
    expect(server.requests[0]?.url).toContain("availability=warm");
  });

  test("what follows -- is the prompt, flags or not", async () => {
    expect((await run("chat -m a/b -- what does --json Mean")).text).toContain("Mostly air.");
    const [request] = server.requests.filter(({ method }) => method === "POST");
    expect(request?.body).toMatchObject({ messages: [{ content: "what does --json Mean" }] });
  });

  test("a shell completes the fields of --json", async () => {
    expect((await run(["complete", "--", "models", "list", "--json", ""])).text).toMatch(/^id\n?\s*name/m);
  });

  test.each([
    ["models list --page 99", 0, "none on page 99"],
    ["models list --size 15B", 0, "exactly 15B parameters"],
    ["keys create ci --expires 30d", 0, "rc_secret"],
    ["api /feather/stats", 0, "model_count"],
  ])("%s ends with %i and says %s", async (line, expected, words) => {
    const { code, text } = await run(line);
    expect([code, text]).toEqual([expected, expect.stringContaining(words)]);
  });

  test.each(["/v1", "/api/v1"])(
    "an address that ends in %s, as other clients have it, is that of the server",
    async (path) => {
      const { code } = await run("models list", { FEATHER_BASE_URL: `${server.baseUrl}${path}` });
      expect(code).toBe(0);
    },
  );

  test("JSON and headings of help have colours, and plain text without them", async () => {
    expect((await run("models list --json id")).raw).toContain("\u001b[");
    expect((await run("--help")).raw).toContain("\u001b[1m");
    expect((await run("--help", { NO_COLOR: "1" })).raw).not.toContain("\u001b[");
  });
});

test("a refusal because all units are in use is repeated aloud, and names the flag that waits", async () => {
  const { code, text } = await run("chat -m a/busy why?");
  expect(code).toBe(7);
  expect(text).toContain("rying again");
  expect(text).toContain("--queue 60");
  expect(text).not.toContain("x-queue-timeout");
});

test("a password for another machine without TLS is warned about before it is typed", async () => {
  const terminal = openTerminal(process.execPath, [FEATHER, "login", "--email", "maria@example.com"], {
    columns: 120,
    env: { HOME: home, FEATHER_CONFIG_DIR: join(home, "config"), FEATHER_BASE_URL: "http://feather.example" },
  });
  open.push(terminal);
  await terminal.waitForText("Password:");
  expect(terminal.text()).toContain("Everybody on the way to feather.example can read the password");
  terminal.typeKeys(CTRL_C);
  expect(await terminal.ended()).toBe(130);
});

describe("a credential", () => {
  test("that has ended does not hide what everybody may see", async () => {
    const config = mkdtempSync(join(home, "config-"));
    const tokens = { secret: "oat_ended", refreshToken: "ort_ended", expiresAt: "2020-01-01T00:00:00Z" };
    const profiles = { default: { baseUrl: server.baseUrl, ...tokens } };
    writeFileSync(join(config, "config.json"), JSON.stringify({ profiles }), { mode: 0o600 });
    const { code, text } = await run("models list", { FEATHER_CONFIG_DIR: config, FEATHER_API_KEY: "" });
    expect([code, text]).toEqual([0, expect.stringContaining("a/b")]);
  });

  test.each(["whoami", "doctor"])(
    "that is a shortened key is named by %s, and not taken for a wrong address",
    async (line) => {
      const { code, text } = await run(line, { FEATHER_API_KEY: "rc_wrFf…xIRT" });
      expect(code).toBe(line === "whoami" ? 4 : 1);
      expect(text).toMatch(/key/i);
      expect(text).not.toMatch(/cannot be reached|ERR_INVALID_CHAR|check the address/);
    },
  );

  test("that may only call models is a success for whoami", async () => {
    const { code, text } = await run("whoami");
    expect([code, text]).toEqual([0, expect.stringContaining("Max")]);
  });

  test("of an admin who signed in by browser may not administer, which says how to sign in for that", async () => {
    const config = mkdtempSync(join(home, "config-"));
    const tokens = { secret: "oat_admin", refreshToken: "ort_1", expiresAt: "2099-01-01T00:00:00Z" };
    const profiles = { default: { baseUrl: server.baseUrl, ...tokens } };
    writeFileSync(join(config, "config.json"), JSON.stringify({ profiles }), { mode: 0o600 });
    const { code, text } = await run("admin users list", { FEATHER_CONFIG_DIR: config, FEATHER_API_KEY: "" });
    expect(code).toBe(4);
    expect(text).toContain("feather login --email maria@example.com");
  });

  test("names the program to the server", async () => {
    await run("models list");
    expect(server.requests[0]?.headers["user-agent"]).toMatch(/^feather/);
  });
});

describe("a proxy that is away", () => {
  test.each([["http://127.0.0.1:9"], ["127.0.0.1:9"]])("is named as %s, and not the server", async (proxy) => {
    const env = { HTTP_PROXY: proxy, FEATHER_BASE_URL: "http://feather.example" };
    const { code, text } = await run("models list", env);
    expect(code).toBe(10);
    expect(text).toContain("proxy");
    expect(text).toContain("127.0.0.1:9");
    expect(text).not.toContain("Invalid URL");
  });

  test("fails the check of doctor that is about the proxy", async () => {
    const env = { HTTP_PROXY: "http://127.0.0.1:9", FEATHER_BASE_URL: "http://feather.example" };
    const { text } = await run("doctor", env);
    expect(text).toMatch(/^fail +proxy .*127\.0\.0\.1:9/m);
  });
});

describe("deployments of files", () => {
  test("every file counts, and --prune keeps what any of them names", async () => {
    const { text } = await run(`deployments apply -f ${ONE} -f ${PUBLIC} --prune --dry-run`);
    expect(text).toMatch(/support-bot +update +replicas/);
    expect(text).toMatch(/old-bot +unchanged/);
    expect(text).not.toContain("delete");
  });

  test("a dry run asks the server, and changes nothing", async () => {
    const { code, text } = await run(`deployments apply -f ${TWO} --dry-run`);
    expect([code, text]).toEqual([3, expect.stringContaining("There is no model a/c.")]);
    expect(server.requests.every(({ method }) => method === "GET")).toBe(true);
  });

  test("a dry run signals differences, also those that no file names", async () => {
    expect(await run(`deployments apply -f ${ONE} --dry-run --exit-code`)).toMatchObject({ code: 6 });
    const { code, text } = await run(`deployments apply -f ${PUBLIC} --dry-run --exit-code`);
    expect([code, text]).toEqual([0, expect.stringContaining("old-bot is public, which its file does not say.")]);
  });

  test("a plan is as readable in CI as elsewhere, and ids of deleted deployments are not among the results", async () => {
    const results = join(home, "results.txt");
    const feather = `'${process.execPath}' '${FEATHER}'`;
    const plan = await run(`deployments apply -f ${ONE} --dry-run`, { CI: "true" });
    expect(plan.text).toMatch(/support-bot\s+update\s+.*replicas .* → /);
    const terminal = openTerminal(
      "sh",
      ["-c", `${feather} deployments apply -f ${ONE} --prune --yes > ${results}; cat ${results}`],
      {
        env: { HOME: home, FEATHER_BASE_URL: server.baseUrl, FEATHER_API_KEY: "rc_key", CI: "true" },
      },
    );
    open.push(terminal);
    await terminal.ended();
    expect(terminal.text()).toContain("dep_1");
    expect(terminal.text()).not.toContain("dep_2");
  });
});
