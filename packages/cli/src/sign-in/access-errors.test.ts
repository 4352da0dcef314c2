import { buildPage } from "@feather/testing/builders";
import { errorResponse } from "@feather/testing/errors";
import type { StubRequest } from "@feather/testing/stub";
import { startStubServer } from "@feather/testing/stub-server";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Profile } from "../config/config-schema.ts";
import { writeProfile } from "../config/config-store.ts";
import { user } from "../testing/fixtures.ts";
import { createConfigFolder, NOW, runCli } from "../testing/run-cli.ts";

let server: Awaited<ReturnType<typeof startStubServer>>;
let folder: ReturnType<typeof createConfigFolder>;

const NO_SCOPE = errorResponse(403, "key_scope_denied", "This credential lacks the scope user.write.");
const MISSING = errorResponse(404, "not_found", "Not found");
const isSession = ({ authorization }: StubRequest) => authorization === "Bearer ses_admin";

beforeAll(async () => {
  server = await startStubServer({
    "GET /admin/settings": (request) => (isSession(request) ? { body: { items: [] } } : MISSING),
    "GET /admin/users": (request) => (isSession(request) ? { body: buildPage([]) } : MISSING),
    "GET /admin/users/usr_0": () => MISSING,
    "GET /config": () => ({
      headers: { date: NOW.toUTCString() },
      body: { product_name: "Feather", version: "1.2.3" },
    }),
    "GET /auth/me": ({ authorization }) => {
      if (authorization === "Bearer rc_calls") return NO_SCOPE;
      return { body: { ...user, is_admin: authorization !== "Bearer oat_maria" } };
    },
    "GET /feather/models/acme%2Fnew": () => errorResponse(404, "model_not_found", "There is no such model."),
    "GET /admin/store/files": () => MISSING,
    "GET /v1/plan": () => ({ body: { id: "max", name: "Max", concurrency: 8 } }),
    "POST /api-keys": () => NO_SCOPE,
  });
});
afterAll(() => server.close());
beforeEach(() => {
  folder = createConfigFolder();
});
afterEach(() => folder.remove());

const signIn = (profile: Partial<Profile>) =>
  writeProfile(folder.dir, "default", { baseUrl: server.baseUrl, name: "maria", ...profile });
/** What a sign-in by browser stores. */
const byBrowser = (secret: string) => signIn({ secret, refreshToken: "ort_1", expiresAt: "2026-11-21T13:00:00Z" });
const run = (line: string, env: Record<string, string> = {}) =>
  runCli(
    line.split(" "),
    { FEATHER_BASE_URL: server.baseUrl, FEATHER_CONFIG_DIR: folder.dir, LANG: "C.UTF-8" },
    { env },
  );

describe("an admin who is signed in by browser", () => {
  beforeEach(() => byBrowser("oat_admin"));

  test.each(["admin users list", "api GET /admin/users", "run acme/new Hello --yes"])(
    "an admin who is signed in by browser is told how to sign in for %s",
    async (line) => {
      const { code, err } = await run(line);
      expect(code).toBe(4);
      expect(err).toContain("a sign-in by browser or code may not administer the platform");
      expect(err).toContain("feather login --email maria@example.com");
    },
  );

  test("an admin who is signed in by browser gets a stable error code with --json", async () => {
    const { err } = await run("admin users list --json");
    expect(JSON.parse(err).error).toMatchObject({ code: "admin_required", request_id: "req_test" });
  });

  test("an admin who is signed in by browser is told by whoami that this sign-in may not administer", async () => {
    const { out } = await run("whoami");
    expect(out).toContain("rights\tadmin, but not with this sign-in: feather login --email maria@example.com");
  });

  test("an admin who is signed in by browser is told by doctor that this sign-in may not administer", async () => {
    const { out } = await run("doctor");
    expect(out).toContain("may administer only after feather login --email maria@example.com");
  });
});

describe("an admin who is signed in by email", () => {
  beforeEach(() => signIn({ secret: "ses_admin" }));

  test("an admin who is signed in by email is an admin for whoami and doctor", async () => {
    expect((await run("whoami")).out).toContain("rights\tadmin\n");
    expect((await run("doctor")).out).toContain("maria, by profile default, an admin");
  });

  test("an admin who is signed in by email sees an ordinary 404 for a missing resource", async () => {
    const { code, err } = await run("admin users show usr_0");
    expect(code).toBe(3);
    expect(err).toContain("Not found");
  });

  test("an admin who is signed in by email is told that the key of the environment takes precedence and may not administer", async () => {
    const { code, err } = await run("admin users list", { FEATHER_API_KEY: "rc_calls" });
    expect(code).toBe(4);
    expect(err).toContain("the credential of FEATHER_API_KEY may not administer the platform");
    expect(err).toContain("unset FEATHER_API_KEY: it goes before the sign-in of profile default");
  });

  test("an admin who is signed in by email is told that the key of the environment takes precedence and lacks a scope", async () => {
    const { code, err } = await run("keys create ci", { FEATHER_API_KEY: "rc_calls" });
    expect(code).toBe(4);
    expect(err).toContain("This credential lacks the scope user.write.");
    expect(err).toContain("unset FEATHER_API_KEY: it goes before the sign-in of profile default");
    expect(err).not.toContain("feather login");
  });

  test("an admin who is signed in by email is told by doctor which of the two is used", async () => {
    const { out } = await run("doctor", { FEATHER_API_KEY: "rc_calls" });
    expect(out).toContain("by FEATHER_API_KEY, which goes before the sign-in of profile default");
  });
});

test("a user who is not an admin is told so", async () => {
  await byBrowser("oat_maria");
  const { code, err } = await run("admin users list");
  expect(code).toBe(4);
  expect(err).toContain("only admins of the platform may do this, and maria is none");
});

test("a key without a scope and without a stored sign-in suggests another key", async () => {
  const { err } = await run("keys create ci", { FEATHER_API_KEY: "rc_calls" });
  expect(err).toContain("feather login and allow it there, or a key with that scope");
  expect(err).not.toContain("unset");
});

test("whoami shows the plan of a key that may only call models", async () => {
  const { code, out } = await run("whoami", { FEATHER_API_KEY: "rc_calls" });
  expect(code).toBe(0);
  expect(out).toBe("credential\ta key that may call models, and not read whose it is\nplan\tMax\n");
});

test.each([
  ["whoami --json email,id", '{"email":null,"id":null}\n'],
  ["whoami --jq .username", "null\n"],
  ["whoami -q", ""],
])("%s says that the owner of a key that may only call models is unknown", async (line, out) => {
  expect(await run(line, { FEATHER_API_KEY: "rc_calls" })).toEqual({ code: 0, out, err: "" });
});
