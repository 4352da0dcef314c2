import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { createAccount } from "../support/accounts.ts";
import { useBrowserPages } from "../support/browser-pages.ts";
import { platformUrl } from "../support/platform-url.ts";

const baseUrl = platformUrl();
const { open } = useBrowserPages();

async function ask(page: Page, text: string): Promise<void> {
  await page.getByLabel("Message").fill(text);
  await page.getByRole("button", { name: "Send", disabled: false }).click();
  await page
    .getByText(/^\d+ tokens$/)
    .first()
    .waitFor();
}

test("a person moves the chats of a browser to the server, and goes on with them on a phone", async () => {
  const { token } = await createAccount(baseUrl);
  const laptop = await open({ session: token });
  await laptop.goto("/chat?model=feather/demo");
  await ask(laptop, "Which bird is the lightest?");
  await laptop.getByRole("button", { name: "Keep chats on this server" }).click();
  await laptop.getByRole("button", { name: "Keep them on this server" }).click();
  await laptop.getByRole("button", { name: "Move to your account" }).click();
  await laptop.getByText("1 chat moved").waitFor();
  await laptop.getByRole("navigation", { name: "Chats" }).getByText("Which bird is the lightest?").waitFor();

  const phone = await open({ session: token, width: 375 });
  await phone.goto("/chat");
  await phone.getByRole("button", { name: "Chats" }).click();
  await phone.getByRole("link", { name: /Which bird is the lightest/ }).click();
  await phone
    .getByText(/^\d+ tokens$/)
    .first()
    .waitFor();
  await ask(phone, "And the heaviest?");

  await laptop.getByRole("link", { name: /Which bird is the lightest/ }).click();
  await laptop.reload();
  await laptop.getByText("And the heaviest?").waitFor();
});

test("what is written while the server cannot be reached is sent afterwards", async () => {
  const { token, feather } = await createAccount(baseUrl);
  await feather.organization.update({ chat_storage: "server" });
  const page = await open({ session: token });
  await page.goto("/chat?model=feather/demo");
  await page.getByText(/This server keeps it for you/).waitFor();
  await page.route("**/api/conversations/**", (route) => route.abort());
  await ask(page, "Is anybody there?");
  await page.getByText(/The server cannot be reached. What you wrote is in this tab/).waitFor();
  expect((await feather.conversations.list()).items).toEqual([]);
  await page.unroute("**/api/conversations/**");
  await page.getByText(/The server cannot be reached. What you wrote is in this tab/).waitFor({ state: "detached" });
  await expect.poll(async () => (await feather.conversations.list()).items.length).toBe(1);
  await page.reload();
  await page.getByText("Is anybody there?").first().waitFor();
});
