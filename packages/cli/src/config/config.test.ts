import { chmodSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { configFolder } from "../testing/world.ts";
import { readEnvironment } from "./environment.ts";
import { readProfiles, writeProfile } from "./file.ts";
import { resolveSettings } from "./settings.ts";

describe("settings", () => {
  const profiles = {
    default: { baseUrl: "https://stored.example", secret: "ses_stored" },
    work: { baseUrl: "https://work.example", secret: "ses_work" },
  };
  const resolve = (flags: object, variables: Record<string, string>) =>
    resolveSettings(flags, readEnvironment(variables, "linux"), profiles);

  test("come from the flag, then the environment, then the file, then the default", () => {
    const env = { FEATHER_BASE_URL: "https://env.example" };
    expect(resolve({ baseUrl: "https://flag.example/" }, env).baseUrl).toBe("https://flag.example");
    expect(resolve({}, env).baseUrl).toBe("https://env.example");
    expect(resolve({}, {}).baseUrl).toBe("https://stored.example");
    expect(resolveSettings({}, readEnvironment({}, "linux"), {}).baseUrl).toBe("http://localhost:4000");
  });

  test("take the environment's key before the stored one", () => {
    expect(resolve({}, { FEATHER_API_KEY: "rc_env", FEATHER_TOKEN: "ses_env" }).secret).toBe("rc_env");
    expect(resolve({}, { FEATHER_TOKEN: "ses_env" }).secret).toBe("ses_env");
    expect(resolve({}, {}).secret).toBe("ses_stored");
  });

  test("belong to a profile", () => {
    expect(resolve({ profile: "work" }, {})).toMatchObject({ baseUrl: "https://work.example", secret: "ses_work" });
    expect(resolve({}, { FEATHER_PROFILE: "work" }).profile).toBe("work");
  });

  test("never send a stored secret to another server", () => {
    expect(resolve({ baseUrl: "https://other.example" }, {}).secret).toBeUndefined();
  });

  test("refuse what is no address", () => {
    expect(() => resolve({ baseUrl: "nonsense" }, {})).toThrow("nonsense is not an address");
    expect(() => resolve({ baseUrl: "file:///etc" }, {})).toThrow("is not an address");
  });
});

describe("the configuration file", () => {
  let folder: ReturnType<typeof configFolder>;
  beforeEach(() => {
    folder = configFolder();
  });
  afterEach(() => folder.remove());

  test("is for its owner only, and so is its folder", async () => {
    await writeProfile(folder.dir, "default", { secret: "ses_1" });
    expect(statSync(folder.dir).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder.dir, "config.json")).mode & 0o777).toBe(0o600);
  });

  test("is closed again when others could read it", async () => {
    mkdirSync(folder.dir, { mode: 0o755 });
    writeFileSync(join(folder.dir, "config.json"), "{}");
    chmodSync(join(folder.dir, "config.json"), 0o644);
    await writeProfile(folder.dir, "default", { secret: "ses_1" });
    expect(statSync(folder.dir).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder.dir, "config.json")).mode & 0o777).toBe(0o600);
  });

  test("keeps profiles apart, and forgets one alone", async () => {
    await writeProfile(folder.dir, "default", { secret: "ses_1", baseUrl: "https://a.example" });
    await writeProfile(folder.dir, "work.eu", { secret: "ses_2" });
    await writeProfile(folder.dir, "default", undefined);
    expect(readProfiles(folder.dir)).toEqual({ "work.eu": { secret: "ses_2" } });
  });

  test("that is broken is named", () => {
    mkdirSync(folder.dir);
    writeFileSync(join(folder.dir, "config.json"), "{");
    expect(() => readProfiles(folder.dir)).toThrow("is not valid JSON");
  });
});
