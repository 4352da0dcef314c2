import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { errorResponse, oauthErrorResponse } from "@feather/testing/errors";
import type { StubRequest, StubResponse } from "@feather/testing/stub";
import { startStubServer } from "@feather/testing/stub-server";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { writeProfile } from "../config/config-store.ts";
import { user } from "../testing/fixtures.ts";
import { createConfigFolder, NOW, type RunOptions, runCli } from "../testing/run-cli.ts";
import { isSameAddress } from "./client.ts";

let secondFactor = "totp";
let server: Awaited<ReturnType<typeof startStubServer>>;
let folder: ReturnType<typeof createConfigFolder>;
/** What the server answers to requests for tokens, one after the other; the last one stays. */
let answers: (() => StubResponse)[] = [];
let issuer = "";
let refresh = 0;
let isAdmin = false;

const tokens = (): StubResponse => {
  refresh += 1;
  return {
    body: {
      access_token: `oat_${refresh}`,
      refresh_token: `ort_${refresh}`,
      token_type: "Bearer",
      expires_in: 3600,
      scope: "user.read",
    },
  };
};

beforeAll(async () => {
  server = await startStubServer({
    "GET /.well-known/oauth-authorization-server": () => ({ body: { issuer } }),
    "POST /oauth/token": () => ((answers.length > 1 ? answers.shift() : answers[0]) ?? tokens)(),
    "POST /oauth/revoke": () => ({ body: {} }),
    "POST /oauth/device": () => ({
      body: {
        device_code: "odc_1",
        user_code: "WDJB-MJHT",
        verification_uri: `${issuer}/device`,
        verification_uri_complete: `${issuer}/device?code=WDJB-MJHT`,
        expires_in: 600,
        interval: 5,
      },
    }),
    "POST /auth/login": () => ({
      status: 202,
      body: { second_factor: secondFactor, challenge: "one_1", expires_at: NOW },
    }),
    "POST /auth/login/second-factor": ({ body }) =>
      JSON.stringify(body).includes("123456")
        ? { headers: { "x-session-token": "ses_2" }, body: user }
        : errorResponse(401, "auth.wrong_code", "The code is wrong."),
    "GET /auth/me": ({ authorization }) =>
      authorization?.startsWith("Bearer oat_")
        ? { body: { ...user, is_admin: isAdmin } }
        : errorResponse(401, "unauthorized", "Not valid."),
    "GET /feather/stats": () => ({ body: { model_count: 1 } }),
    "GET /feather/families": ({ authorization }) =>
      authorization === "Bearer refused"
        ? errorResponse(401, "unauthorized", "Not valid.")
        : {
            body: {
              items: [{ id: "qwen", name: "Qwen", owner: "x", description: "", model_count: 1, sub_types: [] }],
            },
          },
  });
});
afterAll(() => server.close());
beforeEach(() => {
  folder = createConfigFolder();
  server.requests.length = 0;
  answers = [tokens];
  issuer = server.baseUrl;
  refresh = 0;
  isAdmin = false;
});
afterEach(() => folder.remove());

const run = (argv: string[], settings: RunOptions = {}) =>
  runCli(
    argv,
    { FEATHER_BASE_URL: server.baseUrl, FEATHER_CONFIG_DIR: folder.dir, LANG: "C.UTF-8", DISPLAY: ":0" },
    settings,
  );
const stored = () => JSON.parse(readFileSync(join(folder.dir, "config.json"), "utf8")).profiles.default;
const findPosts = (path: string): StubRequest[] =>
  server.requests.filter(({ url, method }) => url === path && method === "POST");

type Page = { status: number; text: string; headers: Headers };

