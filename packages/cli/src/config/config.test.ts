import { chmodSync, existsSync, mkdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toSiteUrl } from "@feather/sdk";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createConfigFolder } from "../testing/run-cli.ts";
import { readConfig, readProfiles, restrictPermissions } from "./config-file.ts";
import { CONFIG_MIGRATIONS, CONFIG_VERSION } from "./config-schema.ts";
import { setCurrentProfile, writeProfile } from "./config-store.ts";
import { readEnvironment } from "./environment.ts";
import { isUnencrypted, resolveSettings } from "./settings.ts";

/** Returns the content of a file of the current format. */
const withVersion = (properties: string) =>
  `{${properties},"__internal__":{"migrations":{"version":"${CONFIG_VERSION}"}}}`;

test("the last migration is that of the current version", () => {
  expect(Object.keys(CONFIG_MIGRATIONS).at(-1)).toBe(CONFIG_VERSION);
});

test.each([
  ["http://feather.example", true],
  ["http://192.168.0.7:4000", true],
  ["http://localhost.example", true],
  ["https://feather.example", false],
  ["http://localhost:4000", false],
  ["http://127.0.0.1:4000", false],
  ["http://[::1]:4000", false],
])("what is sent to %s can be read on the way: %s", (baseUrl, expected) => {
  expect(isUnencrypted(baseUrl)).toBe(expected);
});

describe("settings", () => {
  const profiles = {
    default: { baseUrl: "https://stored.example", secret: "ses_stored" },
    work: { baseUrl: "https://work.example", secret: "ses_work" },
  };
  const resolve = (flags: object, variables: Record<string, string>) =>
    resolveSettings(flags, readEnvironment(variables, "linux"), { profiles, current: "default", aliases: {} });

  test("settings come from the flag, then the environment, then the file, then the default", () => {
    const env = { FEATHER_BASE_URL: "https://env.example" };
    expect(resolve({ baseUrl: "https://flag.example/" }, env).baseUrl).toBe("https://flag.example");
    expect(resolve({}, env).baseUrl).toBe("https://env.example");
    expect(resolve({}, {}).baseUrl).toBe("https://stored.example");
    expect(
      resolveSettings({}, readEnvironment({}, "linux"), { profiles: {}, current: "default", aliases: {} }).baseUrl,
    ).toBe("http://localhost:4000");
  });

  test("settings take the environment's key before the stored one", () => {
    expect(resolve({}, { FEATHER_API_KEY: "rc_env", FEATHER_TOKEN: "ses_env" }).secret).toBe("rc_env");
    expect(resolve({}, { FEATHER_TOKEN: "ses_env" }).secret).toBe("ses_env");
    expect(resolve({}, {}).secret).toBe("ses_stored");
  });

  test("settings are read from the named profile", () => {
    expect(resolve({ profile: "work" }, {})).toMatchObject({ baseUrl: "https://work.example", secret: "ses_work" });
    expect(resolve({}, { FEATHER_PROFILE: "work" }).profile).toBe("work");
  });

  test("settings are read from the current profile when none is named", () => {
    const env = readEnvironment({}, "linux");
    expect(resolveSettings({}, env, { profiles, current: "work", aliases: {} }).secret).toBe("ses_work");
    expect(resolveSettings({ profile: "default" }, env, { profiles, current: "work", aliases: {} }).secret).toBe(
      "ses_stored",
    );
  });

  test("settings reject an unknown profile, unless it may be new", () => {
    expect(() => resolve({ profile: "wrok" }, {})).toThrow("there is no profile called wrok");
    expect(() => resolve({}, { FEATHER_PROFILE: "nowhere" })).toThrow("there is no profile called nowhere");
    expect(resolve({ profile: "new", allowsNewProfile: true }, {}).secret).toBeUndefined();
  });

  test("settings never send a stored secret to another server", () => {
    expect(resolve({ baseUrl: "https://other.example" }, {}).secret).toBeUndefined();
  });

  test.each(["", "/", "/api", "/api/", "/v1", "/v1/", "/api/v1", "/api/v1/"])(
    "settings take the address of the site, of its API and of clients of OpenAI, as the SDK does: …%s",
    (path) => {
      const baseUrl = `https://flag.example${path}`;
      expect(resolve({ baseUrl }, {}).baseUrl).toBe("https://flag.example");
      expect(toSiteUrl(baseUrl)).toBe("https://flag.example");
      expect(resolve({ baseUrl: `https://flag.example/feather${path}` }, {}).baseUrl).toBe(
        "https://flag.example/feather",
      );
    },
  );

  test("settings reject an invalid base URL", () => {
    expect(() => resolve({ baseUrl: "nonsense" }, {})).toThrow("nonsense is not an address");
    expect(() => resolve({ baseUrl: "file:///etc" }, {})).toThrow("is not an address");
    for (const [baseUrl, hint] of [
      ["localhost:4301", "--base-url http://localhost:4301"],
      ["feather.example", "--base-url https://feather.example"],
    ])
      expect(() => resolve({ baseUrl }, {})).toThrow(expect.objectContaining({ hint }));
  });
});

