import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { Hub } from "../../hub/hub.ts";
import { type DownloadFile, download } from "./download.ts";
import { DEFAULT_TRANSFER, WrongFileError } from "./transfer.ts";

const CONTENT = Buffer.from("feathers are light ".repeat(100));
const SHA = createHash("sha256").update(CONTENT).digest("hex");
const folder = mkdtempSync(join(tmpdir(), "download-"));
const part = join(folder, "part");
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => rmSync(part, { force: true }));

const file = { path: "one.gguf", size: CONTENT.length, sha256: SHA };
const settings = DEFAULT_TRANSFER;
const sourceOf = (files: DownloadFile[]) => ({ id: "acme/one", revision: "main", files });

function hubOf(
  send: (from: number) => AsyncIterable<Uint8Array>,
  headers: { size?: number; sha256?: string } = {},
): Hub {
  const never = async () => {
    throw new Error("not asked");
  };
  return {
    isComplete: true,
    model: never,
    verifyAccess: never,
    findQuantized: never,
    download: async (_id, _path, { from = 0 } = {}) => ({
      size: CONTENT.length,
      sha256: null,
      etag: null,
      revision: null,
      from,
      to: CONTENT.length,
      body: send(from),
      ...headers,
    }),
  };
}

async function* inPieces(from: number): AsyncGenerator<Uint8Array> {
  for (let at = from; at < CONTENT.length; at += 100) yield CONTENT.subarray(at, at + 100);
}

function fetchTo(hub: Hub, to = part, signal = new AbortController().signal) {
  const progress: number[] = [];
  const done = download(hub, sourceOf([{ ...file, partPath: to }]), {
    settings,
    onProgress: (bytes) => progress.push(bytes),
    onVerifying: () => {},
    signal,
  });
  return { done, progress };
}

describe("download", () => {
  test("a download reports progress and returns the checksum", async () => {
    const { done, progress } = fetchTo(hubOf(inPieces));
    expect(await done).toEqual([SHA]);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    expect([progress[0], progress.at(-1)]).toEqual([0, CONTENT.length]);
    expect(readFileSync(part).equals(CONTENT)).toBe(true);
  });

  test.each([1, 99, 100, 101, CONTENT.length - 1])("a download resumes from byte %i", async (there) => {
    writeFileSync(part, CONTENT.subarray(0, there));
    const offsets: number[] = [];
    const hub = hubOf((from) => {
      offsets.push(from);
      return inPieces(from);
    });
    expect(await fetchTo(hub).done).toEqual([SHA]);
    expect(offsets).toEqual([there]);
  });

  test("a download requests nothing for a complete file and starts again if it is too long", async () => {
    writeFileSync(part, CONTENT);
    const nothing = hubOf(() => {
      throw new Error("asked");
    });
    expect(await fetchTo(nothing).done).toEqual([SHA]);
    writeFileSync(part, Buffer.concat([CONTENT, CONTENT]));
    expect(await fetchTo(hubOf(inPieces)).done).toEqual([SHA]);
  });

  test("a download deletes a partial file that was changed before it was resumed", async () => {
    writeFileSync(part, Buffer.alloc(50));
    await expect(fetchTo(hubOf(inPieces)).done).rejects.toBeInstanceOf(WrongFileError);
    expect(existsSync(part)).toBe(false);
  });

  test.each([
    [
      "a fault of the connection",
      "hub.unavailable",
      async function* () {
        yield CONTENT.subarray(0, 500);
        throw new TypeError("terminated");
      },
    ],
    [
      "an end too early",
      "hub.unavailable",
      async function* () {
        yield CONTENT.subarray(0, 500);
      },
    ],
  ])("a download keeps the partial file after %s", async (_what, code, send) => {
    await expect(fetchTo(hubOf(send)).done).rejects.toMatchObject({ status: 503, code });
    expect(readFileSync(part).equals(CONTENT.subarray(0, 500))).toBe(true);
  });

  test("a download rejects more bytes than the announced size, and deletes what came", async () => {
    const endless = async function* () {
      for (;;) yield CONTENT;
    };
    await expect(fetchTo(hubOf(endless)).done).rejects.toBeInstanceOf(WrongFileError);
    expect(existsSync(part)).toBe(false);
  });

  test.each([{ size: 7 }, { sha256: "0".repeat(64) }])(
    "a download rejects a file that differs from the announced one: %j",
    async (headers) => {
      await expect(fetchTo(hubOf(inPieces, headers)).done).rejects.toThrow("is another file on the hub now");
    },
  );

  test("a download reports a full disk as an error of the disk", async () => {
    await expect(fetchTo(hubOf(inPieces), "/dev/full").done).rejects.toMatchObject({ code: "ENOSPC" });
  });

  test("a download downloads several files in their order, and counts them together", async () => {
    const other = join(folder, "other");
    writeFileSync(other, CONTENT.subarray(0, 100));
    const files = [
      { ...file, partPath: part },
      { ...file, path: "two.gguf", partPath: other },
    ];
    const progress: number[] = [];
    const done = await download(hubOf(inPieces), sourceOf(files), {
      settings,
      onProgress: (bytes) => progress.push(bytes),
      onVerifying: () => progress.push(-1),
      signal: new AbortController().signal,
    });
    expect(done).toEqual([SHA, SHA]);
    expect([progress[0], progress.at(-2), progress.at(-1)]).toEqual([100, 2 * CONTENT.length, -1]);
    rmSync(other);
  });

  test("a download keeps the other files when one of several has a wrong checksum", async () => {
    const other = join(folder, "other");
    const files = [
      { ...file, partPath: part },
      { ...file, path: "two.gguf", sha256: "0".repeat(64), partPath: other },
    ];
    const options = { settings, onProgress: () => {}, onVerifying: () => {}, signal: new AbortController().signal };
    await expect(download(hubOf(inPieces), sourceOf(files), options)).rejects.toThrow(
      "The checksum of two.gguf is wrong",
    );
    expect([existsSync(part), existsSync(other)]).toEqual([true, false]);
  });

  test("a download stops at once when aborted and keeps the partial file", async () => {
    const abort = new AbortController();
    const slow = async function* () {
      yield CONTENT.subarray(0, 300);
      abort.abort(new Error("stopped"));
      yield CONTENT.subarray(300);
    };
    await expect(fetchTo(hubOf(slow), part, abort.signal).done).rejects.toThrow("stopped");
    expect(readFileSync(part).length).toBe(300);
  });
});
