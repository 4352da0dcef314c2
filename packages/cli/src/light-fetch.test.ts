import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLightFetch } from "./light-fetch.ts";

const never = new AbortController().signal;
const light = createLightFetch() ?? expect.fail("This runtime has none.");
let server: Server;
let base = "";
let left = 0;
let elsewhere = "";

beforeAll(async () => {
  server = createServer(async (request, response) => {
    if (request.url === "/moved") return void response.writeHead(307, { location: "/echo" }).end();
    if (request.url === "/elsewhere") return void response.writeHead(302, { location: elsewhere }).end();
    if (request.url === "/zipped")
      return void response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("light as a feather"));
    if (request.url === "/endless") {
      response.once("close", () => {
        left += 1;
      });
      return void response.writeHead(200).write("first");
    }
    if (request.url === "/cut") {
      response.writeHead(200, { "content-length": "100" }).write("half");
      return void setTimeout(() => response.destroy(), 10);
    }
    let body = "";
    for await (const part of request) body += String(part);
    const { "x-name": name } = request.headers;
    response.writeHead(201, "Made", { "x-name": name ?? "", "set-cookie": ["a=1", "b=2"] });
    response.end(JSON.stringify({ method: request.method, body }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const post = { method: "POST", headers: { "x-name": "Maria" }, body: "鳥", signal: never };

test("sends method, headers and body, and returns a usable Response", async () => {
  const answer = await light(`${base}/echo`, post);
  expect([answer.ok, answer.status, answer.statusText]).toEqual([true, 201, "Made"]);
  expect([answer.headers.get("X-Name"), answer.headers.get("none")]).toEqual(["Maria", null]);
  expect(answer.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect(Object.fromEntries(answer.headers)).toMatchObject({ "x-name": "Maria" });
  expect(await answer.json()).toEqual({ method: "POST", body: "鳥" });
  expect(answer.bodyUsed).toBe(true);
});

test.each<[string, (answer: Response) => Promise<unknown>]>([
  ["text", (answer) => answer.text()],
  ["a stream", async (answer) => Buffer.concat(await Array.fromAsync(answer.body ?? [])).toString()],
  ["bytes", async (answer) => Buffer.from(await answer.arrayBuffer()).toString()],
  ["a copy", (answer) => answer.clone().text()],
])("decompresses a response that is read as %s", async (_, read) => {
  expect(await read(await light(`${base}/zipped`, { signal: never }))).toBe("light as a feather");
});

test("follows a redirect with its body", async () => {
  const answer = await light(`${base}/moved`, post);
  expect(await answer.json()).toEqual({ method: "POST", body: "鳥" });
});

test("sends no credentials to another server after a redirect", async () => {
  let sentAuthorization: string | undefined = "nothing yet";
  const other = createServer((request, response) => {
    sentAuthorization = request.headers.authorization;
    response.end("elsewhere");
  });
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
  const answer = await light(`${base}/elsewhere`, { headers: { authorization: "Bearer rc_x" }, signal: never });
  expect([await answer.text(), sentAuthorization]).toEqual(["elsewhere", undefined]);
  other.closeAllConnections();
  other.close();
});

test("cancelling the body or aborting the signal ends the request", async () => {
  const cancelled = await light(`${base}/endless`, { signal: never });
  await cancelled.body?.cancel();
  await expect.poll(() => left).toBe(1);
  const abort = new AbortController();
  const stopped = await light(`${base}/endless`, { signal: abort.signal });
  abort.abort();
  await expect(stopped.text()).rejects.toThrow(/abort/i);
  await expect.poll(() => left).toBe(2);
  await expect(light(`${base}/endless`, { signal: AbortSignal.abort() })).rejects.toThrow("fetch failed");
});

test("rejects for a truncated response and a refused connection", async () => {
  await expect((await light(`${base}/cut`, { signal: never })).text()).rejects.toThrow();
  await expect(light("http://127.0.0.1:4/", { signal: never })).rejects.toMatchObject({
    message: "fetch failed",
    cause: expect.objectContaining({ code: "ECONNREFUSED" }),
  });
});
