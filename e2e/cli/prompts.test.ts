/**
 * Questions and pickers of the commands at a real terminal, and the flags that replace them where nobody can be asked.
 */
import { createHmac } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createAccount, PASSWORD, signInAsAdmin } from "../support/accounts.ts";
import { FEATHER } from "../support/cli.ts";
import { platformUrl } from "../support/platform-url.ts";
import { openTerminal } from "../support/pseudo-terminal.ts";

const baseUrl = platformUrl();
const home = mkdtempSync(join(tmpdir(), "feather-prompts-"));
const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const ESCAPE = "\u001b";
const DOWN = "\u001b[B";
const MANIFEST = join(home, "deployment.yaml");
const open: ReturnType<typeof openTerminal>[] = [];
let account: Awaited<ReturnType<typeof createAccount>>;
let adminToken = "";

beforeAll(async () => {
  account = await createAccount(baseUrl);
  const admin = await signInAsAdmin(baseUrl);
  adminToken = admin.token;
  const [user] = (await admin.feather.admin.users.list({ search: account.email })).items;
  await admin.feather.admin.users.update(user?.id ?? "", { plan_id: "feather_max" });
  for (const name of ["production", "staging", "羽根"]) await account.feather.apiKeys.create({ name });
  const app = { redirect_uris: ["https://roost.example/callback"], scopes: ["user.read" as const] };
  await account.feather.applications.create({ name: "Roost", ...app });
  const place = { provider_id: "local", region: "here", instance_type: "cpu", model_id: "feather/demo" };
  await account.feather.deployments.create({ name: "support-bot", ...place, min_replicas: 0 });
  writeFileSync(
    MANIFEST,
    "name: spare\nprovider_id: local\nregion: here\ninstance_type: cpu\nmodel_id: feather/demo\nmin_replicas: 0\n",
  );
});
afterEach(() => {
  for (const terminal of open.splice(0)) terminal.kill();
});
afterAll(async () => {
  for (const { id } of (await account.feather.deployments.list()).items) await account.feather.deployments.delete(id);
  rmSync(home, { recursive: true, force: true });
});

type Settings = { columns?: number; env?: Record<string, string>; token?: string };
function feather(argv: readonly string[], { columns, env = {}, token = account.token }: Settings = {}) {
  const terminal = openTerminal(process.execPath, [FEATHER, ...argv], {
    ...(columns !== undefined && { columns }),
    env: { HOME: home, FEATHER_CONFIG_DIR: home, FEATHER_BASE_URL: baseUrl, FEATHER_TOKEN: token, ...env },
  });
  open.push(terminal);
  return terminal;
}
const words = (line: string): string[] => line.split(" ");
const keyNames = async () => (await account.feather.apiKeys.list()).items.map(({ name }) => name).toSorted();

/** Every command that asks, with its question, and the flag or argument that replaces the answer. */
const QUESTIONS: [line: string, question: string, instead: string, admin?: boolean][] = [
  ["keys show", "Key:", "feather keys list"],
  ["keys rotate", "Key:", "feather keys list"],
  ["keys rotate production", "(y/N)", "--yes"],
  ["keys delete", "Key:", "feather keys list"],
  ["keys delete production", "Delete the key production?", "--yes"],
  ["models show", "Model:", "feather models list"],
  ["deployments show", "Deployment:", "feather deployments list"],
  ["apps show", "Application:", "feather apps list"],
  ["apps delete", "Application:", "feather apps list"],
  ["subscription change feather_pro_plus", "(y/N)", "--yes"],
  ["subscription cancel", "(y/N)", "--yes"],
  ["deployments delete support-bot", "Delete the deployment support-bot?", "--yes"],
  ["deployments token support-bot", "Replace the token of support-bot?", "--yes"],
  [`deployments apply -f ${MANIFEST}`, "Apply this change?", "--yes"],
  [`deployments apply -f ${MANIFEST} --prune`, "Deleted for ever: support-bot.", "--yes"],
  ["private-models delete acme/writer", "Delete acme/writer?", "--yes"],
  ["admin users suspend nobody@example.com --reason x", "Suspend nobody@example.com?", "--yes", true],
  ["admin users make-admin nobody@example.com", "nobody@example.com", "--yes", true],
  ["admin models delete feather/demo", "Delete feather/demo with its reviews?", "--yes", true],
  ["admin models redeploy feather/demo", "Unload feather/demo", "--yes", true],
  ["stop feather/demo", "Unload feather/demo?", "--yes", true],
  ["admin prices set feather/demo --read 9 --written 9", "Set the price of feather/demo", "--yes", true],
  ["admin deployments redeploy dep_none", "Replace all replicas of dep_none", "--yes", true],
];

