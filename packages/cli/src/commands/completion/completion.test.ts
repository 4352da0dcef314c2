import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildDeployment, buildModel, buildPage } from "@feather/testing/builders";
import { errorResponse } from "@feather/testing/errors";
import { startHttpServer } from "@feather/testing/http-server";
import { startStubServer } from "@feather/testing/stub-server";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { writeProfile } from "../../config/config-store.ts";
import { apiKey } from "../../testing/fixtures.ts";
import { createConfigFolder, NOW, type RunOptions, runCli } from "../../testing/run-cli.ts";
import { SCRIPTS, SHELLS } from "./scripts.ts";

let server: Awaited<ReturnType<typeof startStubServer>>;
let folder: ReturnType<typeof createConfigFolder>;

beforeAll(async () => {
  server = await startStubServer({
    "GET /feather/models": ({ url }) => ({
      body: url.includes("search=rare")
        ? buildPage([buildModel({ id: "rare/bird" })])
        : buildPage([
            buildModel(),
            buildModel({ id: "feather/demo", name: "Demo" }),
            buildModel({ id: "$(touch\tran)" }),
          ]),
    }),
    "GET /api-keys": () => ({
      body: buildPage([
        apiKey,
        ...["twice", "twice", "two words"].map((name, index) => ({ ...apiKey, id: `key_${index + 2}`, name })),
      ]),
    }),
    "GET /feather/private-models": () => errorResponse(403, "key_scope_denied", "No."),
    "GET /application": () => ({ body: { items: [{ id: "app_1", name: "Notes" }] } }),
    "GET /admin/deployments": () => ({ body: buildPage([buildDeployment({ name: "support-bot" })]) }),
    "GET /feather/private-cloud/deployments": () => ({ body: buildPage([buildDeployment({ name: "support-bot" })]) }),
  });
});
afterAll(() => server.close());
beforeEach(() => {
  folder = createConfigFolder();
  server.requests.length = 0;
});
afterEach(() => folder.remove());

const environment = () => ({
  FEATHER_BASE_URL: server.baseUrl,
  FEATHER_CONFIG_DIR: folder.dir,
  FEATHER_CACHE_DIR: join(folder.dir, "cache"),
  FEATHER_API_KEY: "rc_key",
});

/** The values that can stand in the place of the last word. */
async function candidates(words: readonly string[], settings: RunOptions = {}): Promise<string[]> {
  const { out } = await runCli(["complete", "--", ...words], environment(), settings);
  return out
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split("\t")[0] ?? "");
}

describe("candidates", () => {
  test.each<[string[], string[]]>([
    [["mo"], ["models"]],
    [
      ["profile", ""],
      ["list", "use", "remove"],
    ],
    [["--profile", "x", "models", "sh"], ["show"]],
    [["models", "list", "--so"], ["--sort"]],
    [["models", "list", "--sort", "-rel"], ["-released_date"]],
    [["models", "list", "--format", "a"], ["agent"]],
    [["models", "list", "--format=a"], ["--format=agent"]],
    [["models", "list", "--format", "=", "a"], ["agent"]],
    [
      ["keys", "list", "--json", "id,la"],
      ["id,last4", "id,last_used_at"],
    ],
    [
      ["profile", "list", "--json", ""],
      ["name", "base_url", "user", "signed_in", "current"],
    ],
    [["models", "list", "--json", "own"], ["owned_by"]],
    [["models", "show", "qwen/"], ["Qwen/Qwen3-32B"]],
    [["chat", "-m", "f"], ["feather/demo"]],
    [["chat", "--model=f"], ["--model=feather/demo"]],
    [
      ["keys", "delete", ""],
      ["production", "key_2", "key_3", "key_4"],
    ],
    [["keys", "show", "prod"], ["production"]],
    [["keys", "show", "key_1"], ["key_1"]],
    [["apps", "show", "N"], ["Notes"]],
    [["deployments", "logs", "sup"], ["support-bot"]],
    [["admin", "deployments", "redeploy", ""], ["dep_1"]],
    [["completion", "f"], ["fish"]],
    [["api", "GET", "/feather/fav"], ["/feather/favorites"]],
    [["l"], ["login", "logout", "launch", "ls"]],
    [["ls", "--so"], ["--sort"]],
    [["run", "-m", "f"], ["feather/demo"]],
    [["nonsense", ""], []],
  ])("the command line %j is completed with %j", async (words, expected) => {
    expect(await candidates(words)).toEqual(expected);
  });

  test("hidden nouns are not offered", async () => {
    const nouns = await candidates([""]);
    expect(nouns).toEqual(expect.arrayContaining(["login", "models", "completion"]));
    expect(nouns).not.toContain("complete");
  });

  test("a flag that is given already is not offered again", async () => {
    expect(await candidates(["models", "list", "--warm", "--wa"])).toEqual([]);
  });
});