/** A browser whose person approves, unless the answer is changed on its way. */
function browser(change: (callbackUrl: URL) => void = () => {}) {
  const seen: { address: URL | undefined; pages: Promise<Page>[] } = { address: undefined, pages: [] };
  const visit = (callbackUrl: URL | string, init?: RequestInit): Promise<Page> => {
    const page = fetch(callbackUrl, init).then(async (answer) => {
      const { status, headers } = answer;
      return { status, headers, text: await answer.text() };
    });
    seen.pages.push(page);
    return page;
  };
  const openUrl = async (text: string) => {
    const address = new URL(text);
    seen.address = address;
    const callbackUrl = new URL(address.searchParams.get("redirect_uri") ?? "");
    callbackUrl.searchParams.set("code", "oac_1");
    callbackUrl.searchParams.set("state", address.searchParams.get("state") ?? "");
    callbackUrl.searchParams.set("iss", issuer);
    change(callbackUrl);
    void visit(callbackUrl);
    return true;
  };
  const firstPage = async () => {
    const [page] = await Promise.all(seen.pages);
    if (page === undefined) throw new Error("The browser saw no page.");
    return page;
  };
  return { seen, openUrl, visit, firstPage };
}

describe("sign-in by browser", () => {
  test("sign-in by browser requests a code with PKCE and a state, exchanges it, and stores the tokens", async () => {
    const { seen, openUrl } = browser();
    const { code, out, err } = await run(["login", "--browser"], { openUrl });
    expect([code, out]).toEqual([0, ""]);
    expect(err).toContain("Signed in as maria on 127.0.0.1");
    const { origin, pathname, searchParams } = seen.address ?? new URL("x:");
    expect([origin, pathname]).toEqual([server.baseUrl, "/oauth/authorize"]);
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: "app_feather_cli",
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
      response_type: "code",
      scope:
        "user.read user.write chats.write collections.write api.access tools.call keys.write deployments.write members.write billing.write",
      state: expect.stringMatching(/^[\w-]{22}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
    const [tokenRequest] = findPosts("/oauth/token");
    const { code_verifier, ...rest } = (tokenRequest?.body ?? {}) as Record<string, string>;
    expect(rest).toEqual({
      grant_type: "authorization_code",
      code: "oac_1",
      redirect_uri: searchParams.get("redirect_uri"),
      client_id: "app_feather_cli",
    });
    expect(
      createHash("sha256")
        .update(code_verifier ?? "")
        .digest("base64url"),
    ).toBe(searchParams.get("code_challenge"));
    expect(stored()).toEqual({
      baseUrl: server.baseUrl,
      secret: "oat_1",
      refreshToken: "ort_1",
      expiresAt: new Date(NOW.getTime() + 3_600_000).toISOString(),
      name: "maria",
    });
    expect(statSync(join(folder.dir, "config.json")).mode & 0o777).toBe(0o600);
  });

  test("sign-in by browser ends on a page that says whose sign-in it was and loads nothing", async () => {
    const { firstPage, openUrl } = browser();
    await run(["login", "--browser"], { openUrl });
    const page = await firstPage();
    expect(page.status).toBe(200);
    expect(page.text).toContain("The terminal goes on as maria. You can close this window.");
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(page.headers.get("referrer-policy")).toBe("no-referrer");
    expect(page.headers.get("cache-control")).toBe("no-store");
  });

  test("sign-in by browser shows the address when no browser opens, and never puts it on stdout", async () => {
    const { seen, openUrl } = browser();
    const { out, err } = await run(["login", "--browser"], {
      openUrl: async (address) => {
        await openUrl(address);
        return false;
      },
    });
    expect(out).toBe("");
    expect(err).toContain(`Go to this address to sign in:\n  ${seen.address}`);
  });

  test.each<[string, (callbackUrl: URL) => void]>([
    ["another state", (callbackUrl) => callbackUrl.searchParams.set("state", "of-somebody-else")],
    ["no state", (callbackUrl) => callbackUrl.searchParams.delete("state")],
    ["another issuer", (callbackUrl) => callbackUrl.searchParams.set("iss", "https://evil.example")],
    ["no issuer", (callbackUrl) => callbackUrl.searchParams.delete("iss")],
    [
      "another path",
      (callbackUrl) => {
        callbackUrl.pathname = "/";
      },
    ],
  ])("sign-in by browser ignores a redirect with %s, and keeps waiting", async (_what, change) => {
    const own = browser();
    const wrong = browser(change);
    const { code } = await run(["login", "--browser"], {
      async openUrl(address) {
        await wrong.openUrl(address);
        expect((await wrong.firstPage()).status).toBeGreaterThanOrEqual(400);
        expect(findPosts("/oauth/token")).toEqual([]);
        return own.openUrl(address);
      },
    });
    expect(code).toBe(0);
    expect((await own.firstPage()).status).toBe(200);
  });

  test("sign-in by browser accepts only GET requests for this machine's host name", async () => {
    const { openUrl, visit, seen } = browser();
    await run(["login", "--browser"], {
      async openUrl(address) {
        const callbackUrl = new URL(new URL(address).searchParams.get("redirect_uri") ?? "");
        const query = `code=x&state=${new URL(address).searchParams.get("state")}&iss=${encodeURIComponent(issuer)}`;
        await visit(`${callbackUrl}?${query}`, { method: "POST" });
        await visit(`http://localhost:${callbackUrl.port}/callback?${query}`);
        return openUrl(address);
      },
    });
    expect((await Promise.all(seen.pages)).map(({ status }) => status)).toEqual([404, 404, 200]);
    expect(findPosts("/oauth/token")).toHaveLength(1);
  });

  test("a denial is reported in terminal and browser, and stores nothing", async () => {
    const { firstPage, openUrl } = browser((callbackUrl) => {
      callbackUrl.searchParams.delete("code");
      callbackUrl.searchParams.set("error", "access_denied");
    });
    const { code, err } = await run(["login", "--browser"], { openUrl });
    expect(code).toBe(4);
    expect(err).toContain("it was refused in the browser");
    expect((await firstPage()).text).toContain("You refused");
    expect(stored).toThrow("ENOENT");
  });

  test("any other error shows the server's message, escaped", async () => {
    const { openUrl } = browser((callbackUrl) => {
      callbackUrl.searchParams.delete("code");
      callbackUrl.searchParams.set("error", "server_error");
      callbackUrl.searchParams.set("error_description", "Broken \u001b[2J");
    });
    const { code, err } = await run(["login", "--browser"], { openUrl });
    expect(code).toBe(1);
    expect(err).toContain("Broken \\x1b[2J");
  });

  test("an invalid code is reported in the browser too", async () => {
    answers = [() => oauthErrorResponse("invalid_grant", "The code has expired.")];
    const { firstPage, openUrl } = browser();
    const { code, err } = await run(["login", "--browser"], { openUrl });
    expect(code).toBe(2);
    expect(err).toContain("The code has expired.");
    expect((await firstPage()).text).toContain("Something went wrong");
    expect(stored).toThrow("ENOENT");
  });

  test("sign-in by browser escapes a name that would run in the page", async () => {
    const evil = await startStubServer({
      "GET /.well-known/oauth-authorization-server": () => ({ body: { issuer: evil.baseUrl } }),
      "POST /oauth/token": tokens,
      "GET /auth/me": () => ({ body: { ...user, username: "<script>alert(1)</script>" } }),
    });
    issuer = evil.baseUrl;
    const { firstPage, openUrl } = browser();
    await run(["login", "--browser", "--base-url", evil.baseUrl], { openUrl });
    await evil.close();
    const { text } = await firstPage();
    expect(text).toContain("&lt;script&gt;");
    expect(text).not.toContain("<script>");
  });

  test.each(["https://other.example", "http://127.0.0.1:1", "nonsense"])(
    "sign-in by browser rejects a server with the issuer %s",
    async (name) => {
      issuer = name;
      const { seen, openUrl } = browser();
      const { code, err } = await run(["login", "--browser"], { openUrl });
      expect(code).toBe(2);
      expect(err).toContain(`calls itself ${name}`);
      expect(seen.address).toBeUndefined();
    },
  );

  test("sign-in by browser ends on Ctrl-C", async () => {
    const left = new AbortController();
    const openUrl = async () => {
      setTimeout(() => left.abort());
      return true;
    };
    expect(await run(["login", "--browser"], { openUrl, signal: left.signal })).toMatchObject({ code: 130, out: "" });
  });
});

test("login --browser without a screen prints the URL and waits", async () => {
  const left = new AbortController();
  let opened = false;
  const openUrl = async () => {
    opened = true;
    return true;
  };
  const running = run(["login", "--browser"], { openUrl, env: { DISPLAY: "" }, signal: left.signal });
  await expect.poll(() => server.requests).toHaveLength(1);
  setTimeout(() => left.abort(), 300);
  expect([(await running).err, opened]).toEqual([expect.stringContaining("Go to this address to sign in:"), false]);
});

describe("sign-in by device", () => {
  const pending = () => oauthErrorResponse("authorization_pending");

  test("sign-in by device says to an admin that this sign-in may not administer", async () => {
    isAdmin = true;
    const { err } = await run(["login", "--device"]);
    expect(err).toContain("This sign-in may not administer the platform.");
    expect(err).toContain("feather login --email maria@example.com");
    expect(stored()).not.toHaveProperty("powerlessAdmin");
  });

  test("sign-in by device shows the code and its page, and polls until it is entered", async () => {
    answers = [pending, pending, tokens];
    const waits: number[] = [];
    const { code, out, err } = await run(["login", "--device"], { onSleep: (pause) => waits.push(pause) });
    expect([code, out]).toEqual([0, ""]);
    expect(err).toContain(`go to ${server.baseUrl}/device and enter the code:\n  WDJB-MJHT\n`);
    expect(err).toContain("Signed in as maria");
    expect(waits).toEqual([5_000, 5_000, 5_000]);
    expect(findPosts("/oauth/token")[0]?.body).toEqual({
      grant_type: "urn:ietf:params:oauth:grant-type:device_code",
      device_code: "odc_1",
      client_id: "app_feather_cli",
    });
    expect(stored()).toMatchObject({ secret: "oat_1", refreshToken: "ort_1" });
  });

  test("sign-in by device polls less often after slow_down and while the server is unreachable", async () => {
    const waits: number[] = [];
    const slow = () => oauthErrorResponse("slow_down");
    answers = [pending, slow, slow, pending, tokens];
    await run(["login", "--device"], { onSleep: (pause) => waits.push(pause) });
    expect(waits).toEqual([5_000, 5_000, 10_000, 15_000, 15_000]);
  });

  test.each([
    ["is refused", "access_denied", 4, "it was refused in the browser"],
    ["ends", "expired_token", 8, "the code has ended"],
    ["is not known", "invalid_grant", 2, "What happened."],
  ])("sign-in by device reports a code that %s", async (_what, error, exitCode, message) => {
    answers = [pending, () => oauthErrorResponse(error)];
    const { code, err } = await run(["login", "--device"]);
    expect(code).toBe(exitCode);
    expect(err).toContain(message);
    expect(stored).toThrow("ENOENT");
  });

  test("sign-in by device stops when the code has expired, even if the server never says so", async () => {
    answers = [pending];
    let minutes = 0;
    const { code } = await run(["login", "--device"], {
      onSleep: () => {
        minutes += 4;
      },
      now: () => new Date(NOW.getTime() + minutes * 60_000),
    });
    expect([code, findPosts("/oauth/token").length]).toEqual([8, 2]);
  });

  test("sign-in by device ends on Ctrl-C", async () => {
    const left = new AbortController();
    answers = [pending];
    const { code } = await run(["login", "--device"], { onSleep: () => left.abort(), signal: left.signal });
    expect(code).toBe(130);
  });
});

describe("the default way to sign in", () => {
  test.each([
    ["the browser, where there is a screen", {}, "/oauth/authorize"],
    ["the device, where there is none", { DISPLAY: "" }, "WDJB-MJHT"],
    ["the device, over ssh", { SSH_CONNECTION: "1 2 3 4" }, "WDJB-MJHT"],
  ])("the default way to sign in at a terminal: %s", async (_what, env, message) => {
    const left = new AbortController();
    const leave = () => left.abort();
    const openUrl = async () => {
      setTimeout(leave);
      return true;
    };
    answers = [() => oauthErrorResponse("authorization_pending")];
    const settings = { env: env as Record<string, string>, tty: true, interactive: true, signal: left.signal };
    const { code, err } = await run(["login"], { ...settings, openUrl, onSleep: leave });
    expect(code).toBe(130);
    expect(err).toContain(message);
  });

  test("login without a terminal names the flags to use", async () => {
    const { code, err } = await run(["login"]);
    expect(code).toBe(2);
    expect(err).toMatch(/--device.*--with-token.*--email/);
    expect(server.requests).toEqual([]);
  });

  test.each([
    [["--browser", "--device"]],
    [["--device", "--with-token"]],
    [["--browser", "--email", "a@b.c"]],
    [["--with-token", "--password-stdin"]],
  ])("%j exclude each other", async (flags) => {
    const { code, err } = await run(["login", ...flags]);
    expect(code).toBe(2);
    expect(err).toContain("exclude each other");
  });
});

describe("the second factor of a password", () => {
  const argv = ["login", "--email", "maria@example.com", "--password-stdin"];

  test("the code is taken from --code", async () => {
    const { code, err } = await run([...argv, "--code", " 123456 "], { stdin: "right\n" });
    expect(code).toBe(0);
    expect(err).toContain("Signed in as maria");
    expect(findPosts("/auth/login/second-factor")[0]?.body).toEqual({ challenge: "one_1", code: "123456" });
    expect(stored()).toEqual({ baseUrl: server.baseUrl, secret: "ses_2", name: "maria" });
  });

  test("--code is named when nobody can be asked", async () => {
    const { code, err } = await run(argv, { stdin: "right\n" });
    expect(code).toBe(2);
    expect(err).toContain("--code");
    expect(stored).toThrow("ENOENT");
  });

  test("a passkey points to the browser, and a recovery code still signs in", async () => {
    secondFactor = "passkey";
    const refused = await run(argv, { stdin: "right\n" });
    expect(refused.code).toBe(2);
    expect(refused.err).toContain("which only a browser can use");
    expect(refused.err).toContain("feather login");
    expect((await run([...argv, "--code", "123456"], { stdin: "right\n" })).code).toBe(0);
    secondFactor = "totp";
  });

  test("a wrong code stores nothing", async () => {
    const { code, err } = await run([...argv, "--code", "000000"], { stdin: "right\n" });
    expect(code).toBe(4);
    expect(err).toContain("The code is wrong.");
    expect(stored).toThrow("ENOENT");
  });
});

describe("a sign-in that expires", () => {
  const HOUR = 3_600_000;
  const keep = (endsIn: number, more = {}) =>
    writeProfile(folder.dir, "default", {
      baseUrl: server.baseUrl,
      secret: "oat_old",
      refreshToken: "ort_old",
      expiresAt: new Date(NOW.getTime() + endsIn).toISOString(),
      name: "maria",
      ...more,
    });
  const usedTokens = () =>
    server.requests.filter(({ url }) => url === "/auth/me").map(({ authorization }) => authorization);

  test("a sign-in that expires is used unchanged while it is valid", async () => {
    await keep(HOUR);
    await run(["whoami"]);
    expect([usedTokens(), findPosts("/oauth/token")]).toEqual([["Bearer oat_old"], []]);
  });

  test.each([["whoami"], ["api", "GET", "/auth/me"]])(
    "a sign-in that expires is renewed before it expires, and stored: %s",
    async (...argv) => {
      await keep(30_000);
      expect((await run(argv)).code).toBe(0);
      expect(usedTokens()).toEqual(["Bearer oat_1"]);
      expect(findPosts("/oauth/token")[0]?.body).toEqual({
        grant_type: "refresh_token",
        refresh_token: "ort_old",
        client_id: "app_feather_cli",
      });
      expect(stored()).toMatchObject({
        secret: "oat_1",
        refreshToken: "ort_1",
        name: "maria",
        baseUrl: server.baseUrl,
      });
    },
  );

  test("a sign-in that expires is renewed once by programs that run at the same time", async () => {
    await keep(-1);
    const results = await Promise.all(Array.from({ length: 8 }, () => run(["whoami"])));
    expect(results.map(({ code }) => code)).toEqual(Array.from({ length: 8 }, () => 0));
    expect(findPosts("/oauth/token")).toHaveLength(1);
    expect(new Set(usedTokens())).toEqual(new Set(["Bearer oat_1"]));
  });

  test("a sign-in that expires ignores the lock of a program that was killed while it renewed", async () => {
    await keep(-1);
    const lock = join(folder.dir, "renewal.lock");
    mkdirSync(lock);
    utimesSync(lock, new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
    expect((await run(["whoami"])).code).toBe(0);
    expect(() => statSync(lock)).toThrow("ENOENT");
  });

  test("a sign-in that expires says how to sign in when it cannot be renewed", async () => {
    await keep(-1);
    answers = [() => oauthErrorResponse("invalid_grant", "The refresh token has ended.")];
    const { code, err } = await run(["whoami"]);
    expect(code).toBe(4);
    expect(err).toContain("the sign-in has ended");
    expect(err).toContain("try: feather login");
  });

  test("a sign-in that expires stays stored when the server fails", async () => {
    await keep(-1);
    answers = [() => ({ status: 500, body: { error: "server_error", error_description: "Broken." } })];
    expect((await run(["whoami"])).code).toBe(9);
    expect(stored()).toMatchObject({ secret: "oat_old", refreshToken: "ort_old" });
  });

  describe("when it is refused during a command", () => {
    test.each([["whoami"], ["api", "GET", "/auth/me"]])(
      "a sign-in that is refused during a command is renewed once, and the request sent again: %s",
      async (...argv) => {
        await keep(HOUR, { secret: "refused" });
        expect((await run(argv)).code).toBe(0);
        expect(usedTokens()).toEqual(["Bearer refused", "Bearer oat_1"]);
        expect(findPosts("/oauth/token")).toHaveLength(1);
        expect(stored()).toMatchObject({ secret: "oat_1", refreshToken: "ort_1" });
      },
    );

    test("a sign-in that is refused during a command exits with 4 and a hint when the new token is refused too", async () => {
      await keep(HOUR, { secret: "refused" });
      answers = [() => ({ body: { ...(tokens().body as object), access_token: "refused_too" } })];
      const { code, err } = await run(["whoami"]);
      expect([code, err]).toEqual([4, expect.stringMatching(/try: +feather login/)]);
      expect(usedTokens()).toEqual(["Bearer refused", "Bearer refused_too"]);
    });

    test("a sign-in that is refused during a command exits with 4 when it cannot be renewed any more", async () => {
      await keep(HOUR, { secret: "refused" });
      answers = [() => oauthErrorResponse("invalid_grant", "The refresh token has ended.")];
      const { code, err } = await run(["whoami"]);
      expect([code, err]).toEqual([4, expect.stringContaining("try:")]);
      expect(usedTokens()).toEqual(["Bearer refused"]);
    });

    test("a sign-in that is refused during a command is not renewed when it comes from the environment", async () => {
      await keep(HOUR);
      expect((await run(["whoami"], { env: { FEATHER_TOKEN: "ses_bad" } })).code).toBe(4);
      expect(findPosts("/oauth/token")).toEqual([]);
    });
  });

  describe("does not stop a list that everybody may see", () => {
    test.each([
      ["when it cannot be renewed", -1, "oat_old"],
      ["when it was revoked", HOUR, "refused"],
    ])("%s", async (_, endsIn, secret) => {
      await keep(endsIn, { secret });
      answers = [() => oauthErrorResponse("invalid_grant", "The refresh token has ended.")];
      const { code, out, err } = await run(["models", "families", "-q"]);
      expect([code, out]).toEqual([0, "qwen\n"]);
      expect(err).toBe("The sign-in of profile default has ended: this is what everybody sees. feather login\n");
      expect(server.requests.at(-1)?.authorization).toBeUndefined();
    });

    test("a refused token of the environment stops a list that everybody may see", async () => {
      const { code, err } = await run(["models", "families", "-q"], { env: { FEATHER_TOKEN: "refused" } });
      expect([code, err]).toEqual([4, expect.stringContaining("error:")]);
    });
  });

  test("a sign-in that expires gives way to a secret of the environment", async () => {
    await keep(-1);
    await run(["whoami"], { env: { FEATHER_TOKEN: "oat_env" } });
    expect([usedTokens(), findPosts("/oauth/token")]).toEqual([["Bearer oat_env"], []]);
  });

  test("a sign-in that expires is revoked at sign-out, with all its tokens", async () => {
    await keep(-1);
    expect((await run(["logout"])).err).toContain("Signed out of 127.0.0.1");
    expect(findPosts("/oauth/revoke")[0]?.body).toEqual({ token: "ort_old", client_id: "app_feather_cli" });
    expect(stored()).toBeUndefined();
    expect((await run(["whoami"])).code).toBe(4);
  });

  test("a sign-in that expires is removed at sign-out even if the server is unreachable", async () => {
    await keep(HOUR, { baseUrl: "http://127.0.0.1:1" });
    const { code, err } = await run(["logout"], { env: { FEATHER_BASE_URL: "http://127.0.0.1:1" } });
    expect(code).toBe(0);
    expect(err).toContain("was not reached");
    expect(stored()).toBeUndefined();
  });
});

test("two programs that sign in at the same time both store their tokens", async () => {
  const main = fileURLToPath(new URL("../main.ts", import.meta.url));
  const signIn = (profile: string) =>
    new Promise<number | null>((resolve) => {
      const child = spawn(process.execPath, [main, "login", "--with-token", "--profile", profile], {
        env: { PATH: process.env.PATH, FEATHER_BASE_URL: server.baseUrl, FEATHER_CONFIG_DIR: folder.dir },
        stdio: ["pipe", "ignore", "ignore"],
      });
      child.stdin.end(`oat_${profile}`);
      child.once("close", resolve);
    });
  const profiles = ["one", "two", "three"];
  expect(await Promise.all(profiles.map(signIn))).toEqual([0, 0, 0]);
  const storedProfiles = JSON.parse(readFileSync(join(folder.dir, "config.json"), "utf8")).profiles;
  expect(profiles.map((name) => storedProfiles[name]?.secret)).toEqual(["oat_one", "oat_two", "oat_three"]);
});

test.each([
  ["https://feather.example", "https://feather.example/", true],
  ["http://localhost:4000", "http://127.0.0.1:4000", true],
  ["http://[::1]:4000/", "http://localhost:4000", true],
  ["https://feather.example:443", "https://feather.example", true],
  ["http://localhost:4000", "http://localhost:4001", false],
  ["http://feather.example", "https://feather.example", false],
  ["https://feather.example/a", "https://feather.example", false],
  ["https://feather.example.evil", "https://feather.example", false],
  ["nonsense", "https://feather.example", false],
])("%s and %s are the same address: %s", (one, other, same) => {
  expect(isSameAddress(one, other)).toBe(same);
});
