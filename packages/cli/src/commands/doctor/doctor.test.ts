import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { errorResponse } from "@feather/testing/errors";
import { startStubServer } from "@feather/testing/stub-server";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { writeProfile } from "../../config/config-store.ts";
import { user } from "../../testing/fixtures.ts";
import { createConfigFolder, NOW, type RunOptions, runCli } from "../../testing/run-cli.ts";
import type { Check } from "./check.ts";

let server: Awaited<ReturnType<typeof startStubServer>>;
let folder: ReturnType<typeof createConfigFolder>;
let version = "1.2.0";
let date = NOW;

beforeAll(async () => {
  server = await startStubServer({
    "GET /config": () => ({ headers: { date: date.toUTCString() }, body: { product_name: "Feather", version } }),
    "GET /auth/me": ({ authorization }) =>
      authorization === "Bearer rc_good"
        ? { body: user }
        : authorization === "Bearer rc_calls"
          ? errorResponse(403, "key_scope_denied", "No.")
          : errorResponse(401, "unauthorized", "The key is not valid."),
  });
});
afterAll(() => server.close());
beforeEach(() => {
  folder = createConfigFolder();
  version = "1.2.0";
  date = NOW;
});
afterEach(() => folder.remove());

const run = (argv: string[], settings: RunOptions = {}) =>
  runCli(
    ["doctor", ...argv],
    { FEATHER_BASE_URL: server.baseUrl, FEATHER_CONFIG_DIR: folder.dir, LANG: "C.UTF-8" },
    settings,
  );

async function examine(settings: RunOptions = {}) {
  const { code, out } = await run(["--json"], settings);
  const checks = JSON.parse(out) as Check[];
  return {
    code,
    of: (name: string) => checks.find((check) => check.name === name),
    names: checks.map(({ name }) => name),
  };
}

