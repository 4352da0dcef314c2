import OpenAI from "openai";
import { beforeAll, describe, expect, test } from "vitest";
import { createAccount } from "../support/accounts.ts";
import { signUp, useBrowserPages, WIDTHS } from "../support/browser-pages.ts";
import { platformUrl } from "../support/platform-url.ts";

const baseUrl = platformUrl();
const { open } = useBrowserPages();

beforeAll(async () => {
  // Loads the model first, so that the tests do not wait for that.
  const { feather } = await createAccount(baseUrl);
  const request = { model: "feather/demo", messages: [{ role: "user" as const, content: "Hello" }] };
  await feather.chat.completions.create(request, { headers: { "x-wait-for-model": "120" } });
});

describe.each(WIDTHS)("the main job at %i px", (width) => {
  test("a new user finds a model, chats with it, creates a key and calls it from a program", async () => {
    const page = await open({ width });
    await page.goto("/");
    await expect.poll(() => page.title()).toBe("Open models, on your own machines - Feather");

    await page.goto("/models");
    await page.getByLabel("Search the catalogue").fill("demo");
    await page.keyboard.press("Enter");
    await page.locator('a[href="/models/feather/demo"]').first().click();
    await page.getByRole("heading", { level: 1, name: "feather/demo" }).waitFor();

    await page.getByRole("link", { name: "Chat with it" }).click();
    await page.waitForURL(/\/chat/);
    await page.getByRole("heading", { level: 1, name: "Chat", exact: true }).waitFor();
    await page.locator("main").getByRole("link", { name: "Sign up" }).click();
    await signUp(page);

    const message = page.getByLabel("Message");
    await page.waitForURL(/\/chat/);
    await message.fill("Hello, who are you?");
    await page.keyboard.press("Enter");
    await page.getByText(/^\d+ tokens$/).waitFor();
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
  });
});

test("an invalid address shows an error, and a script in it is not executed", async () => {
  const page = await open();
  await page.goto("/models?error=<script>document.title='owned'</script>");
  await page.getByText("<script>").waitFor();
  await page.getByRole("button", { name: "Close" }).click();
  expect(page.url()).toBe(`${baseUrl}/models`);
  expect(await page.title()).toBe("Models - Feather");
});