describe("names from the server", () => {
  test("names from the server are cached for five minutes", async () => {
    const at = (minutes: number) => ({ now: () => new Date(NOW.getTime() + minutes * 60_000) });
    for (const minutes of [0, 1, 4]) await candidates(["models", "show", ""], at(minutes));
    expect(server.requests).toHaveLength(1);
    await candidates(["models", "show", ""], at(6));
    expect(server.requests).toHaveLength(2);
  });

  test("names from the server are searched for when the first page has no match", async () => {
    expect(await candidates(["models", "show", "rare"])).toEqual(["rare/bird"]);
    expect(server.requests.map(({ url }) => url)).toEqual([
      "/feather/models?perPage=100",
      "/feather/models?perPage=100&search=rare",
    ]);
  });

  test("names from the server are omitted when a shell could interpret them", async () => {
    expect(await candidates(["models", "show", ""])).toEqual(["Qwen/Qwen3-32B", "feather/demo"]);
  });

  test("names from the server are omitted silently when the server is unreachable", async () => {
    const away = { env: { FEATHER_BASE_URL: "http://127.0.0.1:1" } };
    expect(await runCli(["complete", "--", "models", "show", ""], environment(), away)).toEqual({
      code: 0,
      out: "",
      err: "",
    });
  });

  test("names from the server are omitted silently when the server does not answer in time, for which the wait is limited", async () => {
    const silent = await startHttpServer(() => {});
    const away = { env: { FEATHER_BASE_URL: silent.url } };
    expect(await runCli(["complete", "--", "keys", "delete", ""], environment(), away)).toEqual({
      code: 0,
      out: "",
      err: "",
    });
    await silent.close();
  });

  test("names from the server are listed without renewing a sign-in, which could take long", async () => {
    const tokens = { secret: "oat_1", refreshToken: "ort_1", expiresAt: "2020-01-01T00:00:00.000Z" };
    await writeProfile(folder.dir, "default", { baseUrl: server.baseUrl, ...tokens });
    expect(await candidates(["deployments", "logs", ""], { env: { FEATHER_API_KEY: "" } })).toEqual(["support-bot"]);
    expect(server.requests.map(({ authorization }) => authorization)).toEqual(["Bearer oat_1"]);
  });

  test("names from the server are omitted silently when the credential may not list them", async () => {
    expect(await runCli(["complete", "--", "private-models", "show", ""], environment())).toEqual({
      code: 0,
      out: "",
      err: "",
    });
  });

  test("names from the server are completed without a cache when it cannot be written", async () => {
    mkdirSync(folder.dir);
    writeFileSync(join(folder.dir, "cache"), "a file, no folder");
    expect(await candidates(["chat", "-m", "feather/"])).toEqual(["feather/demo"]);
  });
});

describe("completion scripts", () => {
  test.each(SHELLS)("the script for %s calls the program", async (shell) => {
    const { code, out } = await runCli(["completion", shell], environment());
    expect([code, out]).toEqual([0, `${SCRIPTS[shell]}\n`]);
    expect(out).toContain("feather complete");
  });

  test("an unknown shell is rejected with the list of shells", async () => {
    const { code, err } = await runCli(["completion", "tcsh"], environment());
    expect([code, err]).toEqual([2, expect.stringContaining("bash, zsh, fish, powershell")]);
  });

  // The other shells are not on every machine; bash is needed to test.
  test("the bash script completes and evaluates nothing on the line", () => {
    const bin = join(folder.dir, "bin");
    mkdirSync(bin, { recursive: true });
    const main = fileURLToPath(new URL("../../main.ts", import.meta.url));
    writeFileSync(join(bin, "feather"), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`, { mode: 0o755 });
    const words = (line: string[]) => {
      const set = `COMP_WORDS=(feather ${line.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${line.length}; COMPREPLY=()`;
      const script = `${SCRIPTS.bash}\n${set}\n_feather_complete\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
      const { PATH = "" } = process.env;
      const env = {
        PATH: `${bin}:${PATH}`,
        FEATHER_CONFIG_DIR: folder.dir,
        FEATHER_CACHE_DIR: join(folder.dir, "cache"),
      };
      return execFileSync("bash", ["--norc", "-c", script], { env, cwd: bin, encoding: "utf8" }).trim().split("\n");
    };
    expect(words(["profile", ""])).toEqual(["list", "use", "remove"]);
    expect(words(["models", "$(touch ran)", "--s"])).not.toContain("ran");
    expect(readdirSync(bin)).toEqual(["feather"]);
    expect(existsSync(join(bin, "ran"))).toBe(false);
  });
});
