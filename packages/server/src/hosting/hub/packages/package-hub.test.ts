import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { type HttpServer, type Respond, startHttpServer } from "@feather/testing/http-server";
import { afterEach, expect, test } from "vitest";
import { createOutgoing } from "../../../platform/core/network/outgoing.ts";
import { hubUnavailable } from "../hub.errors.ts";
import type { Hub } from "../hub.ts";
import { withPackagedModels } from "./package-hub.ts";
import { PACKAGED_MODELS, type PackagedModel } from "./package-models.ts";

const CONTENT = Buffer.from("GGUF".repeat(5_000));
const COMPRESSED = deflateRawSync(CONTENT);
const WHEEL = Buffer.concat([Buffer.from("header"), COMPRESSED, Buffer.from("directory")]);
const FILENAME = "a_model-1.0-py3-none-any.whl";
const MODEL: PackagedModel = {
  id: "Owner/Tiny",
  license: "apache-2.0",
  parameters: 1000,
  architecture: "llama",
  summary: "A model.",
  file: { name: "tiny.gguf", bytes: CONTENT.length, sha256: createHash("sha256").update(CONTENT).digest("hex") },
  wheel: { project: "a-model", filename: FILENAME, offset: 6, compressedBytes: COMPRESSED.length },
};
const JSON_PAGE = {
  "content-type": "application/vnd.pypi.simple.v1+json",
  body: JSON.stringify({
    files: [{ filename: "other.whl", url: "/other.whl" }, { url: `/files/${FILENAME}#sha256=x` }],
  }),
};
const HTML_PAGE = {
  "content-type": "text/html",
  body: `<a href="../../files/other.whl">other</a><a data-x="1" href='../../files/${FILENAME}#sha256=x'>it</a>`,
};

let server: HttpServer | undefined;
afterEach(() => server?.close());

async function startIndex(page: { "content-type": string; body: string }, more: Respond = sendFile) {
  server = await startHttpServer((request, response, ...others) => {
    if (request.url !== "/simple/a-model/") return more(request, response, ...others);
    response.setHeader("content-type", page["content-type"]);
    response.end(page.body);
  });
  return server;
}

const sendFile: Respond = ({ headers }, response) => {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
  response.writeHead(206, { "content-range": `bytes ${from}-${to}/${WHEEL.length}` });
  response.end(WHEEL.subarray(Number(from), Number(to) + 1));
};

const fail = async () => {
  throw hubUnavailable();
};

function hubWith(index: HttpServer, hub: Partial<Hub> = {}): Hub {
  const main = { isComplete: true, model: fail, download: fail, findQuantized: fail, verifyAccess: fail, ...hub };
  const outgoing = createOutgoing({ allow: ["127.0.0.1"] });
  return withPackagedModels({ hub: main, outgoing, indexUrl: `${index.url}/simple/`, models: [MODEL] });
}

async function readAll(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts);
}

test.each([
  ["JSON", JSON_PAGE],
  ["HTML", HTML_PAGE],
])("while the hub cannot be reached, a packaged model comes from an index in %s", async (_form, page) => {
  const hub = hubWith(await startIndex(page));
  const model = await hub.model("owner/tiny");
  expect(model).toMatchObject({
    id: "Owner/Tiny",
    license: "apache-2.0",
    files: [{ path: "tiny.gguf", size: CONTENT.length, sha256: MODEL.file.sha256 }],
  });
  const download = await hub.download(model.id, "tiny.gguf", { revision: model.revision });
  expect(download).toMatchObject({ size: CONTENT.length, from: 0, to: CONTENT.length, sha256: MODEL.file.sha256 });
  expect(await readAll(download.body)).toEqual(CONTENT);
});

test("what is there already is passed over, and a part is answered with the whole", async () => {
  const hub = hubWith(await startIndex(JSON_PAGE));
  const { revision } = await hub.model("Owner/Tiny");
  const rest = await hub.download("Owner/Tiny", "tiny.gguf", { revision, from: 4_001 });
  expect([rest.from, await readAll(rest.body)]).toEqual([4_001, CONTENT.subarray(4_001)]);
  const part = await hub.download("Owner/Tiny", "tiny.gguf", { revision, from: 100, to: 200 });
  expect([part.from, part.to]).toEqual([0, CONTENT.length]);
});

test("the hub is asked first, and its answer counts", async () => {
  const index = await startIndex(JSON_PAGE);
  const found = { id: "Owner/Tiny", revision: "abc" } as Awaited<ReturnType<Hub["model"]>>;
  const download = async () => ({ revision: "abc" }) as Awaited<ReturnType<Hub["download"]>>;
  const hub = hubWith(index, { model: async () => found, download });
  expect(await hub.model("Owner/Tiny")).toBe(found);
  expect(await hub.download("Owner/Tiny", "tiny.gguf", { revision: "abc" })).toEqual({ revision: "abc" });
  expect(index.requests).toEqual([]);
});

test("other models stay unavailable", async () => {
  const hub = hubWith(await startIndex(JSON_PAGE));
  await expect(hub.model("owner/other")).rejects.toMatchObject({ code: "hub.unavailable" });
});

const reads = async (index: HttpServer) => {
  const { revision } = await hubWith(index).model("Owner/Tiny");
  const { body } = await hubWith(index).download("Owner/Tiny", "tiny.gguf", { revision });
  return readAll(body);
};

test.each<[string, { "content-type": string; body: string }, Respond, string]>([
  ["an index without the file", { ...JSON_PAGE, body: '{"files":[]}' }, sendFile, "hub.invalid_response"],
  ["an index that sends no list", { ...JSON_PAGE, body: "{" }, sendFile, "hub.invalid_response"],
  ["a server that sends the whole wheel", JSON_PAGE, (_, response) => response.end(WHEEL), "hub.invalid_response"],
  [
    "an index at a refused address",
    { ...JSON_PAGE, body: JSON.stringify({ files: [{ url: `http://10.0.0.1/${FILENAME}` }] }) },
    sendFile,
    "hub.unavailable",
  ],
])("a download fails with a known error for %s", async (_what, page, more, code) => {
  const index = await startIndex(page, more);
  await expect(reads(index)).rejects.toMatchObject({ code });
});

test("a wheel that is cut off is no complete file", async () => {
  const index = await startIndex(JSON_PAGE, (_request, response) => {
    response.writeHead(206, { "content-range": `bytes 6-${WHEEL.length}/${WHEEL.length}` });
    response.end(COMPRESSED.subarray(0, 10));
  });
  await expect(reads(index)).rejects.toThrow();
});

test("the committed models have a checksum and lie within their wheels", () => {
  for (const { file, wheel } of PACKAGED_MODELS) {
    expect(file.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(wheel.compressedBytes).toBeLessThan(file.bytes);
  }
});
