import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FakeHub, type FakeStore, parseRange, startFakeHub } from "@feather/testing/fake-hub";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readCardInThread } from "../../../testing/read-card.ts";
import { createHub } from "../../hub/index.ts";
import { countBytesHere } from "../files/partial-file.ts";
import { download } from "./download.ts";
import { DEFAULT_TRANSFER, WrongFileError } from "./transfer.ts";

/** Bytes that differ between positions, so that a byte at a wrong position is noticed. */
const CONTENT = Buffer.from(Array.from({ length: 400_000 }, (_, index) => (index * 31 + (index >> 8) * 7) % 251));
const SHA = createHash("sha256").update(CONTENT).digest("hex");
const SETTINGS = { connections: 4, minParallelBytes: 100_000, journalBytes: 10_000 };
const REVISION = "0123456789abcdef0123456789abcdef01234567";
const ID = "acme/large";
const PATH = "large.gguf";

const folder = mkdtempSync(join(tmpdir(), "transfer-"));
const part = join(folder, "large.part");
let hub: FakeHub;
/** The ranges that were requested from the store. */
let ranges: (string | undefined)[] = [];

beforeAll(async () => {
  hub = await startFakeHub([{ id: ID, files: { [PATH]: CONTENT } }]);
});
afterAll(async () => {
  await hub.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  for (const name of [part, `${part}.missing`]) rmSync(name, { force: true });
  ranges = [];
  hub.state.store = storeOf();
});

type StoreChange = {
  /** Returns the ETag of the response to the request with this number. */
  etag?: (count: number) => string;
  headers?: Record<string, string>;
  ignoresRanges?: boolean;
  /** Returns the number of bytes after which the connection of a response ends. */
  cutAfter?: (count: number) => number | undefined;
};

/** Returns a store that sends correct responses, except for what `change` alters. */
function storeOf({
  etag,
  headers = {},
  ignoresRanges = false,
  cutAfter = () => undefined,
}: StoreChange = {}): FakeStore {
  return (request, response, bytes) => {
    const count = ranges.push(request.headers.range);
    const isPart = request.headers.range !== undefined && !ignoresRanges;
    const { start, end } = isPart ? parseRange(request, bytes.length) : { start: 0, end: bytes.length };
    response.writeHead(isPart ? 206 : 200, {
      "content-length": end - start,
      ...(isPart && { "content-range": `bytes ${start}-${end - 1}/${bytes.length}` }),
      ...(etag && { etag: etag(count) }),
      ...headers,
    });
    send(response, bytes.subarray(start, end), cutAfter(count));
  };
}

function send(response: ServerResponse, bytes: Buffer, cut: number | undefined): void {
  if (cut === undefined) response.end(bytes);
  else response.write(bytes.subarray(0, cut), () => setTimeout(() => response.socket?.resetAndDestroy(), 20));
}

function fetchFile({ sha256 = SHA, settings = SETTINGS }: { sha256?: string | null; settings?: typeof SETTINGS } = {}) {
  const source = { id: ID, revision: REVISION, files: [{ path: PATH, size: CONTENT.length, sha256, partPath: part }] };
  const progress: number[] = [];
  const done = download(createHub({ dir: undefined, url: hub.baseUrl }, [], readCardInThread), source, {
    settings,
    onVerifying: () => {},
    signal: new AbortController().signal,
    onProgress: (bytes) => progress.push(bytes),
  });
  return { done, progress };
}
const isWhole = () => readFileSync(part).equals(CONTENT);