describe("prompts", () => {
  test.each(QUESTIONS)("%s exits with 130 on Ctrl-C and changes nothing", async (line, question, _, admin) => {
    const terminal = feather(words(line), admin ? { token: adminToken } : {});
    await terminal.waitForText(question);
    terminal.typeKeys(CTRL_C);
    expect(await terminal.ended()).toBe(130);
    expect(terminal.text()).not.toMatch(/error|Deleted (?!for ever)|Suspended/);
    expect(await keyNames()).toEqual(["production", "staging", "羽根"]);
  });

  test.each(QUESTIONS)(
    "%s without a terminal does not prompt, but names the missing option",
    async (line, _, instead, admin) => {
      const token = admin ? adminToken : account.token;
      for (const env of [{ TERM: "dumb" }, { CI: "true" }]) {
        const terminal = feather(words(line), { env, token, columns: 200 });
        expect(await terminal.ended()).toBe(2);
        expect(terminal.text()).toContain(instead);
      }
    },
  );

  test("are not shown when stdin is closed or a file", async () => {
    const terminal = openTerminal(
      "sh",
      ["-c", `'${process.execPath}' '${FEATHER}' keys delete production < /dev/null; echo ended with $?`],
      { env: { HOME: home, FEATHER_CONFIG_DIR: home, FEATHER_BASE_URL: baseUrl, FEATHER_TOKEN: account.token } },
    );
    open.push(terminal);
    await terminal.ended();
    expect(terminal.text()).toMatch(/use --yes\nended with 2$/);
  });
});

describe("a picker", () => {
  test("selects by typing a part of the name, and with the arrow keys", async () => {
    const typed = feather(["keys", "show"]);
    await typed.waitForText("production");
    typed.typeKeys("stag");
    await typed.waitForText("› staging");
    expect(typed.text()).not.toContain("production");
    typed.typeKeys("\r");
    expect(await typed.ended()).toBe(0);
    expect(typed.text()).toMatch(/name +staging/);

    const moved = feather(["keys", "show"]);
    await moved.waitForText("› ");
    const first = /› (\S+)/.exec(moved.text())?.[1];
    moved.typeKeys(DOWN);
    await expect.poll(() => /› (\S+)/.exec(moved.text())?.[1]).not.toBe(first);
    moved.typeKeys("\r");
    expect(await moved.ended()).toBe(0);
    expect(moved.text()).not.toMatch(new RegExp(`name +${first}`));
  });

  test.each([CTRL_D, ESCAPE])("is left with %j too", async (keys) => {
    const terminal = feather(["keys", "show"]);
    await terminal.waitForText("› ");
    terminal.typeKeys(keys);
    expect(await terminal.ended()).toBe(130);
  });

  test("fits into 20 columns, and has no colours when they are off", async () => {
    const terminal = feather(["keys", "show"], { columns: 20, env: { NO_COLOR: "1" } });
    await terminal.waitForText("羽根");
    for (const line of terminal.text().split("\n")) expect(line.length).toBeLessThanOrEqual(20);
    // Cursor moves are no colours.
    expect(terminal.raw()).not.toMatch(new RegExp(`${ESCAPE}\\[(1|2|3\\d|9\\d)m`));
    terminal.typeKeys(CTRL_C);
    expect(await terminal.ended()).toBe(130);
  });
});

describe("the picker of models to run", () => {
  test("offers admins what is on the server and what fits it, in groups, which can be typed", async () => {
    const terminal = feather(["run"], { token: adminToken, columns: 120 });
    await terminal.waitForText("Suggested");
    await terminal.waitForText("On this server");
    await terminal.waitForText(" more: type a part of what you look for");
    terminal.typeKeys("vision");
    await expect
      .poll(() => terminal.text())
      .toMatch(/Vision\n(› | {2})\S+ +\d\S+, (fits|in fewer bits), \d\S* GB, chat [a-z ]*vision/);
    terminal.typeKeys(ESCAPE);
    expect(await terminal.ended()).toBe(130);
  });

  test("offers others only what is on the server", async () => {
    const terminal = feather(["run"]);
    await terminal.waitForText("feather/demo");
    expect(terminal.text()).not.toMatch(/^(Chat|Reasoning|Code|Vision)$/m);
    terminal.typeKeys(ESCAPE);
    expect(await terminal.ended()).toBe(130);
  });
});

