import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildPage } from "@feather/testing/builders";
import { startStubServer } from "@feather/testing/stub-server";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readConfig } from "../../config/config-file.ts";
import { writeProfile } from "../../config/config-store.ts";
import { createConfigFolder, runCli } from "../../testing/run-cli.ts";

let folder: ReturnType<typeof createConfigFolder>;
let server: Awaited<ReturnType<typeof startStubServer>>;
const run = (line: string) => runCli(line.split(" "), { FEATHER_CONFIG_DIR: folder.dir });

beforeEach(async () => {
  folder = createConfigFolder();
  server = await startStubServer({ "GET /feather/models": () => ({ body: buildPage([]) }) });
  await writeProfile(folder.dir, "default", { baseUrl: server.baseUrl, secret: "rc_1", name: "maria" });
});
afterEach(async () => {
  folder.remove();
  await server.close();
});

test("a short name stands for a command with its flags, and what follows is added", async () => {
  expect(await run("alias set big -- models list --size 15B..")).toEqual({
    code: 0,
    out: "",
    err: "feather big stands for feather models list --size 15B.. now.\n",
  });
  expect((await run("big --search coder --json")).code).toBe(0);
  expect(Object.fromEntries(server.requests[0]?.query ?? [])).toMatchObject({ search: "coder", min_params: "15" });
  expect((await run("big --help")).out).toContain("Usage: feather models list");
});

test("short names are listed with those of the program, changed and removed", async () => {
  await run("alias set big -- models list --size 15B..");
  await run("alias set big -- models popular");
  expect((await run("alias list")).out.split("\n").slice(0, 2)).toEqual([
    "big\tmodels popular\tyours",
    "ls\tmodels list\t",
  ]);
  expect((await run("alias delete big")).err).toBe("Removed big.\n");
  expect(readConfig(folder.dir)).toMatchObject({ aliases: {}, profiles: { default: { secret: "rc_1" } } });
  expect((await run("big")).err).toContain("unknown command 'big'");
});

test("a sign-in keeps short names", async () => {
  await run("alias set big -- models popular");
  await writeProfile(folder.dir, "work", { baseUrl: server.baseUrl });
  expect(readConfig(folder.dir).aliases).toEqual({ big: ["models", "popular"] });
});

test("a short name is expanded once, so that it cannot stand for itself", async () => {
  await run("alias set big -- models popular");
  expect((await run("alias set bigger -- big")).code).toBe(2);
});

test.each([
  ["alias set chat -- models list", "feather chat is a command already"],
  ["alias set ls -- models list", "feather ls is a command already"],
  ["alias set help -- models list", "feather help is a command already"],
  ["alias set Big -- models list", "Big is no short name"],
  ["alias set big -- nothing", "there is no command nothing"],
  ["alias set big", "missing required argument"],
])("%s is refused, and nothing is written", async (line, message) => {
  const { code, err } = await run(line);
  expect([code, readConfig(folder.dir).aliases]).toEqual([2, {}]);
  expect(err).toContain(message);
});

test("removing one that is not there names the list", async () => {
  const { code, err } = await run("alias delete nothing");
  expect(code).toBe(3);
  expect(err).toContain("feather alias list");
});

test("a file whose short names are no lists is reported by commands that read it", async () => {
  writeFileSync(join(folder.dir, "config.json"), '{"aliases":{"big":"models list"}}');
  expect((await run("alias list")).err).toContain("aliases.big is no list");
  expect((await run("big")).code).toBe(2);
});
