import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { errors } from "../../../platform/core/errors/index.ts";
import type { Hub, HubFile } from "../../hub/index.ts";
import { downloadRepository } from "./repository-files.ts";

const CONTENTS: Readonly<Record<string, string>> = {
  "config.json": "{}",
  "model.safetensors": "weights",
  "empty.txt": "",
  "sub/merges.txt": "merges",
};
const FILES: HubFile[] = Object.entries(CONTENTS).map(([path, text]) => ({ path, size: text.length, sha256: null }));
const ALL_BYTES = FILES.reduce((sum, { size }) => sum + size, 0);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "repository-files-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Downloads the files from a hub that has them, except those that `change` alters. Returns what happened. */
async function downloadAll(
  change: Partial<Record<string, () => Promise<never>>> = {},
  signal = new AbortController().signal,
) {
  const requested: string[] = [];
  const progress: number[] = [];
  const hub: Pick<Hub, "download"> = {
    async download(_id, path, { from = 0, to } = {}) {
      requested.push(path);
      await change[path]?.();
      const bytes = Buffer.from(CONTENTS[path] ?? "");
      const end = to ?? bytes.length;
      const body = (async function* () {
        yield bytes.subarray(from, end);
      })();
      return { size: bytes.length, sha256: null, revision: "one", from, to: end, etag: null, body };
    },
  };
  const source = { id: "acme/tiny", revision: "one", token: undefined, files: FILES, folder };
  const result = await downloadRepository(hub, source, (bytes) => void progress.push(bytes), signal).then(
    () => null,
    (error: unknown) => error,
  );
  return { requested, progress, error: result };
}

test("downloads all files of a repository to their paths below the folder", async () => {
  expect((await downloadAll()).error).toBeNull();
  for (const [path, text] of Object.entries(CONTENTS)) expect(readFileSync(join(folder, path), "utf8")).toBe(text);
  expect(readdirSync(folder).sort()).toEqual(["config.json", "empty.txt", "model.safetensors", "sub"]);
});

test("reports the bytes of all files together, which never decrease", async () => {
  const { progress } = await downloadAll();
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  expect(progress.at(-1)).toBe(ALL_BYTES);
});

test("files that are here already count as progress and are not requested again", async () => {
  await downloadAll();
  const { requested, progress } = await downloadAll();
  expect(requested.filter((path) => path !== "empty.txt")).toEqual([]);
  expect(progress.at(-1)).toBe(ALL_BYTES);
});

test("a file of another size is downloaded again", async () => {
  writeFileSync(join(folder, "model.safetensors"), "old weights");
  await downloadAll();
  expect(readFileSync(join(folder, "model.safetensors"), "utf8")).toBe("weights");
});

test("a failure keeps the complete files, and the next attempt continues after them", async () => {
  const unavailable = errors.hub.unavailable("The model hub broke off.");
  const failed = await downloadAll({ "model.safetensors": () => Promise.reject(unavailable) });
  expect(failed.error).toBe(unavailable);
  expect(existsSync(join(folder, "config.json"))).toBe(true);
  expect(existsSync(join(folder, "model.safetensors"))).toBe(false);
  const { requested, error } = await downloadAll();
  expect([error, requested.includes("config.json")]).toEqual([null, false]);
});

test("a download that was canceled before writes nothing", async () => {
  const { error } = await downloadAll({}, AbortSignal.abort(new Error("Canceled.")));
  expect(error).not.toBeNull();
  expect(readdirSync(folder).filter((name) => !name.endsWith(".part"))).toEqual([]);
});