/** Starts a command that stops where it begins to load what draws its prompts, until `continueLoading` is called. */
async function startLoading(argv: readonly string[], token?: string) {
  const dir = mkdtempSync(join(home, "loading-"));
  const begun = join(dir, "has-begun");
  const continueFile = join(dir, "may-go-on");
  const hook = join(dir, "load-slowly.mjs");
  writeFileSync(
    hook,
    `import { existsSync, writeFileSync } from "node:fs";
    import { registerHooks } from "node:module";
    const pause = new Int32Array(new SharedArrayBuffer(4));
    registerHooks({
      resolve(name, context, next) {
        if (/\\/ui-\\w+\\.js$/.test(name)) {
          writeFileSync(${JSON.stringify(begun)}, "");
          while (!existsSync(${JSON.stringify(continueFile)})) Atomics.wait(pause, 0, 0, 10);
        }
        return next(name, context);
      },
    });`,
  );
  const env = { NODE_OPTIONS: `--import=${pathToFileURL(hook)}` };
  const terminal = feather(argv, { env, ...(token !== undefined && { token }) });
  await expect.poll(() => existsSync(begun)).toBe(true);
  return { terminal, continueLoading: () => writeFileSync(continueFile, "") };
}

describe("keys typed before the prompt appears", () => {
  test("are accepted as the password, and never shown", async () => {
    const { email } = await createAccount(baseUrl);
    const { terminal, continueLoading } = await startLoading(["login", "--email", email], "");
    terminal.typeKeys(`${PASSWORD}\r`);
    continueLoading();
    await terminal.waitForText("Signed in as");
    expect(await terminal.ended()).toBe(0);
    expect(terminal.raw()).not.toContain(PASSWORD);
  });

  test.each([
    ["keys show", CTRL_C],
    ["keys show", CTRL_D],
    ["keys delete production", CTRL_C],
  ])("leave %s with %j", async (line, keys) => {
    const { terminal, continueLoading } = await startLoading(words(line));
    terminal.typeKeys(keys);
    continueLoading();
    expect(await terminal.ended()).toBe(130);
  });
});

test.each([
  ["keys show", "Key:"],
  ["keys delete production", "(y/N)"],
  ["chat -m feather/demo", "of your 8 units"],
  ["usage --live", "units in use"],
  ["top", "units in use"],
])("%s ends when the program is interrupted from outside", async (line, shown) => {
  const terminal = feather(words(line));
  await terminal.waitForText(shown);
  terminal.signal("SIGINT");
  expect(await terminal.ended()).toBe(130);
});

describe("the second factor prompt", () => {
  test("follows the password, exits on Ctrl-C, and signs in with the right code", async () => {
    const { email, feather: client } = await createAccount(baseUrl);
    const { secret } = await client.auth.totp.begin({ password: PASSWORD });
    await client.auth.totp.confirm({ code: codeOf(secret, Date.now()) });
    const start = async () => {
      const terminal = feather(["login", "--email", email], { token: "" });
      await terminal.waitForText("Password:");
      terminal.typeKeys(`${PASSWORD}\r`);
      await terminal.waitForText("Code of the authenticator app:");
      return terminal;
    };
    const left = await start();
    left.typeKeys(CTRL_C);
    expect(await left.ended()).toBe(130);
    const wrong = await start();
    wrong.typeKeys("000000\r");
    expect(await wrong.ended()).not.toBe(0);
    const right = await start();
    right.typeKeys(`${codeOf(secret, Date.now() + 30_000)}\r`); // the one of now was used to begin with
    expect(await right.ended()).toBe(0);
    expect(right.text()).toContain("Signed in as");
  });
});

/** The code of an authenticator app at a moment (RFC 6238). */
function codeOf(secret: string, now: number): string {
  const bits = [...secret.replaceAll("=", "")].map((letter) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"),
  );
  const key = Buffer.from((bits.join("").match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / 30_000)));
  const digest = createHmac("sha1", key).update(counter).digest();
  const at = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}