describe("a large file", () => {
  test("a large file comes in ranges on several connections", async () => {
    const { done, progress } = fetchFile();
    expect(await done).toEqual([SHA]);
    expect(isWhole()).toBe(true);
    expect(ranges.toSorted()).toEqual([
      "bytes=0-99999",
      "bytes=100000-199999",
      "bytes=200000-299999",
      "bytes=300000-399999",
    ]);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    expect(progress.at(-1)).toBe(CONTENT.length);
    expect(existsSync(`${part}.missing`)).toBe(false);
  });

  test("a large file comes on one connection when it is below the bound", async () => {
    expect(await fetchFile({ settings: DEFAULT_TRANSFER }).done).toEqual([SHA]);
    expect(ranges).toEqual([undefined]);
  });

  test("a large file continues each range after a failure, and requests no byte twice that is here", async () => {
    hub.state.store = storeOf({ cutAfter: (count) => (count === 2 ? 40_000 : undefined) });
    await expect(fetchFile().done).rejects.toMatchObject({ code: "hub.unavailable" });
    const here = await countBytesHere(part);
    expect(here).toBeGreaterThan(0);
    expect(statSync(part).size).toBe(CONTENT.length);
    [ranges, hub.state.store] = [[], storeOf()];
    const { done, progress } = fetchFile();
    expect(await done).toEqual([SHA]);
    const requested = ranges.map((range) => /^bytes=(\d+)-(\d+)$/.exec(range ?? "") ?? []);
    expect(requested.reduce((sum, [, from, to]) => sum + Number(to) + 1 - Number(from), 0)).toBe(CONTENT.length - here);
    expect(progress[0]).toBe(here);
  });

  test("a large file continues on several connections what came on one", async () => {
    writeFileSync(part, CONTENT.subarray(0, 200_000));
    expect(await fetchFile().done).toEqual([SHA]);
    expect(ranges.toSorted()).toEqual([
      "bytes=200000-249999",
      "bytes=250000-299999",
      "bytes=300000-349999",
      "bytes=350000-399999",
    ]);
  });

  test.each([
    ["is not there", () => rmSync(part)],
    ["is too short for what its journal says", () => writeFileSync(part, CONTENT.subarray(0, 10))],
    ["has a journal that cannot be read", () => writeFileSync(`${part}.missing`, "{")],
    ["has a journal of another size", () => writeFileSync(`${part}.missing`, '{"size":7,"etag":null,"missing":[]}')],
  ])("a large file is downloaded from the start when its partial file %s", async (_what, damage) => {
    hub.state.store = storeOf({ cutAfter: (count) => (count === 4 ? 10_000 : undefined) });
    await expect(fetchFile().done).rejects.toMatchObject({ code: "hub.unavailable" });
    damage();
    [ranges, hub.state.store] = [[], storeOf()];
    expect(await fetchFile({ sha256: null }).done).toEqual([SHA]);
    expect(ranges.filter((range) => range?.startsWith("bytes=0-"))).toHaveLength(1);
  });

  test("a large file is only compared with its checksum if its journal lacks nothing", async () => {
    writeFileSync(part, CONTENT);
    writeFileSync(`${part}.missing`, JSON.stringify({ size: CONTENT.length, etag: null, missing: [] }));
    expect(await fetchFile().done).toEqual([SHA]);
    expect([ranges, existsSync(`${part}.missing`)]).toEqual([[], false]);
  });

  test("a large file is continued after the process was killed", async () => {
    // Each response sends the first half of its range, and ends.
    hub.state.store = (request, response, bytes) => {
      ranges.push(request.headers.range);
      const { start, end } = parseRange(request, bytes.length);
      const range = { "content-range": `bytes ${start}-${end - 1}/${bytes.length}` };
      response.writeHead(206, { "content-length": end - start, ...range });
      response.write(bytes.subarray(start, start + 50_000));
    };
    await killDuringDownload();
    const here = await countBytesHere(part);
    expect(here).toBeGreaterThan(0);
    expect(here).toBeLessThan(CONTENT.length);
    [ranges, hub.state.store] = [[], storeOf()];
    const { done, progress } = fetchFile();
    expect(await done).toEqual([SHA]);
    expect([isWhole(), progress[0]]).toEqual([true, here]);
  });
});

