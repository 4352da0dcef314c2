/** Lines that commands draw while they wait, at a real terminal and with a server whose answers the test triggers. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildModel, buildPage } from "@feather/testing/builders";
import { type StubServer, startStubServer } from "@feather/testing/stub-server";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { FEATHER } from "../support/cli.ts";
import { openTerminal } from "../support/pseudo-terminal.ts";

const home = mkdtempSync(join(tmpdir(), "feather-live-lines-"));
const CTRL_C = "\u0003";
const open: ReturnType<typeof openTerminal>[] = [];
let server: StubServer;
let answer = Promise.withResolvers<void>();

beforeAll(async () => {
  server = await startStubServer({
    "GET /.well-known/oauth-authorization-server": () => ({ body: { issuer: server.baseUrl } }),
    "POST /oauth/device": () => ({
      body: {
        device_code: "odc_1",
        user_code: "WDJB-MJHT",
        verification_uri: `${server.baseUrl}/device`,
        verification_uri_complete: `${server.baseUrl}/device?code=WDJB-MJHT`,
        expires_in: 600,
        interval: 1,
      },
    }),
    "POST /oauth/token": () => ({ status: 400, body: { error: "authorization_pending" } }),
    "GET /feather/models": async () => {
      await answer.promise;
      return { body: buildPage([buildModel({ id: "acme/bot-8b" })]) };
    },
  });
});
afterEach(() => {
  for (const terminal of open.splice(0)) terminal.kill();
  answer.resolve();
  answer = Promise.withResolvers();
  server.requests.length = 0;
});
afterAll(async () => {
  await server.close();
  rmSync(home, { recursive: true, force: true });
});

const environment = () => ({
  HOME: home,
  FEATHER_CONFIG_DIR: home,
  FEATHER_BASE_URL: server.baseUrl,
  FEATHER_API_KEY: "rc_key",
});
type Settings = { readonly env?: Record<string, string> };
function feather(argv: readonly string[], { env = {} }: Settings = {}) {
  const terminal = openTerminal(process.execPath, [FEATHER, ...argv], { env: { ...environment(), ...env } });
  open.push(terminal);
  return terminal;
}
/** Runs a script in which `$feather` is the program. */
function shell(script: string) {
  const env = { ...environment(), feather: `${process.execPath} ${FEATHER}` };
  const terminal = openTerminal("sh", ["-c", script], { env });
  open.push(terminal);
  return terminal;
}

test("says what is waited for, and leaves nothing of it on the screen", async () => {
  const terminal = shell("echo before; $feather models list --json id; echo after");
  await terminal.waitForText("Waiting for the server, 1 s");
  answer.resolve();
  expect(await terminal.ended()).toBe(0);
  expect(terminal.text()).toBe('before\n[\n  {\n    "id": "acme/bot-8b"\n  }\n]\nafter');
  // The cursor, which was hidden while the line was drawn, is back.
  expect(terminal.raw().lastIndexOf("\u001b[?25h")).toBeGreaterThan(terminal.raw().lastIndexOf("\u001b[?25l"));
});

test.each([
  ["the code is entered on another device", "--device", "WDJB-MJHT", "Waiting for the code to be entered"],
  ["the person signs in with the browser", "--browser", "to sign in:", "Waiting for the browser"],
])("says until %s that this is waited for, and leaves nothing of it", async (_, flag, shown, waiting) => {
  const terminal = feather(["login", flag], { env: { FEATHER_API_KEY: "" } });
  await terminal.waitForText(shown);
  await terminal.waitForText(`${waiting}, 2 s`);
  terminal.typeKeys(CTRL_C);
  expect(await terminal.ended()).toBe(130);
  expect(terminal.text()).toContain(shown);
  expect(terminal.text()).not.toContain("Waiting");
});

test("leaves nothing on the screen when it is interrupted", async () => {
  const terminal = feather(["models", "list"]);
  await terminal.waitForText("Waiting for the server");
  terminal.typeKeys(CTRL_C);
  expect(await terminal.ended()).toBe(130);
  expect(terminal.text()).not.toContain("Waiting");
});

test("does not change a result that goes into a file", async () => {
  const file = join(home, "models.json");
  const terminal = shell(`$feather models list --json id > ${file}`);
  await terminal.waitForText("Waiting for the server");
  answer.resolve();
  expect(await terminal.ended()).toBe(0);
  expect(terminal.text()).toBe("");
  expect(readFileSync(file, "utf8")).toBe('[{"id":"acme/bot-8b"}]\n');
});

test.each<[string, string[], Record<string, string>]>([
  ["in CI", ["--json", "id", "--jq", ".[].id"], { CI: "1" }],
  ["at a dumb terminal", ["--json", "id", "--jq", ".[].id"], { TERM: "dumb" }],
  ["for a coding agent", ["--json", "id", "--jq", ".[].id"], { AI_AGENT: "1" }],
  ["with --quiet", ["--quiet"], {}],
])("is not shown %s", async (_, flags, env) => {
  const terminal = feather(["models", "list", ...flags], { env });
  await expect.poll(() => server.requests.length).toBe(1);
  // A later command shows its line, so that the first one would have shown one by now.
  await feather(["models", "list"]).waitForText("Waiting for the server");
  answer.resolve();
  expect(await terminal.ended()).toBe(0);
  expect(terminal.raw()).toBe("acme/bot-8b\r\n");
});
