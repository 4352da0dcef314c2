import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SettingsError } from "../../../platform/core/settings.ts";
import { ENGINE_BINARY } from "../engine-files.ts";
import { chooseEngineAccount, chownTo, createEngineEnvironment } from "./confinement.ts";
import { describeSandbox, detectSandbox, withSandbox } from "./sandbox.ts";

const LINUX = { platform: "linux", command: "bwrap", path: process.env.PATH } as const;

describe("detectSandbox", () => {
  test("detectSandbox does not probe when the setting is off", () => {
    expect(detectSandbox("off", { ...LINUX, command: "/nonexistent/bwrap" })).toEqual({ state: "off" });
  });

  test("detectSandbox finds no sandbox on systems other than Linux and without bubblewrap", () => {
    expect(detectSandbox("auto", { ...LINUX, platform: "darwin" })).toEqual({ state: "not_linux" });
    const missing = detectSandbox("auto", { ...LINUX, command: "/nonexistent/bwrap" });
    expect(missing).toEqual({ state: "not_installed" });
    expect(describeSandbox(missing)).toContain("Install the package bubblewrap");
  });

  test("detectSandbox calls bubblewrap not installed where a folder of the path cannot be read", () => {
    const folder = mkdtempSync(join(tmpdir(), "path-"));
    chmodSync(folder, 0o000);
    const sandbox = detectSandbox("auto", { ...LINUX, path: `${folder}:/nonexistent` });
    rmSync(folder, { recursive: true });
    expect(sandbox).toEqual({ state: "not_installed" });
  });

  test("detectSandbox reports bubblewrap's error when it is not permitted", () => {
    const folder = mkdtempSync(join(tmpdir(), "bwrap-"));
    chmodSync(folder, 0o755);
    const command = join(folder, "bwrap");
    writeFileSync(command, "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n", {
      mode: 0o755,
    });
    const sandbox = detectSandbox("auto", { ...LINUX, command });
    rmSync(folder, { recursive: true });
    expect(sandbox).toEqual({ state: "not_permitted", detail: "bwrap: No permissions to create new namespace" });
    expect(describeSandbox(sandbox)).toContain("No permissions to create new namespace");
  });

  test("detectSandbox throws when the setting requires a sandbox and there is none", () => {
    expect(() => detectSandbox("on", { ...LINUX, command: "/nonexistent/bwrap" })).toThrow(SettingsError);
    expect(() => detectSandbox("on", { ...LINUX, platform: "darwin" })).toThrow(/FEATHER_ENGINE_SANDBOX is on/);
  });
});

const here = detectSandbox("auto");
const skipped = here.state === "on" ? "" : ` (skipped: ${describeSandbox(here)})`;

describe.runIf(here.state === "on")(`a process in the sandbox${skipped}`, () => {
  let folder: string;
  let writable: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "sandbox-"));
    chmodSync(folder, 0o755); // so that nothing but the sandbox keeps the engine's account out
    mkdirSync(join(folder, "data"));
    writeFileSync(join(folder, "data/secret.key"), "secret");
    writeFileSync(join(folder, "model.gguf"), "model");
    writable = join(folder, "socket");
    mkdirSync(writable);
    chownTo(chooseEngineAccount([process.execPath, ENGINE_BINARY]), writable);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Runs a script in the sandbox and returns its output. */
  function say(script: string): string {
    const files = { readable: [join(folder, "model.gguf")], writable: [writable] };
    const [command, args] = withSandbox(process.execPath, ["-e", script], files);
    const { stdout, stderr } = spawnSync(command, args, {
      ...chooseEngineAccount([process.execPath, ENGINE_BINARY]),
      cwd: "/",
      env: createEngineEnvironment(writable),
      encoding: "utf8",
    });
    return stdout.trim() || stderr;
  }
  const tryTo = (code: string) => `try { ${code} } catch (error) { console.log(error.code) }`;
  const read = (path: string) => tryTo(`console.log(require("fs").readFileSync(${JSON.stringify(path)}, "utf8"))`);
  const connect = (to: object) =>
    `require("net").connect(${JSON.stringify(to)}).on("connect", () => console.log("connected"))` +
    `.on("error", (error) => console.log(error.code))`;

  test("a process in the sandbox can read its model but not change it", () => {
    const model = join(folder, "model.gguf");
    expect(say(read(model))).toBe("model");
    expect(say(tryTo(`require("fs").writeFileSync(${JSON.stringify(model)}, "x")`))).toBe("EROFS");
  });

  test("a process in the sandbox sees no data folder, no home and no other process", () => {
    expect(say(read(join(folder, "data/secret.key")))).toBe("ENOENT");
    expect(say(`console.log(require("fs").readdirSync(${JSON.stringify(folder)}).sort().join())`)).toBe(
      "model.gguf,socket",
    );
    expect(say(tryTo(`console.log(require("fs").readdirSync("/home"))`))).toBe("ENOENT");
    expect(say(read(`/proc/${process.pid}/environ`))).toBe("ENOENT");
    expect(say(read("/etc/passwd"))).toBe("ENOENT");
    expect(say(tryTo(`process.kill(${process.pid}, 0); console.log("seen")`))).toBe("ESRCH");
  });

  test("a process in the sandbox cannot connect to any address or to a socket outside its folder", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    const local = createServer().listen(join(folder, "data/postgres"));
    await new Promise((resolve) => local.once("listening", resolve));
    chmodSync(join(folder, "data/postgres"), 0o777);
    const address = server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    expect(say(connect({ host: "127.0.0.1", port }))).toBe("ECONNREFUSED");
    expect(say(connect({ host: "192.0.2.1", port: 80 }))).toBe("ENETUNREACH");
    expect(say(connect({ path: join(folder, "data/postgres") }))).toBe("ENOENT");
    server.close();
    local.close();
  });

  test("a process in the sandbox has no privileges and no terminal", () => {
    const status = 'require("child_process").execFileSync("sh", ["-c", "cat /dev/tty"], { encoding: "utf8" })';
    expect(say(tryTo(`${status}; console.log("terminal")`))).not.toContain("terminal");
    expect(say(tryTo(`process.setuid(0); console.log("root")`))).not.toBe("root");
  });
});
