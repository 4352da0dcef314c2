import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { createTestClock } from "@feather/testing/clock";
import { fc } from "@feather/testing/properties";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DAY_MS } from "../../../platform/core/time.ts";
import type { RepositoryFolder } from "../rows/model-rows.ts";
import { createSafetensorsFolders } from "./safetensors-folders.ts";

const clock = createTestClock();
let root: string;
let needed: RepositoryFolder[];
/** What the rows were asked for. */
let asks: { now: Date; since: Date }[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "safetensors-folders-"));
  needed = [];
  asks = [];
});
afterEach(() => rmSync(root, { recursive: true }));

const createFolders = () =>
  createSafetensorsFolders({
    root,
    storeRepository: {
      async listNeededFolders(times) {
        asks.push(times);
        return needed;
      },
    },
    clock,
  });
const filesOf = (repository: string, organization_id: string | null = null, revision = "one"): RepositoryFolder => ({
  repository,
  revision,
  organization_id,
});

/** Writes weights to the folder of a model, and returns it. */
function write(files: RepositoryFolder): string {
  const folder = createFolders().folderOf(files);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "model.safetensors"), "weights");
  return folder;
}

test("each commit of a model has a folder, and an organization never shares one with others", () => {
  const { folderOf } = createFolders();
  const folders = [
    filesOf("acme/tiny"),
    filesOf("acme/tiny", null, "two"),
    filesOf("acme/tiny", "org_1"),
    filesOf("acme/tiny", "org_2"),
  ];
  expect(folders.map((files) => relative(root, folderOf(files)))).toEqual([
    "repositories/acme--tiny/one",
    "repositories/acme--tiny/two",
    "organizations/org_1/acme--tiny/one",
    "organizations/org_2/acme--tiny/one",
  ]);
});

test("no name of a repository, a commit or an organization leads out of the folder of model files", () => {
  const name = fc.oneof(
    fc.string({ maxLength: 30, unit: "binary" }),
    fc.array(fc.constantFrom("..", ".", "/", "\\", "a", "\0"), { maxLength: 8 }).map((parts) => parts.join("")),
  );
  const { folderOf } = createFolders();
  fc.assert(
    fc.property(name, name, fc.option(name), (repository, revision, organization_id) => {
      const path = relative(root, folderOf({ repository, revision, organization_id }));
      expect(path.startsWith("..")).toBe(false);
      expect(path).toMatch(/^(repositories|organizations)(\/|$)/);
      expect(path).not.toContain("\0");
    }),
  );
});

test("removing a model removes all its commits, and the folder of an organization with its last model", async () => {
  const shared = write(filesOf("acme/tiny"));
  const own = ["one", "two"].map((revision) => write(filesOf("acme/tiny", "org_1", revision)));
  const other = write(filesOf("acme/other", "org_1"));
  const folders = createFolders();
  await folders.remove(filesOf("acme/tiny", "org_1"));
  expect([...own, other, shared].map(existsSync)).toEqual([false, false, true, true]);
  await folders.remove(filesOf("acme/other", "org_1"));
  expect(existsSync(join(root, "organizations/org_1"))).toBe(false);
});

test("removing a model that has no files changes nothing", async () => {
  const shared = write(filesOf("acme/tiny"));
  await createFolders().remove(filesOf("acme/missing", "org_1"));
  expect(existsSync(shared)).toBe(true);
});

test("the files that rows need are kept, those of other commits, models and organizations are deleted", async () => {
  needed = [filesOf("acme/tiny", null, "two"), filesOf("acme/tiny", "org_1")];
  const kept = needed.map(write);
  const deleted = [filesOf("acme/tiny"), filesOf("acme/gone"), filesOf("acme/tiny", "org_2")].map(write);
  await createFolders().deleteUnneeded();
  expect(kept.map(existsSync)).toEqual([true, true]);
  expect(deleted.map(existsSync)).toEqual([false, false, false]);
  expect(existsSync(join(root, "organizations/org_2"))).toBe(false);
  expect(existsSync(join(root, "repositories/acme--gone"))).toBe(false);
});

test("the files of an ended download are kept for two weeks", async () => {
  await createFolders().deleteUnneeded();
  expect(asks).toEqual([{ now: clock.now(), since: new Date(clock.at - 14 * DAY_MS) }]);
});

test("without any folder there is nothing to delete", async () => {
  await createFolders().deleteUnneeded();
  expect(existsSync(join(root, "repositories"))).toBe(false);
});
