import OpenAI from "openai";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { signUp, useBrowserPages, WIDTHS } from "../support/browser-pages.ts";
import { platformUrl } from "../support/platform-url.ts";

const baseUrl = platformUrl();
const { open } = useBrowserPages();
const QUESTION = [{ role: "user" as const, content: "Who are you?" }];

describe.each(WIDTHS)("a new account at %i px", (width) => {
  test("goes from sign-up to its own deployment and its deletion", async () => {
    const page = await open({ width });
    await begin(page);
    const key = await firstKeyAndCall(page);
    await firstChat(page);
    expect(await ask(`${baseUrl}/v1`, key)).not.toBe("");
    await upgrade(page);
    const { token, url } = await deploy(page);
    await page.getByText("running", { exact: true }).first().waitFor();
    expect(await ask(url, token)).not.toBe("");
    expect(await ask(url, key)).not.toBe("");
    await seesCalls(page);
    await pauseAndDelete(page, url, token);
  });
});

async function begin(page: Page): Promise<void> {
  await page.goto("/");
  await page.getByRole("link", { name: "Start calling" }).click();
  await signUp(page);
  await page.getByRole("heading", { level: 1, name: /^Welcome/ }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/onboarding");
}

/** Goes through the steps of a program's author, up to the last. */
async function firstKeyAndCall(page: Page): Promise<string> {
  await page.getByRole("radio", { name: /from a program/ }).check();
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByRole("button", { name: "Make the key" }).click();
  const key = await page
    .getByText(/^rc_\w+$/)
    .first()
    .innerText();
  await page.getByRole("button", { name: /go on/ }).click();
  await page.getByRole("button", { name: "Try it from here" }).click();
  await page.getByText(/\d+ tokens in/).waitFor();
  await page.getByRole("button", { name: "Go on" }).click();
  return key;
}

async function firstChat(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Open the chat" }).click();
  await page.getByLabel("Message").fill("Who are you?");
  await page.keyboard.press("Enter");
  await page.getByText(/^\d+ tokens$/).waitFor();
  expect(await page.getByRole("article").innerText()).toContain("a small model that comes with Feather");
}

async function ask(baseURL: string, apiKey: string): Promise<string> {
  const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
  const { choices } = await client.chat.completions.create({ model: "feather/demo", messages: QUESTION });
  return choices[0]?.message.content ?? "";
}

/** Why it does not answer; null when it does. */
const refusalOf = (url: string, token: string): Promise<string | null> =>
  ask(url, token).then(
    () => null,
    (error: unknown) => (error instanceof OpenAI.APIError ? (error.code ?? null) : String(error)),
  );

/** From the page that tells what the plan lacks to the plan that has it, paid for with a test card. */
async function upgrade(page: Page): Promise<void> {
  await page.goto("/account/private-cloud/deployments");
  await page.getByRole("link", { name: "See the plans that have" }).click();
  await page
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name: "Max", exact: true }) })
    .getByRole("link")
    .click();
  await page.waitForURL(/\/subscription\/change/);
  await expect.poll(() => page.getByRole("radio", { name: /^Max/ }).isChecked()).toBe(true);
  await page.getByRole("button", { name: "4242 4242 4242 4242" }).click();
  await page.getByRole("button", { name: "Use this card" }).click();
  await page.getByText(/4242 pays/).waitFor();
  await page.getByRole("button", { name: "Pay $200.00 for Max" }).click();
  await page.waitForURL(/\/subscription\/complete\?plan=feather_max&quantity=1$/);
  await page.getByRole("heading", { name: "You are on Max" }).waitFor();
  await page.goto("/account/payment-methods");
  await page.getByRole("row", { name: /4242/ }).waitFor();
}

async function deploy(page: Page): Promise<{ token: string; url: string }> {
  await page.goto("/account/private-cloud/deployments");
  await page.getByRole("link", { name: "Create deployment" }).click();
  await page.getByLabel("Model", { exact: true }).fill("feather/demo");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("radio", { name: /local/ }).check();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByLabel("Name", { exact: true }).fill("mine");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Create mine" }).click();
  const dialog = page.getByRole("dialog");
  const token = await dialog.locator("code").first().innerText();
  await dialog.getByRole("button", { name: "I have copied it" }).click();
  await page.getByRole("heading", { level: 1, name: "mine" }).waitFor();
  const url = await page.getByText(/^http\S+\/v1$/).innerText();
  return { token, url };
}

async function seesCalls(page: Page): Promise<void> {
  await page.goto("/account/usage?view=requests");
  // The first call, the chat, one with the key, and two to the deployment.
  await expect.poll(() => page.getByRole("row", { name: /feather\/(?:demo|guide).* done/ }).count()).toBe(5);
}

async function pauseAndDelete(page: Page, url: string, token: string): Promise<void> {
  await page.goto("/account/private-cloud/deployments");
  await page.getByRole("link", { name: "mine" }).click();
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await page.getByText("paused", { exact: true }).first().waitFor();
  await expect.poll(() => refusalOf(url, token)).toBe("deployment_paused");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByRole("textbox").fill("mine");
  await dialog.getByRole("button", { name: "Delete mine" }).click();
  await page.getByText("No deployments yet").waitFor();
  await expect.poll(() => refusalOf(url, token)).toBe("deployments.unauthorized");
}
