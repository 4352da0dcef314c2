import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createAccount, createEmail, PASSWORD } from "../support/accounts.ts";
import { launchBrowser } from "../support/browser.ts";
import { type Platform, startPlatform } from "../support/platform.ts";

type Event = { event: string; properties: Record<string, unknown>; $set?: Record<string, unknown> };

const KEY = "phc_e2e";
const PERSON = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

/** An analytics server that records requests and answers with the status that the test sets. */
const sink = { requests: [] as string[], events: [] as Event[], status: 200, surveys: false };
const SURVEY = {
  id: "survey_1",
  name: "How it goes",
  type: "popover",
  start_date: "2026-01-01T00:00:00Z",
  end_date: null,
  questions: [{ id: "q_1", type: "open", question: "What is missing here?" }],
  appearance: {},
  conditions: null,
};
let server: Server;
let folder = "";
let platform: Platform;
let browser: Browser;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-headers", "*");
    response.setHeader("content-type", "application/json");
    if (request.method === "OPTIONS") return response.end();
    const path = request.url ?? "";
    sink.requests.push(path);
    if (/^\/(e|i\/v0\/e|batch|capture)\//.test(path)) {
      sink.events.push(...eventsOf(body));
      return response.writeHead(sink.status).end(sink.status === 200 ? '{"status":1}' : "no");
    }
    if (path.startsWith("/api/surveys/")) return response.end(JSON.stringify({ surveys: [SURVEY] }));
    const config = { supportedCompression: ["gzip-js"], sessionRecording: false, surveys: sink.surveys };
    return response.end(JSON.stringify(config));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  folder = mkdtempSync(join(tmpdir(), "feather-analytics-"));
  chmodSync(folder, 0o711); // the database's user has to pass
  platform = await startPlatform(folder, {
    FEATHER_ANALYTICS_KEY: KEY,
    FEATHER_ANALYTICS_HOST: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  platform.process.kill("SIGTERM");
  await platform.ended;
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(() => {
  Object.assign(sink, { requests: [], events: [], status: 200, surveys: false });
});

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

function eventsOf(body: Buffer): Event[] {
  const packed = body[0] === 0x1f && body[1] === 0x8b;
  const text = (packed ? gunzipSync(body) : body).toString();
  const json = text.startsWith("data=") ? atob(decodeURIComponent(text.slice(5))) : text;
  const value = JSON.parse(json) as Event | Event[] | { batch: Event[] };
  if (Array.isArray(value)) return value;
  return "batch" in value ? value.batch : [value];
}

/** A browser that the library takes for a person's. */
async function visit(): Promise<{ context: BrowserContext; page: Page; errors: string[]; log: string[] }> {
  const context = await browser.newContext({ baseURL: platform.baseUrl, userAgent: PERSON });
  await context.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, "webdriver", { get: () => false });
    Object.defineProperty(Navigator.prototype, "userAgentData", { get: () => undefined });
  });
  const page = await context.newPage();
  const [errors, log]: [string[], string[]] = [[], []];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => log.push(message.text()));
  return { context, page, errors, log };
}

const accept = (page: Page) => page.getByRole("button", { name: "Accept All" }).click();
const named = (event: string) => sink.events.filter((one) => one.event === event);
const views = () => named("$pageview").map(({ properties }) => properties.path);
/** What the analytics library has kept. */
const kept = (page: Page) =>
  page.evaluate(() =>
    [...Object.keys(localStorage), ...Object.keys(sessionStorage), ...document.cookie.split(/; */)].filter((name) =>
      /^(__)?ph_/.test(name),
    ),
  );

