import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createTemporaryFolder } from "../testing/engine-process.ts";
import { FetchError, fetchFiles } from "./fetch-files.ts";

const CONTENT = Buffer.from("the weights of a model");
const SHA256 = createHash("sha256").update(CONTENT).digest("hex");

async function startServer(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/owner/name/resolve/main/model.gguf`;
}

/** A hub that gives a checksum, continues downloads, and records what was received. */
function hub(sha256 = SHA256) {
  const received: string[] = [];
  const answer: RequestListener = ({ method, headers }, response) => {
    received.push([method, headers.range, headers.authorization].filter(Boolean).join(" "));
    const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? "")?.[1] ?? 0);
    if (from >= CONTENT.length) return response.writeHead(416).end();
    response.writeHead(from > 0 ? 206 : 200, { "x-linked-etag": `"${sha256}"` });
    return response.end(CONTENT.subarray(from));
  };
  return { received, answer };
}

/**
 * Closes the connection of an answer once the receiver has stored what was sent: unstored bytes could be lost with the
 * connection.
 */
function breakOffOnce(isKept: () => boolean, response: ServerResponse): void {
  const check = setInterval(() => {
    if (!isKept()) return;
    clearInterval(check);
    response.destroy();
  }, 5);
}

function setup() {
  const folder = createTemporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const path = join(folder.path, "model.gguf");
  const partial = `${path}.${hostname()}.partial`;
  const run = (url: string, token?: string) =>
    fetchFiles({ folder: folder.path, urls: [url], token, wait: async () => {} }, () => {});
  return { path, partial, run };
}

test("downloads a file with the token, and not again", async () => {
  const { path, run } = setup();
  const { received, answer } = hub();
  const url = await startServer(answer);
  await run(url, "hf_1");
  expect(readFileSync(path)).toEqual(CONTENT);
  await run(url, "hf_1");
  expect(received).toEqual(["HEAD Bearer hf_1", "GET Bearer hf_1"]);
});

test("continues a download that broke off", async () => {
  const { path, partial, run } = setup();
  const { received, answer } = hub();
  writeFileSync(partial, CONTENT.subarray(0, 5));
  await run(await startServer(answer));
  expect(readFileSync(path)).toEqual(CONTENT);
  expect(received).toEqual(["HEAD", "GET bytes=5-"]);
});

test("reads a file again of which too much is there", async () => {
  const { path, partial, run } = setup();
  writeFileSync(partial, Buffer.concat([CONTENT, CONTENT]));
  await run(await startServer(hub().answer));
  expect(readFileSync(path)).toEqual(CONTENT);
});

test("goes on when the server breaks off in the middle, or is not ready again", async () => {
  const { path, partial, run } = setup();
  const { received, answer } = hub();
  let gets = 0;
  const url = await startServer((request, response) => {
    if (request.method === "HEAD") return answer(request, response);
    gets += 1;
    if (gets === 2) return response.writeHead(503).end();
    if (gets > 2) return answer(request, response);
    response.writeHead(200, { "content-length": CONTENT.length });
    response.write(CONTENT.subarray(0, 5));
    return breakOffOnce(() => existsSync(partial) && statSync(partial).size === 5, response);
  });
  await run(url);
  expect(readFileSync(path)).toEqual(CONTENT);
  expect(received.at(-1)).toBe("GET bytes=5-");
});

test("gives up on a server that stays away", async () => {
  let requests = 0;
  const url = await startServer((_request, response) => {
    requests += 1;
    response.writeHead(503).end();
  });
  await expect(setup().run(url)).rejects.toThrow(/status 503/);
  expect(requests).toBe(7);
});

test("comes back when the server says, however often, and gives up after the time for that", async () => {
  const { path, run } = setup();
  const { received, answer } = hub();
  let refusals = 0;
  const url = await startServer((request, response) => {
    if (refusals >= 20) return answer(request, response);
    refusals += 1;
    return response.writeHead(503, { "retry-after": "5" }).end();
  });
  await run(url);
  expect([readFileSync(path), received]).toEqual([CONTENT, ["HEAD", "GET"]]);

  let requests = 0;
  const busy = await startServer((_request, response) => {
    requests += 1;
    response.writeHead(503, { "retry-after": "60" }).end();
  });
  await expect(setup().run(busy)).rejects.toThrow(/status 503/);
  expect(requests, "an hour, and as often as at a server that does not say").toBe(60 + 7);
});

test("refuses a file with another checksum, and keeps nothing of it", async () => {
  const { path, partial, run } = setup();
  const url = await startServer(hub("0".repeat(64)).answer);
  await expect(run(url)).rejects.toThrow(FetchError);
  expect([path, partial].map((file) => readFileSync(file, { flag: "a+" }).length)).toEqual([0, 0]);
});

test("says which status the hub answers", async () => {
  const url = await startServer((_request, response) => response.writeHead(403).end());
  await expect(setup().run(url)).rejects.toThrow(/status 403/);
});