describe("doctor", () => {
  test("feather doctor reports no problem when there is none", async () => {
    const { code, out } = await run([], {
      tty: true,
      columns: 300,
      env: { FEATHER_API_KEY: "rc_good", NO_COLOR: "1" },
    });
    expect(code).toBe(0);
    const lines = out.trimEnd().split("\n");
    expect(lines.map((line) => line.slice(0, 20).trim().replace(/ +/, " "))).toEqual([
      "ok program",
      "ok terminal",
      "ok configuration",
      "ok address",
      "ok proxy",
      "ok name",
      "ok server",
      "ok versions",
      "ok clock",
      "ok sign-in",
    ]);
    expect(out).toContain("maria, by FEATHER_API_KEY");
  });

  test("feather doctor wraps what it found between words at a narrow terminal", async () => {
    const { out } = await run([], { tty: true, columns: 40, env: { FEATHER_BASE_URL: "nonsense", NO_COLOR: "1" } });
    const lines = out.trimEnd().split("\n");
    expect(lines.filter((line) => line.length > 40 && line.trim().includes(" "))).toEqual([]);
    expect(lines.filter((line) => /^ {21}\S/.test(line)).length).toBeGreaterThan(0);
  });

  test("feather doctor prints tab-separated lines in a pipe, and CSV or JSON fields on request", async () => {
    expect((await run([])).out.split("\n")[0]).toMatch(/^program\tok\tfeather 1\.2\.3, Node /);
    expect((await run(["--csv"])).out.split("\r\n")[0]).toBe("check,state,detail,to_do");
    expect(JSON.parse((await run(["--json", "name,state"])).out)[0]).toEqual({ name: "program", state: "ok" });
  });

  test.each<[string, Record<string, string>, string, Partial<Check>]>([
    ["nobody signed in", {}, "sign-in", { state: "warn", hint: "feather login" }],
    ["a key that does not hold", { FEATHER_API_KEY: "rc_bad" }, "sign-in", { state: "fail", hint: "feather login" }],
    ["a key for calls only", { FEATHER_API_KEY: "rc_calls" }, "sign-in", { state: "ok" }],
    [
      "a server that is away",
      { FEATHER_BASE_URL: "http://127.0.0.1:4" },
      "server",
      { state: "fail", detail: "nothing listens at that address and port" },
    ],
    ["an address that is none", { FEATHER_BASE_URL: "nonsense" }, "address", { state: "fail" }],
    ["no encryption on the way", { FEATHER_BASE_URL: "http://feather.invalid" }, "address", { state: "warn" }],
    ["a name that nobody has", { FEATHER_BASE_URL: "http://feather.invalid" }, "name", { state: "fail" }],
    [
      "a profile that does not exist",
      { FEATHER_PROFILE: "nowhere" },
      "address",
      { state: "fail", detail: "there is no profile called nowhere" },
    ],
  ])("feather doctor reports %s", async (_, env, name, expected) => {
    const { code, of } = await examine({ env });
    expect(of(name)).toMatchObject(expected);
    expect(code).toBe(expected.state === "fail" || name === "address" ? 1 : 0);
  });

  test.each<[string, number, Partial<Check>]>([
    ["ahead", -10 * 60_000, { state: "warn", detail: "10 min ahead of the server's" }],
    ["behind", 2 * 3_600_000, { state: "warn", detail: "2 h behind the server's" }],
    ["right", 30_000, { state: "ok" }],
  ])("feather doctor warns about a clock that is %s", async (_, away, expected) => {
    date = new Date(NOW.getTime() + away);
    expect((await examine()).of("clock")).toMatchObject(expected);
  });

  test("feather doctor warns about a server of another version", async () => {
    version = "2.0.0";
    expect((await examine()).of("versions")).toMatchObject({ state: "warn", detail: expect.stringContaining("2.0.0") });
  });

  test("feather doctor reports an invalid configuration, and one that others could read", async () => {
    mkdirSync(folder.dir);
    writeFileSync(join(folder.dir, "config.json"), "{");
    const broken = await examine();
    expect([broken.code, broken.of("configuration")?.state]).toEqual([1, "fail"]);
    writeFileSync(join(folder.dir, "config.json"), "{}");
    chmodSync(join(folder.dir, "config.json"), 0o644);
    expect((await examine()).of("configuration")).toMatchObject({
      state: "warn",
      detail: expect.stringContaining("others could read"),
    });
    await writeProfile(folder.dir, "default", { secret: "rc_good", baseUrl: server.baseUrl });
    expect((await examine()).of("configuration")).toMatchObject({
      state: "ok",
      detail: expect.stringContaining("1 profile, default in use"),
    });
  });

  test("feather doctor reports a server that is not Feather", async () => {
    const other = createServer((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\n<html>"));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const address = other.address();
    const port = typeof address === "object" ? address?.port : 0;
    const { of } = await examine({ env: { FEATHER_BASE_URL: `http://127.0.0.1:${port}` } });
    expect(of("server")).toMatchObject({ state: "fail", detail: "what answers is not a Feather server" });
    // And of something that does not encrypt where it should.
    const secure = await examine({ env: { FEATHER_BASE_URL: `https://127.0.0.1:${port}` } });
    expect(secure.of("encryption")).toMatchObject({ state: "fail", detail: "what answers there does not speak TLS" });
    other.close();
  });

  test("feather doctor names a key that cannot be one", async () => {
    const { of } = await examine({ env: { FEATHER_API_KEY: "rc_abcd…" } });
    expect(of("sign-in")).toMatchObject({ state: "fail", detail: expect.stringContaining("FEATHER_API_KEY") });
  });

  test("feather doctor reports a proxy that cannot be reached, and nothing about the server", async () => {
    const { code, of } = await examine({ env: { HTTP_PROXY: "http://127.0.0.1:4" } });
    expect(of("proxy")).toMatchObject({
      state: "fail",
      detail: "the proxy http://127.0.0.1:4 cannot be reached: nothing listens at that address and port",
      hint: expect.stringContaining("NO_PROXY"),
    });
    expect([code, of("server")]).toEqual([1, undefined]);
  });

  test("feather doctor names the proxy without its password", async () => {
    const { of } = await examine({ env: { HTTP_PROXY: "http://maria:secret@127.0.0.1:4" } });
    expect(of("proxy")?.detail).toContain("the proxy http://127.0.0.1:4 ");
    expect((await examine({ env: { HTTP_PROXY: "127.0.0.1:4" } })).of("proxy")?.detail).toContain(
      "the proxy http://127.0.0.1:4 ",
    );
    expect(
      (await examine({ env: { HTTP_PROXY: "http://127.0.0.1:4", NO_PROXY: "127.0.0.1" } })).of("server")?.state,
    ).toBe("ok");
  });
});

describe("open", () => {
  const opened: string[] = [];
  const openUrl = async (address: string) => {
    opened.push(address);
    return true;
  };
  const open = (argv: string[], settings: RunOptions = {}) =>
    runCli(
      ["open", ...argv],
      { FEATHER_BASE_URL: "https://feather.example", FEATHER_CONFIG_DIR: folder.dir, DISPLAY: ":0" },
      { openUrl, ...settings },
    );
  beforeEach(() => {
    opened.length = 0;
  });

  test.each([
    [[], "https://feather.example/"],
    [["usage"], "https://feather.example/account/usage"],
    [["Qwen/Qwen3-32B"], "https://feather.example/models/Qwen/Qwen3-32B"],
  ])("%j opens its page", async (argv, address) => {
    expect(await open(argv, { tty: true })).toMatchObject({ code: 0, out: "" });
    expect(opened).toEqual([address]);
  });

  test.each<[string, string[], RunOptions]>([
    ["in a pipe", ["keys"], {}],
    ["with --print", ["keys", "--print"], { tty: true }],
    ["without a browser", ["keys"], { tty: true, env: { DISPLAY: "" } }],
    ["when it does not start", ["keys"], { tty: true, openUrl: async () => false }],
  ])("%s prints the address", async (_, argv, settings) => {
    expect(await open(argv, settings)).toEqual({ code: 0, out: "https://feather.example/account/api-keys\n", err: "" });
    expect(opened).toEqual([]);
  });

  test("feather open rejects an unknown page and suggests the closest", async () => {
    expect(await open(["usgae"])).toMatchObject({ code: 2, err: expect.stringContaining("feather open usage") });
    expect(await open(["constructor"])).toMatchObject({ code: 2 });
  });
});
