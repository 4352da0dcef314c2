import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createAccount } from "../support/accounts.ts";
import { platformUrl } from "../support/platform-url.ts";
import { openTerminal } from "../support/pseudo-terminal.ts";

const baseUrl = platformUrl();
const home = mkdtempSync(join(tmpdir(), "feather-terminal-"));
const BIN = join(import.meta.dirname, "../../packages/cli/bin/feather.js");
const CTRL_C = "\u0003";
const ESCAPE = "\u001b";
let token = "";
let keyId = "";
const open: ReturnType<typeof openTerminal>[] = [];

beforeAll(async () => {
  const account = await createAccount(baseUrl);
  token = account.token;
  keyId = (await account.feather.apiKeys.create({ name: "鳥の羽 wing" })).id;
  await account.feather.apiKeys.create({ name: "production" });
});
afterEach(() => {
  for (const terminal of open.splice(0)) terminal.kill();
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

type Settings = { columns?: number; env?: Record<string, string> };
function feather(argv: string[], { columns, env = {} }: Settings = {}) {
  const terminal = openTerminal(process.execPath, [BIN, ...argv], {
    ...(columns !== undefined && { columns }),
    env: {
      HOME: home,
      FEATHER_CONFIG_DIR: home,
      FEATHER_CACHE_DIR: join(home, "cache"),
      FEATHER_BASE_URL: baseUrl,
      FEATHER_TOKEN: token,
      ...env,
    },
  });
  open.push(terminal);
  return terminal;
}

describe("a table in a terminal", () => {
  test("has colours and one line per row", async () => {
    const terminal = feather(["models", "list", "--limit", "5"]);
    expect(await terminal.ended()).toBe(0);
    expect(terminal.text().split("\n")[0]).toMatch(/^MODEL +SIZE +CONTEXT +UNITS +RATING +STATE/);
    expect(terminal.raw()).toContain(`${ESCAPE}[1m`);
    expect(terminal.text()).toMatch(/5 of \d+ models\. Next page: feather models list --limit 5 --page 2$/);
  });

  test.each([20, 40, 60, 200])("fits into %i columns", async (columns) => {
    const terminal = feather(["models", "list", "--limit", "20"], { columns, env: { NO_COLOR: "1" } });
    expect(await terminal.ended()).toBe(0);
    // A line that is too wide would take two rows. Where the server is slow, a line before them says so.
    const table = terminal.text().split("\n\n")[0]?.split("\n") ?? [];
    expect(table.filter((line) => !line.startsWith("Waiting for"))).toHaveLength(21);
  });

  test.each<[string, Record<string, string>]>([
    ["NO_COLOR", { NO_COLOR: "1" }],
    ["a dumb terminal", { TERM: "dumb" }],
  ])("contains no escape sequences with %s", async (_, env) => {
    const terminal = feather(["models", "list", "--limit", "5"], { env });
    expect(await terminal.ended()).toBe(0);
    expect(terminal.raw()).not.toContain(ESCAPE);
  });

  test("uses ASCII in an ASCII locale", async () => {
    const terminal = feather(["models", "list", "--limit", "5"], { env: { LANG: "C", NO_COLOR: "1" } });
    await terminal.ended();
    expect(terminal.raw()).toMatch(/#---|##--|####/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: everything that is ASCII
    expect(terminal.raw().split("\r\n\r\n")[0]).toMatch(/^[\x00-\x7f]*$/);
  });

  test("aligns columns with wide characters", async () => {
    const terminal = feather(["keys", "list"], { columns: 120, env: { NO_COLOR: "1" } });
    await terminal.ended();
    const lines = terminal.text().split("\n");
    const wide = lines.find((line) => line.includes("鳥の羽 wing"));
    const narrow = lines.find((line) => line.includes("production"));
    // Three of its characters are two columns wide.
    expect(wide?.indexOf("rc_")).toBe((narrow?.indexOf("rc_") ?? 0) - 3);
  });

  test("is written to a pipe, even one that closes early", async () => {
    const piped = (line: string) => {
      const env = { HOME: home, FEATHER_CONFIG_DIR: home, FEATHER_BASE_URL: baseUrl };
      const terminal = openTerminal("sh", ["-c", line.replaceAll("feather", `'${process.execPath}' '${BIN}'`)], {
        columns: 300,
        env,
      });
      open.push(terminal);
      return terminal;
    };
    const whole = piped("feather models list --limit 3 | cat");
    await whole.ended();
    expect(whole.text().split("\n")).toHaveLength(3);
    expect(whole.raw()).toContain("\t");
    const closed = piped("feather models list --all --json | head -c 10");
    expect(await closed.ended()).toBe(0);
    expect(closed.text()).toHaveLength(10);
  });
});

describe("prompts in a terminal", () => {
  test.each<[string, string[], string, Record<string, string>]>([
    ["of an email", ["login", "--code", "123456"], "Email:", { FEATHER_TOKEN: "" }],
    ["of a password", ["login", "--email", "a@b.example"], "Password:", { FEATHER_TOKEN: "" }],
  ])("%s exit with 130 on Ctrl-C", async (_, argv, question, env) => {
    const terminal = feather(argv, { env });
    await terminal.waitForText(question);
    terminal.typeKeys(CTRL_C);
    expect(await terminal.ended()).toBe(130);
    expect(terminal.text()).not.toContain("error");
  });

  test("confirm deletion: Ctrl-C and no keep the item, yes deletes it", async () => {
    for (const [keys, code] of [
      [CTRL_C, 130],
      ["n\r", 130],
      ["y\r", 0],
    ] as const) {
      const terminal = feather(["keys", "delete", keyId]);
      await terminal.waitForText("Delete the key 鳥の羽 wing?");
      terminal.typeKeys(keys);
      expect(await terminal.ended()).toBe(code);
    }
    const list = feather(["keys", "list", "--json"]);
    await list.ended();
    expect(list.text()).not.toContain(keyId);
  });

  test("do not show a password", async () => {
    const terminal = feather(["login", "--email", "a@b.example"], { env: { FEATHER_TOKEN: "" } });
    await terminal.waitForText("Password:");
    terminal.typeKeys("hunter2 long enough\r");
    expect(await terminal.ended()).toBe(4);
    expect(terminal.raw()).not.toContain("hunter2");
  });

  test("do not show a password that is typed while the program loads", async () => {
    const loaded = join(home, "loaded");
    // Stops the program where its code is about to be loaded, until the file is there.
    const preload = `
      import { existsSync } from "node:fs";
      import { registerHooks } from "node:module";
      const cell = new Int32Array(new SharedArrayBuffer(4));
      registerHooks({
        load(url, context, next) {
          if (!url.endsWith("/dist/main.js")) return next(url, context);
          process.stderr.write("loading ");
          while (!existsSync(${JSON.stringify(loaded)})) Atomics.wait(cell, 0, 0, 20);
          return next(url, context);
        },
      });`;
    const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(preload)}`;
    const terminal = feather(["login", "--email", "a@b.example"], { env: { FEATHER_TOKEN: "", NODE_OPTIONS } });
    await terminal.waitForText("loading");
    terminal.typeKeys("hunter2");
    writeFileSync(loaded, "");
    await terminal.waitForText("Password: •••••••");
    terminal.typeKeys(CTRL_C);
    expect(await terminal.ended()).toBe(130);
    expect(terminal.raw()).not.toContain("hunter2");
  });

  test.each<[string, string, string]>([
    ["wrong use", "--nope", ""],
    ["Ctrl-C", "", CTRL_C],
    ["a wrong password", "", "hunter2 long enough\r"],
  ])("leave the terminal's echo on after %s", async (_, flag, keys) => {
    const script = `'${process.execPath}' '${BIN}' login --email a@b.example ${flag}; stty -a | grep -owE -- '-?echo'; echo ended`;
    const env = { HOME: home, FEATHER_CONFIG_DIR: home, FEATHER_BASE_URL: baseUrl };
    const terminal = openTerminal("sh", ["-c", script], { env });
    open.push(terminal);
    if (keys !== "") {
      await terminal.waitForText("Password:");
      terminal.typeKeys(keys);
    }
    await terminal.ended();
    expect(terminal.text()).toMatch(/^echo\nended$/m);
  });
});

describe("a conversation in a terminal", () => {
  test("prints answers, adapts to the window's width, and ends when Ctrl-C is pressed twice", async () => {
    const terminal = feather(["chat", "-m", "feather/demo"]);
    await terminal.waitForText("/help for commands");
    terminal.typeKeys("who are you?\r");
    await terminal.waitForText("first after");
    expect(terminal.text()).toContain("› who are you?");
    terminal.resize(40);
    terminal.typeKeys("/help\r");
    await terminal.waitForText("/save [file]");
    for (const line of terminal.text().split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    terminal.typeKeys("half a line");
    await terminal.waitForText("› half a line");
    terminal.typeKeys(CTRL_C);
    await terminal.waitForText("Ctrl-C again leaves");
    terminal.typeKeys(CTRL_C);
    expect(await terminal.ended()).toBe(0);
  });

  test("works in twenty columns and with wide characters, and saves the conversation", async () => {
    const terminal = feather(["chat", "-m", "feather/demo"], { columns: 20 });
    await terminal.waitForText("›");
    terminal.typeKeys("鳥の羽は軽いですか。鳥の羽は?\r");
    await terminal.waitForText("tokens");
    const file = join(home, "saved.md");
    terminal.typeKeys(`/save ${file}\r`);
    await terminal.waitForText("Saved");
    terminal.typeKeys("\u0004");
    expect(await terminal.ended()).toBe(0);
    expect(readdirSync(home)).toContain("saved.md");
    expect(readFileSync(file, "utf8")).toContain("鳥の羽は軽いですか。鳥の羽は?");
  });
});
