import { randomBytes } from "node:crypto";
import AxeBuilder from "@axe-core/playwright";
import OpenAI from "openai";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { newAccount, PASSWORD } from "../support/accounts.ts";
import { launchBrowser } from "../support/browser.ts";

const baseUrl = inject("baseUrl");
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** A page that fails the test when a script on it fails. */
async function open(width: number): Promise<{ page: Page; faults: string[] }> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, baseURL: baseUrl });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && message.text().includes("Content Security Policy")) faults.push(message.text());
  });
  return { page, faults };
}

describe.each([1440, 375])("the main job at %i px", (width) => {
  test("a newcomer finds a model, talks to it, makes a key and calls it from a program", async () => {
    const { page, faults } = await open(width);
    await page.goto("/");
    await expect.poll(() => page.title()).toBe("Open models, ready when you ask - Feather");

    await page.goto("/models");
    await page.getByLabel("Search the catalogue").fill("demo");
    await page.keyboard.press("Enter");
    await page.locator('a[href="/models/feather/demo"]').first().click();
    await page.getByRole("heading", { level: 1, name: "feather/demo" }).waitFor();

    await page.getByRole("link", { name: "Chat with it" }).click();
    await page.locator("main").getByRole("link", { name: "Sign up" }).click();
    await page.getByLabel("E-mail").fill(`web-${randomBytes(5).toString("hex")}@example.com`);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign up" }).click();

    const message = page.getByLabel("Message");
    await page.waitForURL(/\/chat/);
    await message.fill("Hello, who are you?");
    await page.keyboard.press("Enter");
    await page.getByText("tokens/s").waitFor();
    expect(await page.locator("article").innerText()).toContain("demonstration model");

    await page.goto("/account/api-keys");
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByLabel("Name").fill("laptop");
    await page.getByRole("button", { name: "Make the key" }).click();
    const secret = await page
      .getByText(/^rc_\w+$/)
      .first()
      .innerText();
    await page.getByRole("button", { name: "I have copied it" }).click();
    await page.getByRole("cell", { name: "laptop", exact: true }).waitFor();

    const client = new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey: secret });
    const answer = await client.chat.completions.create({
      model: "feather/demo",
      messages: [{ role: "user", content: "Hello" }],
    });
    expect(answer.choices[0]?.message.content).not.toBe("");
    expect(faults).toEqual([]);
    await page.context().close();
  });
});

test("a private page sends a visitor to the login and back, and never off the site", async () => {
  const { email } = await newAccount(baseUrl);
  const { page } = await open(1440);
  await page.goto("/account/api-keys");
  await page.waitForURL("**/login?returnTo=%2Faccount%2Fapi-keys");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await page.waitForURL("**/account/api-keys");
  await page.goto("/login?returnTo=//evil.example");
  await expect.poll(() => page.url()).toBe(`${baseUrl}/`);
  await page.goto("/admin");
  await page.getByText("Not found").waitFor();
  await page.context().close();
});

test("an unknown address and an error in the address are told, and a script in it does not run", async () => {
  const { page, faults } = await open(1440);
  await page.goto("/no/such/page");
  await page.getByText("Page Not Found: /no/such/page").waitFor();
  await page.goto("/models?error=<script>document.title='owned'</script>");
  await page.getByText("<script>").waitFor();
  await page.getByRole("button", { name: "Close" }).click();
  expect(page.url()).toBe(`${baseUrl}/models`);
  expect(await page.title()).toBe("Models - Feather");
  expect(faults).toEqual([]);
  await page.context().close();
});

describe.each(["light", "dark"] as const)("accessibility in the %s theme", (colorScheme) => {
  test.each([
    "/",
    "/models",
    "/models/feather/demo",
    "/models/feather/demo/reviews",
    "/login",
    "/register",
    "/chat",
    "/status",
  ])("%s has no violations", async (path) => {
    const context = await browser.newContext({ colorScheme, baseURL: baseUrl });
    const page = await context.newPage();
    await page.goto(path, { waitUntil: "networkidle" });
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(
      violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`),
    ).toEqual([]);
    await context.close();
  });
});
