import { chmodSync } from "node:fs";
import { join } from "node:path";
import { startStubServer } from "@feather/testing/stub-server";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readConfig } from "../../config/config-file.ts";
import { writeProfile } from "../../config/config-store.ts";
import { createConfigFolder, type RunOptions, runCli } from "../../testing/run-cli.ts";

let folder: ReturnType<typeof createConfigFolder>;
let server: Awaited<ReturnType<typeof startStubServer>>;
const run = (argv: string[], settings: RunOptions = {}) => runCli(argv, { FEATHER_CONFIG_DIR: folder.dir }, settings);

beforeEach(async () => {
  folder = createConfigFolder();
  server = await startStubServer({
    "POST /auth/logout": () => ({ status: 204 }),
    "GET /feather/models": () => ({ body: { items: [], pagination: {} } }),
  });
  await writeProfile(folder.dir, "default", { baseUrl: server.baseUrl, secret: "rc_1", name: "maria" });
  await writeProfile(folder.dir, "work", { baseUrl: server.baseUrl, secret: "ses_work", name: "mw" });
});
afterEach(async () => {
  folder.remove();
  await server.close();
});

describe("profiles", () => {
  test("profiles are listed, without their secrets", async () => {
    const { out } = await run(["profile", "list", "--json"]);
    expect(JSON.parse(out)).toEqual([
      { name: "default", base_url: server.baseUrl, user: "maria", signed_in: true, current: true },
      { name: "work", base_url: server.baseUrl, user: "mw", signed_in: true, current: false },
    ]);
  });

  test("profiles are chosen permanently, for one command, or by the environment", async () => {
    const usedBy = async (argv: string[], env = {}) => {
      server.requests.length = 0;
      await run(["models", "list", ...argv], { env });
      return server.requests[0]?.authorization;
    };
    expect(await usedBy([])).toBe("Bearer rc_1");
    expect((await run(["profile", "use", "work"])).err).toBe("The profile work holds from now on.\n");
    expect(await usedBy([])).toBe("Bearer ses_work");
    expect(await usedBy(["--profile", "default"])).toBe("Bearer rc_1");
    expect(await usedBy([], { FEATHER_PROFILE: "default" })).toBe("Bearer rc_1");
  });

  test("profiles are signed out at the server when they are removed", async () => {
    await run(["profile", "use", "work"]);
    expect(await run(["profile", "remove", "work", "--yes"])).toMatchObject({
      code: 0,
      err: "Forgot the profile work.\n",
    });
    expect(server.requests[0]).toMatchObject({ method: "POST", url: "/auth/logout", authorization: "Bearer ses_work" });
    expect(readConfig(folder.dir)).toMatchObject({ current: "default", profiles: { default: { secret: "rc_1" } } });
    expect(Object.keys(readConfig(folder.dir).profiles)).toEqual(["default"]);
  });

  test("profiles are removed even when the server is unreachable", async () => {
    await server.close();
    const { code, err } = await run(["profile", "remove", "work", "--yes"]);
    expect([code, err]).toEqual([0, expect.stringContaining("The server was not reached")]);
    expect(Object.keys(readConfig(folder.dir).profiles)).toEqual(["default"]);
  });

  test.each([
    [["profile", "use", "wrok"], "--profile work"],
    [["profile", "remove", "wrok", "--yes"], "--profile work"],
    [["models", "list", "--profile", "wrok"], "--profile work"],
    [["models", "list", "--profile", "elsewhere"], "feather login --profile elsewhere makes it"],
    [["profile", "remove", "work"], "--yes"],
  ])("%j is rejected with a hint", async (argv, hint) => {
    const { code, out, err } = await run(argv);
    expect([code, out, err]).toEqual([2, "", expect.stringContaining(hint)]);
    expect(server.requests).toEqual([]);
  });

  test("profiles are protected from other users, with a message", async () => {
    chmodSync(join(folder.dir, "config.json"), 0o644);
    expect((await run(["models", "list", "-q"])).err).toContain("is closed to them now");
    expect((await run(["models", "list", "-q"])).err).toBe("");
  });
});
