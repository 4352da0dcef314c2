/** The packed program on every runtime that it names and some that it does not, against the platform. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccount } from "../support/accounts.ts";
import { type Cli, createCli } from "../support/cli.ts";
import { createEmptyFolder, installPackage, readManifest } from "../support/pack.ts";
import { platformUrl } from "../support/platform-url.ts";
import { openTerminal } from "../support/pseudo-terminal.ts";
import { fetchRuntimes, type RuntimeName, runtimeCommand } from "../support/runtimes.ts";

const baseUrl = platformUrl();
const folder = createEmptyFolder();
const installed = installPackage("cli", folder);
const program = join(installed, "bin/feather.js");
const opened: Cli[] = [];
let token = "";

beforeAll(async () => {
  fetchRuntimes();
  ({ token } = await createAccount(baseUrl));
});
afterAll(() => {
  for (const one of opened) one.remove();
  rmSync(folder, { recursive: true, force: true });
});

function on(name: RuntimeName): Cli {
  const one = createCli({ baseUrl, token, program, runtime: runtimeCommand(name) });
  opened.push(one);
  return one;
}

test.each<RuntimeName>(["node-22.19", "node-24", "node-26", "bun", "deno"])(
  "%s reads, streams, filters, plans and fails correctly",
  async (name) => {
    const feather = on(name);
    expect(await feather.run("--version")).toMatchObject({ code: 0, stdout: `${readManifest(installed).version}\n` });
    expect(await feather.run("models list --limit 1 --jq .items[].id")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\S+\/\S+\n$/),
    });
    const answer = await feather.run("chat -m feather/demo --temperature 0 --max-tokens 12 hello");
    expect(answer).toMatchObject({ code: 0, stderr: "" });
    const piped = await feather.run("chat -m feather/demo --no-stream --max-tokens 5", { stdin: "from a pipe" });
    expect([piped.code, piped.stdout]).toEqual([0, expect.stringMatching(/\w/)]);
    const manifest = join(feather.home, "deployment.yaml");
    writeFileSync(manifest, "name: [");
    expect((await feather.run(`deployments apply -f ${manifest} --dry-run`)).code).toBe(2);
    expect((await feather.run("models show feather/dmeo")).code).toBe(3);
    expect((await feather.run("models list", { env: { FEATHER_BASE_URL: "http://127.0.0.1:1" } })).code).toBe(10);
    // Stored values are read again, which needs functions that other runtimes take over from Node.
    expect((await feather.run("login --with-token", { stdin: token, env: { FEATHER_TOKEN: "" } })).code).toBe(0);
    expect((await feather.run("whoami -q", { env: { FEATHER_TOKEN: "" } })).code).toBe(0);
  },
);

test.each<RuntimeName>(["node-22.19", "node-24", "node-26"])("%s shows prompts in a terminal", async (name) => {
  const feather = on(name);
  await feather.run("keys create asked");
  const { file, args } = runtimeCommand(name);
  const terminal = openTerminal(file, [...args, program, "keys", "delete", "asked"], {
    env: { HOME: feather.home, FEATHER_BASE_URL: baseUrl, FEATHER_TOKEN: token },
  });
  try {
    await terminal.waitForText("Delete the key asked?");
    terminal.typeKeys("y\r");
    expect(await terminal.ended()).toBe(0);
  } finally {
    terminal.kill();
  }
});

test.each<RuntimeName>(["node-20", "node-22.12"])("%s prints which version is required", async (name) => {
  const { code, stdout, stderr } = await on(name).run("models list");
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^error: feather needs Node 22\.19 or newer; this is 2/);
});

test("the oldest Node of the engines field is among the tested runtimes", () => {
  expect(readManifest(installed).engines).toEqual({ node: ">=22.19" });
});