describe("before consent", () => {
  test("nothing is loaded, sent or stored, however long the page is open", async () => {
    const { context, page, log } = await visit();
    await page.goto("/models", { waitUntil: "networkidle" });
    await page.getByRole("link", { name: "Chat", exact: true }).first().click();
    await page.waitForURL("**/chat");
    await expect.poll(() => log.some((line) => /^Feather \d/.test(line))).toBe(true); // the version
    await page.waitForTimeout(1500);
    expect(sink.requests).toEqual([]);
    expect(await kept(page)).toEqual([]);
    expect(await context.cookies()).toEqual([]);
    await context.close();
  });

  test("Reject All keeps analytics off", async () => {
    const { context, page } = await visit();
    await page.goto("/models");
    await page.getByRole("button", { name: "Customize" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Customize" }).click();
    await dialog.getByRole("button", { name: "Reject All" }).click();
    await page.reload({ waitUntil: "networkidle" });
    await page.waitForTimeout(1500);
    expect(sink.requests).toEqual([]);
    expect(await kept(page)).toEqual([]);
    await context.close();
  });
});

describe("with consent", () => {
  test("page views are sent with full path and attribution, and without secrets", async () => {
    const { context, page, errors, log } = await visit();
    await page.goto("/models?utm_source=news&utm_medium=mail&token=secret");
    await accept(page);
    await expect.poll(views).toEqual(["/models?utm_source=news&utm_medium=mail&token=hidden"]);
    await page.getByRole("link", { name: "Chat", exact: true }).first().click();
    await expect.poll(views).toHaveLength(2);
    expect(views()[1]).toBe("/chat");
    expect(named("$pageview")[0]?.properties).toMatchObject({
      token: KEY,
      utm_source: "news",
      utm_medium: "mail",
      traffic_source: "direct",
      $process_person_profile: true,
    });
    expect(JSON.stringify(sink.events)).not.toContain("=secret");
    expect(sink.events.map(({ event }) => event).filter((event) => !/^\$(pageview|set|opt_in)$/.test(event))).toEqual(
      [],
    );
    expect(errors).toEqual([]);
    expect(log.filter((line) => line.includes("Content Security Policy"))).toEqual([]);
    await context.close();
  });

  test("a user who signs in is identified, and later visits ask for no consent", async () => {
    const { email } = await createAccount(platform.baseUrl);
    const { context, page } = await visit();
    await page.goto("/login");
    await accept(page);
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Log in", exact: true }).click();
    await expect.poll(() => named("$identify").length).toBe(1);
    const [identify] = named("$identify");
    expect(identify?.properties.distinct_id).toMatch(/^usr_/);
    expect(identify?.$set ?? identify?.properties.$set).toMatchObject({ email });
    await expect.poll(() => named("$groupidentify").length).toBe(1);
    expect(named("$groupidentify")[0]?.properties).toMatchObject({
      $group_type: "organization",
      $group_key: expect.stringMatching(/^org_/),
    });
    sink.events = [];
    await page.goto("/status");
    await expect.poll(() => views().at(-1)).toBe("/status");
    await context.close();
  });

  test("a sign-up is linked to the earlier visit, and invitation tokens are not sent", async () => {
    const { context, page } = await visit();
    await page.goto("/invitations/one_secret");
    await accept(page);
    await expect.poll(views).toContain("/invitations/hidden");
    await page.goto("/register");
    await expect.poll(views).toContain("/register");
    await page.getByLabel("E-mail").fill(createEmail());
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign up", exact: true }).click();
    await expect.poll(() => named("$create_alias").length).toBe(1);
    expect(named("$create_alias")[0]?.properties.alias).toMatch(/^usr_/);
    await expect.poll(() => named("$identify").length).toBe(1);
    expect(JSON.stringify(sink.events)).not.toContain("one_secret");
    await context.close();
  });

  test("a survey of the project is loaded, shown with its style, and its answer is sent", async () => {
    sink.surveys = true;
    const { context, page, errors, log } = await visit();
    await page.goto("/status");
    await page.waitForLoadState("networkidle");
    expect(sink.requests.filter((path) => path.includes("surveys"))).toEqual([]);
    await accept(page);
    await page.getByText("What is missing here?").waitFor();
    expect(sink.requests.some((path) => path.startsWith("/api/surveys/") && path.includes(KEY))).toBe(true);
    expect(
      await page.locator("[class^=PostHogSurvey] .ph-survey").evaluate((at) => getComputedStyle(at).position),
    ).toBe("fixed");
    await page.getByRole("textbox", { name: "What is missing here?" }).fill("Nothing.");
    await page.getByRole("button", { name: "Submit" }).click();
    await expect.poll(() => named("survey sent").length).toBe(1);
    expect(JSON.stringify(named("survey sent"))).toContain("Nothing.");
    expect(errors).toEqual([]);
    expect(log.filter((line) => line.includes("Content Security Policy"))).toEqual([]);
    await context.close();
  });

  test("withdrawing consent stops analytics and removes its data", async () => {
    const { context, page } = await visit();
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto("/status");
    await accept(page);
    await expect.poll(views).toHaveLength(1);
    expect(await kept(page)).not.toEqual([]);
    await page.getByRole("button", { name: "Cookie settings" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Customize" }).click();
    await dialog.getByRole("button", { name: "Reject All" }).click();
    await dialog.waitFor({ state: "hidden" });
    sink.events = [];
    await page.getByRole("link", { name: "Models", exact: true }).first().click();
    await page.waitForURL("**/models");
    await page.waitForTimeout(4000);
    expect(sink.events).toEqual([]);
    expect(await kept(page)).toEqual([]);
    await context.close();
  });

  test("a failed request to the analytics server logs a warning", async () => {
    sink.status = 400;
    const { context, page, log, errors } = await visit();
    await page.goto("/status");
    await accept(page);
    await expect.poll(() => log.some((line) => line.startsWith("Bad HTTP status: 400"))).toBe(true);
    expect(errors).toEqual([]);
    await context.close();
  });
});

describe("the site works", () => {
  test("when the analytics server is blocked", async () => {
    const { context, page, errors } = await visit();
    await context.route(/127\.0\.0\.1/, (route) => route.abort("blockedbyclient"));
    await page.goto("/models");
    await accept(page);
    await page.getByRole("link", { name: "Status", exact: true }).first().click();
    await expect.poll(() => page.title()).toBe("Status - Feather");
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  test("when the library is blocked", async () => {
    const { context, page, errors, log } = await visit();
    await context.route(/\/assets\/load-client-/, (route) => route.abort("blockedbyclient"));
    await page.goto("/models");
    await accept(page);
    await expect.poll(() => log.some((line) => line.startsWith("Analytics could not be loaded."))).toBe(true);
    await page.getByRole("link", { name: "Status", exact: true }).first().click();
    await expect.poll(() => page.title()).toBe("Status - Feather");
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  test("when the browser stores nothing for the library", async () => {
    const { context, page, errors } = await visit();
    await context.addInitScript(() => {
      const denied = {
        get() {
          throw new DOMException("denied", "SecurityError");
        },
      };
      Object.defineProperty(window, "localStorage", denied);
      Object.defineProperty(window, "sessionStorage", denied);
      Object.defineProperty(Document.prototype, "cookie", { ...denied, set: denied.get });
    });
    await page.goto("/models?referrer=4PUP8PVP");
    await accept(page);
    await page.waitForURL("**/models");
    await page.getByRole("link", { name: "Status", exact: true }).first().click();
    await expect.poll(() => page.title()).toBe("Status - Feather");
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });
});
