import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFeather } from "@feather/sdk";
import { type FakeUpstream, startFakeUpstream } from "@feather/testing/fake-upstream";
import { freePort } from "@feather/testing/free-port";
import { waitFor } from "@feather/testing/wait-for";
import { Agent, fetch } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TOKEN_TRANSPORT } from "../support/accounts.ts";
import { ADMIN, type Platform, startPlatform } from "../support/platform.ts";
import { isInstalled } from "./installed.ts";
import { createCertificate, HOST, PROXY_PROGRAMS, startProxy } from "./proxy-programs.ts";

const MODEL = "proxied/talker";
const PAUSING_MODEL = "proxied/pausing";
const WORDS = ["one", " two", " three"];
/** The largest body of `/v1`, in bytes. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** Where callers call from, which is not the address of the proxy. Linux has all of 127.0.0.0/8. */
const CALLER = "127.0.0.2";

/** Why the tests cannot run here; undefined if they can. */
function findObstacle(command: string, versionArgs: readonly string[]): string | undefined {
  if (process.platform !== "linux") return "a second loopback address to call from is there on Linux only";
  if (!isInstalled("openssl", ["version"])) return "openssl is not installed";
  return isInstalled(command, versionArgs) ? undefined : `${command} is not installed`;
}

describe.each(PROXY_PROGRAMS)("$name with the shipped configuration, in front of a server", (program) => {
  const obstacle = findObstacle(program.name, program.versionArgs);
  if (obstacle !== undefined) {
    test(`is tried`, (context) => context.skip(obstacle));
    return;
  }
  let folder: string;
  let config: string;
  let redirectPort: number;
  let origin: string;
  let backend: FakeUpstream;
  let platform: Platform;
  let agent: Agent;
  let stopProxy: () => Promise<void>;
  let token: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "feather-proxy-"));
    chmodSync(folder, 0o711); // the database and the proxy's workers run as other users
    const [port, upstream] = [await freePort(), await freePort()];
    redirectPort = await freePort();
    origin = `https://${HOST}:${port}`;
    backend = await startFakeUpstream({ tokens: WORDS }, [MODEL, PAUSING_MODEL]);
    backend.scripts.set(PAUSING_MODEL, { tokens: WORDS, fault: { kind: "stall", after: 1 } });
    platform = await startPlatform(join(folder, "data"), {
      FEATHER_PORT: String(upstream),
      FEATHER_PUBLIC_URL: origin,
      FEATHER_TRUSTED_PROXIES: "127.0.0.1",
      FEATHER_SHUTDOWN_DELAY: "0",
      FEATHER_LOG_LEVEL: "silent",
      FEATHER_PRELOAD: "off", // no call is to a model of this machine
      FEATHER_BACKENDS: JSON.stringify([{ name: "fake", base_url: backend.baseUrl, models: [MODEL, PAUSING_MODEL] }]),
    });
    const ca = createCertificate(folder);
    agent = new Agent({ allowH2: false, localAddress: CALLER, connect: { ca, lookup: toLoopback } });
    config = program.configure({ folder, port, redirectPort, upstream });
    stopProxy = await startProxy(program, config, port);
    const login = await createFeather({ baseUrl: platform.baseUrl }).auth.login(ADMIN, TOKEN_TRANSPORT).withResponse();
    token = login.response.headers.get("x-session-token") ?? "";
  });

  afterAll(async () => {
    await stopProxy?.();
    await agent?.close();
    platform?.process.kill("SIGTERM");
    await platform?.ended;
    await backend?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  const call = (path: string, init: { body?: string; headers?: Record<string, string>; signal?: AbortSignal } = {}) =>
    fetch(`${origin}${path}`, {
      ...init,
      dispatcher: agent,
      method: init.body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...init.headers },
    });
  const streamFrom = (model: string, signal?: AbortSignal) =>
    call("/v1/chat/completions", {
      body: JSON.stringify({ model, messages: [{ role: "user", content: "Count." }], stream: true }),
      ...(signal && { signal }),
    });

  test("its own check accepts the file", () => {
    execFileSync(program.name, program.checkArgs(config), { stdio: "pipe" });
  });

  test("an answer's first word arrives while the backend still holds back the rest, and a caller who leaves ends the call", async () => {
    const leave = new AbortController();
    const response = await streamFrom(PAUSING_MODEL, leave.signal);
    let text = "";
    const reading = (async () => {
      for await (const chunk of response.body ?? []) {
        text += Buffer.from(chunk).toString();
        if (text.includes(`"${WORDS[0]}"`)) return;
      }
    })();
    await reading;
    expect(text).not.toContain(String(WORDS[1]));
    expect(backend.cancelled).toEqual([]);
    leave.abort();
    await waitFor(() => expect(backend.cancelled.map(({ model }) => model)).toEqual([PAUSING_MODEL]));
  });

  test("a whole stream arrives in order and to its end", async () => {
    const text = await (await streamFrom(MODEL)).text();
    const words = [...text.matchAll(/"content":"([^"]*)"/g)].map(([, word]) => word);
    expect(words.filter(Boolean)).toEqual(WORDS);
    expect(text).toMatch(/data: \[DONE\]\n\n$/);
  });

  test("the server sees the caller's address, whatever the caller says about it", async () => {
    const response = await call("/api/auth/login", {
      body: JSON.stringify(ADMIN),
      headers: { authorization: "", "x-session-transport": "token", "x-forwarded-for": "203.0.113.9" },
    });
    const own = response.headers.get("x-session-token") ?? "";
    const sessions = await createFeather({ baseUrl: platform.baseUrl, token: own }).auth.sessions.list();
    expect(sessions.items.find(({ current }) => current)?.ip).toBe(CALLER);
  });

  test("the largest body reaches the server, and a larger one is refused", async () => {
    const [largest, larger, huge] = [MAX_BODY_BYTES, MAX_BODY_BYTES + 1, MAX_BODY_BYTES + 2 * 1024 * 1024];
    const passed = await call("/v1/chat/completions", { body: createBody(largest) });
    expect([passed.status, await passed.json()]).toMatchObject([400, { error: { code: "context_length_exceeded" } }]);
    const refused = await call("/v1/chat/completions", { body: createBody(larger) });
    // 502 where the server has closed the connection before the proxy has sent all.
    expect([413, 502]).toContain(refused.status);
    if (refused.status === 413) expect(await refused.text()).toContain('"error"');
    const cutOff = await call("/v1/chat/completions", { body: createBody(huge) });
    expect([413, 502]).toContain(cutOff.status);
  });

  test("plain HTTP leads to HTTPS", async () => {
    const plain = await fetch(`http://${HOST}:${redirectPort}/models`, { dispatcher: agent, redirect: "manual" });
    expect(plain.status).toBe(308);
    expect(plain.headers.get("location")).toMatch(`https://${HOST}`);
  });
});

/** A call of exactly this many bytes. */
function createBody(bytes: number): string {
  const encode = (content: string) => JSON.stringify({ model: MODEL, messages: [{ role: "user", content }] });
  return encode("a".repeat(bytes - encode("").length));
}

type Found = (error: null, address: string, family: number) => void;

/** Finds every name on this machine. */
function toLoopback(_name: string, _options: object, found: Found): void {
  found(null, "127.0.0.1", 4);
}