/** Downloads in a separate process, and kills it when its journal says that some bytes were stored. */
async function killDuringDownload(): Promise<void> {
  const moduleUrl = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const files = [{ path: PATH, size: CONTENT.length, sha256: SHA, partPath: part }];
  const program = `
    import { createHub } from ${moduleUrl("../../hub/create-hub.ts")};
    import { download } from ${moduleUrl("./download.ts")};
    await download(createHub({ url: ${JSON.stringify(hub.baseUrl)} }, [], async () => ({})), ${JSON.stringify({ id: ID, revision: REVISION, files })}, {
      settings: ${JSON.stringify(SETTINGS)},
      onProgress() {},
      onVerifying() {},
      signal: new AbortController().signal,
    });`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], { stdio: "inherit" });
  const ended = new Promise((resolve) => child.once("close", resolve));
  await expect.poll(() => countBytesHere(part), { timeout: 20_000 }).toBeGreaterThan(0);
  child.kill("SIGKILL");
  await ended;
}

describe("a hub that changes or does not know ranges", () => {
  test("a hub that ignores ranges sends the file in one stream", async () => {
    hub.state.store = storeOf({ ignoresRanges: true });
    const { done, progress } = fetchFile();
    expect(await done).toEqual([SHA]);
    expect([isWhole(), progress.at(-1)]).toEqual([true, CONTENT.length]);
    expect(existsSync(`${part}.missing`)).toBe(false);
  });

  test("a hub that ignores ranges from some request on sends the rest in one stream", async () => {
    const [withRanges, without] = [
      storeOf({ cutAfter: (count) => (count === 3 ? 10 : undefined) }),
      storeOf({ ignoresRanges: true }),
    ];
    hub.state.store = withRanges;
    await expect(fetchFile().done).rejects.toMatchObject({ code: "hub.unavailable" });
    hub.state.store = without;
    expect(await fetchFile().done).toEqual([SHA]);
    expect(isWhole()).toBe(true);
  });

  test.each<[string, StoreChange]>([
    ["its ETag", { etag: (count) => `"v${Math.min(count, 2)}"` }],
    ["its commit", { headers: { "x-repo-commit": "f".repeat(40) } }],
  ])(
    "a download is refused when a file changes %s between two ranges, and what came is deleted",
    async (_what, change) => {
      hub.state.store = storeOf(change);
      const { done } = fetchFile();
      await expect(done).rejects.toBeInstanceOf(WrongFileError);
      await expect(done).rejects.toThrow("large.gguf is another file on the hub now");
      expect([existsSync(part), existsSync(`${part}.missing`)]).toEqual([false, false]);
    },
  );

  test("a download is refused when the size of its file changes between two ranges", async () => {
    const right = storeOf();
    hub.state.store = (request, response, bytes) =>
      right(request, response, ranges.length < 2 ? bytes : Buffer.concat([bytes, bytes]));
    await expect(fetchFile().done).rejects.toBeInstanceOf(WrongFileError);
  });

  test("a file may have another ETag in a later attempt if it has a checksum", async () => {
    hub.state.store = storeOf({ etag: () => '"old"', cutAfter: (count) => (count === 2 ? 10 : undefined) });
    await expect(fetchFile().done).rejects.toMatchObject({ code: "hub.unavailable" });
    hub.state.store = storeOf({ etag: () => '"new"' });
    expect(await fetchFile().done).toEqual([SHA]);
  });

  test("a file with another ETag in a later attempt is refused if there is no checksum", async () => {
    hub.state.store = storeOf({ etag: () => '"old"', cutAfter: (count) => (count === 2 ? 10 : undefined) });
    await expect(fetchFile({ sha256: null }).done).rejects.toMatchObject({ code: "hub.unavailable" });
    hub.state.store = storeOf({ etag: () => '"new"' });
    await expect(fetchFile({ sha256: null }).done).rejects.toBeInstanceOf(WrongFileError);
  });

  test("a download stops all connections when one is limited", async () => {
    hub.state.store = (_request, response) => void response.writeHead(429, { "retry-after": "9" }).end();
    await expect(fetchFile().done).rejects.toMatchObject({
      code: "hub.rate_limited",
      headers: { "retry-after": "9" },
    });
  });
});
