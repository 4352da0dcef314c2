import { PassThrough } from "node:stream";
import { buildPage } from "@feather/testing/builders";
import { type StubServer, startStubServer } from "@feather/testing/stub-server";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { readEnvironment } from "../config/environment.ts";
import { measureAsciiWidth } from "../output/width.ts";
import type { Choice } from "../prompts.ts";
import { createContext } from "../start/create-context.ts";
import { createMemoryStream, NO_PROGRAMS, NOW } from "../testing/run-cli.ts";
import { loadAllCommands } from "./command-group.ts";
import { COMMANDS } from "./registry.ts";

const commands = await loadAllCommands(COMMANDS);
let server: StubServer;

const pull = { id: "pull_2", model_id: "acme/b", state: "downloading", bytes_done: 1, bytes_total: null, error: null };
const endpoint = { id: "whk_1", url: "https://acme.example/hook", disabled_reason: null, first_failed_at: null };

beforeAll(async () => {
  server = await startStubServer({
    "GET /admin/store/models": () => ({ body: { items: [{ model_id: "acme/stored", bytes: 4e9 }] } }),
    "GET /admin/model-host": () => ({ body: { models: [{ model_id: "acme/loaded", memory_bytes: 4e9 }] } }),
    "GET /admin/store/pulls": () => ({ body: { items: [{ ...pull, id: "pull_1", state: "done" }, pull] } }),
    "GET /feather/private-models": () => ({
      body: { items: [{ id: "acme/own", state: "ready", progress: null, error: null }] },
    }),
    "GET /webhooks": () => ({ body: { items: [endpoint] } }),
    "GET /admin/backends": () => ({ body: { items: [{ id: "backend_1", name: "one", base_url: "http://one/v1" }] } }),
    "GET /admin/invitations": () => ({
      body: buildPage([{ id: "invite_1", email: "maria@example.com", created_at: NOW.toISOString() }]),
    }),
    "GET /admin/models": () => ({ body: buildPage([{ id: "acme/hidden", status: "pending_deploy" }]) }),
  });
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
});

/**
 * Runs a command at a terminal where the person confirms and chooses the first item. Returns the labels of the items.
 */
async function runAndChoose(name: string, flags: Record<string, unknown> = {}): Promise<readonly string[]> {
  const command = commands.find((one) => one.name === name);
  if (command === undefined) throw new Error(`There is no command ${name}.`);
  const io = {
    stdin: Object.assign(new PassThrough(), { isTTY: true }),
    stdout: createMemoryStream(true, 100),
    stderr: createMemoryStream(true, 100),
    env: readEnvironment({ FEATHER_BASE_URL: server.baseUrl, FEATHER_API_KEY: "rc_key" }, "linux"),
  };
  const globalFlags = {
    json: undefined,
    loadJqFilter: undefined,
    template: undefined,
    quiet: false,
    csv: false,
    format: undefined,
    color: false,
    debug: false,
    input: true,
    yes: true,
    baseUrl: undefined,
    profile: undefined,
  };
  const context = createContext(
    io,
    {
      flags: globalFlags,
      argv: name.split(" "),
      filter: undefined,
      measure: measureAsciiWidth,
      allowsNewProfile: false,
      version: "1.2.3",
    },
    {
      signal: new AbortController().signal,
      now: () => NOW,
      sleep: async () => {},
      openUrl: async () => false,
      programs: NO_PROGRAMS,
    },
  );
  let offered: readonly string[] = [];
  const pick = async <T>(_: string, choices: readonly Choice<T>[]): Promise<T> => {
    offered = choices.map(({ label }) => label);
    const [first] = choices;
    if (first === undefined) throw new Error("Nothing is offered.");
    return first.value;
  };
  // The stub knows only the lists: the call with the chosen id is answered with an error, and recorded.
  await command.execute({ ...context, pick }, [], flags).catch(() => {});
  return offered;
}

test.each([
  ["rm", ["acme/stored"], "DELETE /admin/store/models/acme%2Fstored"],
  ["stop", ["acme/loaded"], "POST /admin/models/acme%2Floaded/unload"],
  ["models pin", ["acme/stored"], "PUT /admin/store/models/acme%2Fstored"],
  ["models unpin", ["acme/stored"], "PUT /admin/store/models/acme%2Fstored"],
  ["models pulls cancel", ["acme/b"], "DELETE /admin/store/pulls/pull_2"],
  ["models pulls pause", ["acme/b"], "POST /admin/store/pulls/pull_2/pause"],
  ["models pulls resume", ["acme/b"], "POST /admin/store/pulls/pull_2/resume"],
  ["private-models show", ["acme/own"], "GET /feather/private-models/acme%2Fown"],
  ["private-models delete", ["acme/own"], "DELETE /feather/private-models/acme%2Fown"],
  ["webhooks test", ["https://acme.example/hook"], "POST /webhooks/whk_1/test"],
  ["webhooks delete", ["https://acme.example/hook"], "DELETE /webhooks/whk_1"],
  ["admin backends test", ["one"], "POST /admin/backends/backend_1/test"],
  ["admin backends remove", ["one"], "DELETE /admin/backends/backend_1"],
  ["admin invitations withdraw", ["maria@example.com"], "DELETE /admin/invitations/invite_1"],
  ["admin models delete", ["acme/hidden"], "DELETE /admin/models/acme%2Fhidden"],
])("%s without an id offers what there is, and goes to the one that is chosen", async (name, labels, call) => {
  expect(await runAndChoose(name)).toEqual(labels);
  expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toContain(call);
});
