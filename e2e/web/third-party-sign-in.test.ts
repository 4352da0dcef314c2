import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import { createFeather } from "@feather/sdk";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAccount, PASSWORD } from "../support/accounts.ts";
import { launchBrowser } from "../support/browser.ts";
import { platformUrl } from "../support/platform-url.ts";

const baseUrl = platformUrl();
const configDir = mkdtempSync(join(tmpdir(), "feather-sign-in-"));
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  rmSync(configDir, { recursive: true, force: true });
});

/** Opens a page without a sign-in. */
const newPage = async (width = 1440): Promise<Page> =>
  (await browser.newContext({ viewport: { width, height: 900 }, baseURL: baseUrl })).newPage();

async function logIn(page: Page, email: string): Promise<void> {
  await page.waitForURL(/\/login\?returnTo=/);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
}

async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).include("main").analyze();
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

describe("signing in a terminal through the browser", () => {
  type Running = { process: ChildProcess; words(pattern: RegExp): Promise<string>; ended: Promise<number | null> };

  function feather(...args: string[]): Running & { out(): string } {
    const env = {
      PATH: process.env.PATH ?? "",
      HOME: configDir,
      FEATHER_CONFIG_DIR: configDir,
      FEATHER_BASE_URL: baseUrl,
    };
    const child = spawn(process.execPath, ["packages/cli/bin/feather.js", ...args], { env });
    const said = { out: "", err: "" };
    child.stdout.on("data", (part: Buffer) => {
      said.out += part.toString();
    });
    child.stderr.on("data", (part: Buffer) => {
      said.err += part.toString();
    });
    const words = async (pattern: RegExp) => {
      await expect.poll(() => said.err).toMatch(pattern);
      return pattern.exec(said.err)?.[1] ?? "";
    };
    return {
      process: child,
      words,
      out: () => said.out,
      ended: new Promise((resolve) => child.once("close", resolve)),
    };
  }

  async function whoami(): Promise<[number | null, string]> {
    const running = feather("whoami", "--json", "email");
    const code = await running.ended;
    return [code, running.out()];
  }

  test.each<[string, string[], RegExp, RegExp]>([
    [
      "the browser of this machine",
      ["--browser"],
      /(http\S+\/oauth\/authorize\S+)/,
      /^http:\/\/127\.0\.0\.1:\d+\/callback/,
    ],
    ["the browser of another device", ["--device"], /Or open (http\S+)/, /\/device\?code=/],
  ])("works with %s for a user who logs in on the way, and signs out again", async (_what, flags, address, end) => {
    const { email } = await createAccount(baseUrl);
    const login = feather("login", ...flags);
    const page = await newPage(375);
    await page.goto(await login.words(address));
    await logIn(page, email);
    await page.getByRole("heading", { name: "Feather command line wants to act for you" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByRole("heading", { name: /You are signed in/ }).waitFor();
    expect(page.url()).toMatch(end);
    expect(await login.ended).toBe(0);
    expect(await whoami()).toEqual([0, expect.stringContaining(email)]);

    const cli = await newPageOf(page, "/account/profile");
    await cli.getByRole("cell", { name: "Feather command line", exact: true }).waitFor();
    await cli.getByRole("button", { name: "Take back what Feather command line may do" }).click();
    await cli.getByRole("button", { name: "Take back", exact: true }).click();
    await cli.getByText("None. Programs that ask").waitFor();
    expect((await whoami())[0]).toBe(4);
    expect(await feather("logout").ended).toBe(0);
    await page.context().close();
  });

  test("fails when the user refuses", async () => {
    const { email } = await createAccount(baseUrl);
    const login = feather("login", "--browser");
    const page = await newPage();
    await page.goto(await login.words(/(http\S+\/oauth\/authorize\S+)/));
    await logIn(page, email);
    await page.getByRole("button", { name: "Refuse" }).click();
    await page.getByText("You refused, so the terminal got nothing.").waitFor();
    expect(await login.ended).toBe(4);
    await page.context().close();
  });

  const newPageOf = async (page: Page, path: string): Promise<Page> => {
    const other = await page.context().newPage();
    await other.goto(path);
    return other;
  };
});

describe("a third-party application", () => {
  let site: Server;
  let callback = "";
  const visits: URL[] = [];
  beforeAll(async () => {
    site = createServer((request, response) => {
      const visited = new URL(request.url ?? "/", callback);
      // Browsers ask for more than the page, such as its icon.
      if (visited.pathname === "/callback") visits.push(visited);
      response.end("back at the application");
    });
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
    callback = `http://localhost:${(site.address() as AddressInfo).port}/callback`;
  });
  afterAll(() => {
    site.closeAllConnections();
    site.close();
  });

  test("is authorized once without being asked again, and its name is not executed as code", async () => {
    const { email, feather } = await createAccount(baseUrl);
    const name = "<img src=x onerror=document.title='run'>";
    const application = await feather.applications.create({ name, redirect_uris: [callback], scopes: ["user.read"] });
    const query = new URLSearchParams({
      client_id: application.id,
      redirect_uri: callback,
      response_type: "code",
      state: "a&b",
    });
    const page = await newPage();
    const headers = (await page.goto(`/oauth/authorize?${query}`))?.headers();
    expect(headers?.["x-frame-options"]).toBe("DENY");
    expect(headers?.["content-security-policy"]).toContain("frame-ancestors 'none'");
    await logIn(page, email);
    await page.getByRole("heading", { name: `${name} wants to act for you` }).waitFor();
    expect(await page.title()).toBe("Authorize - Feather");
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByText("back at the application").waitFor();
    const [first] = visits;
    expect(first?.searchParams.get("state")).toBe("a&b");

    const tokens = await createFeather({ baseUrl }).oauth.token({
      grant_type: "authorization_code",
      code: first?.searchParams.get("code") ?? "",
      redirect_uri: callback,
      client_id: application.id,
      client_secret: application.client_secret ?? "",
    });
    const theirs = createFeather({ baseUrl, token: tokens.access_token });
    expect(await theirs.oauth.userinfo()).toMatchObject({ email });

    await page.goto(`/oauth/authorize?${query}`);
    await page.getByText("back at the application").waitFor();
    expect(visits.at(-1)?.searchParams.get("code")).toMatch(/^oac_/);
    expect(visits.at(-1)?.searchParams.get("code")).not.toBe(first?.searchParams.get("code"));
    await page.context().close();
  });
});
