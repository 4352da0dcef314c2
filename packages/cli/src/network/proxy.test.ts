import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, request as sendRequest } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect, type Server } from "node:net";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { SELF_SIGNED } from "@feather/testing/certificate";
import { startStubServer } from "@feather/testing/stub-server";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { readCache } from "../cache.ts";
import { user } from "../testing/fixtures.ts";
import { createConfigFolder, runCli } from "../testing/run-cli.ts";

const execute = promisify(execFile);
const sourceFile = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

let server: Awaited<ReturnType<typeof startStubServer>>;
let secureServer: Server;
let proxy: Server;
/** What went through the proxy: method and target. */
const proxied: string[] = [];
let folder: ReturnType<typeof createConfigFolder>;

const portOf = (listening: Server): number => (listening.address() as AddressInfo).port;
const listen = async (one: Server): Promise<void> => {
  await new Promise<void>((resolve) => one.listen(0, "127.0.0.1", resolve));
};

/** Passes a request on whose target is an absolute URL, whatever host it names. */
const passOn: RequestListener = (incoming, outgoing) => {
  proxied.push(`${incoming.method} ${incoming.url}`);
  const { pathname, search } = new URL(incoming.url ?? "");
  const target = { host: "127.0.0.1", port: new URL(server.baseUrl).port, path: pathname + search };
  const { method, headers } = incoming;
  const passed = sendRequest({ ...target, method, headers }, (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(outgoing);
  });
  incoming.pipe(passed);
};

/** Opens a tunnel to the server: the one with TLS for port 443. */
function openTunnel(url: string, socket: Duplex): void {
  proxied.push(`CONNECT ${url}`);
  const port = url.endsWith(":443") ? portOf(secureServer) : Number(new URL(server.baseUrl).port);
  const tunnel = connect(port, "127.0.0.1", () => {
    socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    tunnel.pipe(socket).pipe(tunnel);
  });
  for (const one of [socket, tunnel]) one.on("error", () => {});
}

beforeAll(async () => {
  server = await startStubServer({
    "GET /auth/me": () => ({ body: user }),
    "GET /config": () => ({ body: { version: "9.0.0" } }),
  });
  proxy = createServer(passOn);
  proxy.on("connect", ({ url = "" }, socket) => openTunnel(url, socket));
  secureServer = createSecureServer(SELF_SIGNED, (_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(user)),
  );
  await Promise.all([listen(proxy), listen(secureServer)]);
});
afterAll(async () => {
  for (const one of [proxy, secureServer]) one.close();
  await server.close();
});
beforeEach(() => {
  folder = createConfigFolder();
  proxied.length = 0;
});
afterEach(() => folder.remove());

const variables = (baseUrl: string) => ({
  FEATHER_BASE_URL: baseUrl,
  FEATHER_CONFIG_DIR: folder.dir,
  FEATHER_CACHE_DIR: join(folder.dir, "cache"),
  FEATHER_API_KEY: "rc_key",
});
const proxyUrl = () => `http://127.0.0.1:${portOf(proxy)}`;
const CALL = ["api", "GET", "/auth/me", "--jq", ".username"];

test("a command reaches the server through the proxy", async () => {
  const env = { HTTP_PROXY: proxyUrl() };
  expect(await runCli(CALL, variables("http://feather.example"), { env })).toEqual({
    code: 0,
    out: "maria\n",
    err: "",
  });
  expect(proxied).toHaveLength(1);
  expect(proxied[0]).toContain("feather.example");
  // Not the name of the library that speaks to the proxy.
  expect(server.requests.at(-1)?.headers["user-agent"]).toBe("feather-cli/1.2.3");
});

test("a command reaches a server with TLS through a tunnel of the proxy", async () => {
  mkdirSync(folder.dir, { recursive: true });
  const authority = join(folder.dir, "authority.pem");
  writeFileSync(authority, SELF_SIGNED.cert);
  const { stdout } = await execute(process.execPath, [sourceFile("../main.ts"), ...CALL], {
    env: { ...variables("https://localhost"), HTTPS_PROXY: proxyUrl(), NODE_EXTRA_CA_CERTS: authority },
  });
  expect(stdout).toBe("maria\n");
  expect(proxied).toEqual(["CONNECT localhost:443"]);
});

test("a host of NO_PROXY is reached directly", async () => {
  const env = { HTTP_PROXY: proxyUrl(), NO_PROXY: new URL(server.baseUrl).hostname };
  expect(await runCli(CALL, variables(server.baseUrl), { env })).toMatchObject({ code: 0 });
  expect(proxied).toEqual([]);
});

test("a proxy that is away is named, and not the server", async () => {
  const closed = createServer();
  await listen(closed);
  const address = `http://127.0.0.1:${portOf(closed)}`;
  await new Promise((resolve) => closed.close(resolve));
  const { code, err } = await runCli(CALL, variables(server.baseUrl), { env: { HTTP_PROXY: address } });
  expect([code, err]).toEqual([10, expect.stringContaining(`the proxy ${address} cannot be reached: nothing listens`)]);
  expect(err).toContain("NO_PROXY");
  expect(err).not.toContain("is the server running");
});

test("the look-up of a newer version goes through the proxy", async () => {
  const env = { ...variables("http://feather.example"), HTTP_PROXY: proxyUrl() };
  await execute(process.execPath, [sourceFile("../update/look-up.ts"), "1.2.3"], { env });
  expect(proxied).toHaveLength(1);
  const key = ["version of the program that the server gives out", "http://feather.example"];
  expect(server.requests.at(-1)?.headers["user-agent"]).toBe("feather-cli/1.2.3");
  expect(readCache(env.FEATHER_CACHE_DIR, key)?.value).toMatchObject({ newest: "9.0.0" });
});