describe("the configuration file", () => {
  let folder: ReturnType<typeof createConfigFolder>;
  beforeEach(() => {
    folder = createConfigFolder();
  });
  afterEach(() => folder.remove());

  test("the configuration file is accessible to its owner only, and so is its folder", async () => {
    await writeProfile(folder.dir, "default", { secret: "ses_1" });
    expect(statSync(folder.dir).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder.dir, "config.json")).mode & 0o777).toBe(0o600);
  });

  test("the configuration file loses the permissions of other users when it is written", async () => {
    mkdirSync(folder.dir, { mode: 0o755 });
    writeFileSync(join(folder.dir, "config.json"), "{}");
    chmodSync(join(folder.dir, "config.json"), 0o644);
    await writeProfile(folder.dir, "default", { secret: "ses_1" });
    expect(statSync(folder.dir).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder.dir, "config.json")).mode & 0o777).toBe(0o600);
  });

  test("the configuration file keeps profiles apart, and removes one without the others", async () => {
    await writeProfile(folder.dir, "default", { secret: "ses_1", baseUrl: "https://a.example" });
    await writeProfile(folder.dir, "work.eu", { secret: "ses_2" });
    await writeProfile(folder.dir, "default", undefined);
    expect(readProfiles(folder.dir)).toEqual({ "work.eu": { secret: "ses_2" } });
  });

  test.each([
    ["{", "is not valid JSON"],
    ["", "is not valid JSON"],
    ["[]", "does not hold a configuration of feather"],
    ['{"profiles":[]}', "profiles is no object"],
    ['{"profiles":{},"current":5}', "current is no text"],
    [withVersion('"profiles":{"work":{"secret":7}}'), "profiles.work.secret is no text"],
    [withVersion('"profiles":{"work":5}'), "profiles.work is no object"],
  ])("the configuration file is rejected when its content is %s", async (content, message) => {
    mkdirSync(folder.dir);
    writeFileSync(join(folder.dir, "config.json"), content);
    expect(() => readProfiles(folder.dir)).toThrow(message);
    expect(() => readProfiles(folder.dir)).toThrow(join(folder.dir, "config.json"));
    expect(() => readProfiles(folder.dir)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining("repair") }),
    );
    // And it is not overwritten: there may be something to save.
    await expect(writeProfile(folder.dir, "default", { secret: "ses_1" })).rejects.toThrow(message);
    expect(readFileSync(join(folder.dir, "config.json"), "utf8")).toBe(content);
  });

  test("the configuration file takes the defaults for what it does not hold", () => {
    expect(readConfig(folder.dir)).toEqual({ profiles: {}, current: "default", aliases: {} });
    mkdirSync(folder.dir);
    writeFileSync(join(folder.dir, "config.json"), '{"profiles":{"work":{"secret":"ses_1"}}}');
    expect(readConfig(folder.dir)).toEqual({
      profiles: { work: { secret: "ses_1" } },
      current: "default",
      aliases: {},
    });
  });

  test("the configuration file of the format without a version is read as it is, and gets a version when it is written", async () => {
    mkdirSync(folder.dir);
    const path = join(folder.dir, "config.json");
    const work = {
      baseUrl: "https://work.example",
      secret: "ses_1",
      name: "maria",
      refreshToken: "rt_1",
      expiresAt: "2027-01-01T00:00:00Z",
    };
    writeFileSync(path, JSON.stringify({ profiles: { work }, current: "work" }));
    expect(readConfig(folder.dir)).toEqual({ profiles: { work }, current: "work", aliases: {} });
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ profiles: { work }, current: "work" });
    await writeProfile(folder.dir, "home", { secret: "ses_2" });
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
      profiles: { work, home: { secret: "ses_2" } },
      current: "work",
      aliases: {},
      __internal__: { migrations: { version: CONFIG_VERSION } },
    });
    expect(readConfig(folder.dir)).toEqual({
      profiles: { work, home: { secret: "ses_2" } },
      current: "work",
      aliases: {},
    });
  });

  test("the configuration file without a version loses profiles and properties of other types", async () => {
    mkdirSync(folder.dir);
    writeFileSync(join(folder.dir, "config.json"), '{"profiles":{"a":5,"b":{"secret":7,"name":"x"}}}');
    expect(readProfiles(folder.dir)).toEqual({ a: {}, b: { name: "x" } });
    await setCurrentProfile(folder.dir, "b");
    expect(readConfig(folder.dir)).toEqual({ profiles: { a: {}, b: { name: "x" } }, current: "b", aliases: {} });
  });

  test("the configuration file is named with a hint when it cannot be read", () => {
    mkdirSync(join(folder.dir, "config.json"), { recursive: true });
    expect(() => readProfiles(folder.dir)).toThrow("cannot be read (EISDIR)");
  });

  test("the configuration file loses the permissions of other users with one message", () => {
    mkdirSync(folder.dir);
    writeFileSync(join(folder.dir, "config.json"), "{}");
    chmodSync(join(folder.dir, "config.json"), 0o644);
    expect([restrictPermissions(folder.dir, "linux"), restrictPermissions(folder.dir, "linux")]).toEqual([true, false]);
    expect(statSync(join(folder.dir, "config.json")).mode & 0o777).toBe(0o600);
  });

  test("the configuration file is changed by one program at a time, under a lock", async () => {
    const names = Array.from({ length: 8 }, (_, index) => `p${index}`);
    await Promise.all(names.map((name) => writeProfile(folder.dir, name, { secret: name })));
    expect(Object.keys(readProfiles(folder.dir)).sort()).toEqual(names);
    await Promise.all([setCurrentProfile(folder.dir, "p3"), writeProfile(folder.dir, "p3", undefined)]);
    expect(existsSync(join(folder.dir, "config.lock"))).toBe(false);
  });

  test("the configuration file waits for the lock of another program", async () => {
    mkdirSync(join(folder.dir, "config.lock"), { recursive: true });
    const written = writeProfile(folder.dir, "default", { secret: "ses_1" });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(existsSync(join(folder.dir, "config.json"))).toBe(false);
    rmdirSync(join(folder.dir, "config.lock"));
    await written;
    expect(readProfiles(folder.dir)).toEqual({ default: { secret: "ses_1" } });
  });
});
