import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { createAccount, PASSWORD } from "../support/accounts.ts";
import { useBrowserPages } from "../support/browser-pages.ts";
import { hasKeyboard } from "../support/keyboard.ts";
import { platformUrl } from "../support/platform-url.ts";

const baseUrl = platformUrl();
const { open } = useBrowserPages();

test("what is typed on the chat page goes into the message, and opens no other page", async () => {
  const { token } = await createAccount(baseUrl);
  const page = await open({ session: token });
  await page.goto("/chat?model=feather/demo");
  const message = page.getByLabel("Message");
  await expect.poll(() => hasKeyboard(message)).toBe(true);
  await page.keyboard.type("What might be right?");
  expect(await message.inputValue()).toBe("What might be right?");
  await message.blur(); // the focus goes to the page
  await page.keyboard.type("Again, gh?");
  expect(await message.inputValue()).toBe("What might be right?Again, gh?");
  expect(new URL(page.url()).pathname).toBe("/chat");
  expect(await page.getByRole("dialog").count()).toBe(0);
});

test("a new chat starts in its message field", async () => {
  const { token } = await createAccount(baseUrl);
  const page = await open({ session: token });
  await page.goto("/chat?model=feather/demo");
  const message = page.getByLabel("Message");
  await message.waitFor();
  const newChat = page.getByRole("link", { name: "New chat" }).or(page.getByRole("button", { name: "New chat" }));
  await newChat.first().click();
  await expect.poll(() => hasKeyboard(message)).toBe(true);
  await message.blur();
  await page.keyboard.press("Control+j");
  await expect.poll(() => hasKeyboard(message)).toBe(true);
});

test("the chat opens no keyboard on a phone", async () => {
  const { token } = await createAccount(baseUrl);
  const page = await open({ session: token, width: 375, hasTouch: true, isMobile: true });
  await page.goto("/chat?model=feather/demo");
  const message = page.getByLabel("Message");
  await page.getByRole("button", { name: "Attach files" }).and(page.locator(":enabled")).waitFor();
  expect(await hasKeyboard(message)).toBe(false);
});

const firstField = (page: Page, label: string) => page.getByLabel(label, { exact: true });

test("logging in needs the keyboard alone: e-mail, Tab, password, Enter", async () => {
  const { email } = await createAccount(baseUrl);
  const page = await open();
  await page.goto("/login");
  await expect.poll(() => hasKeyboard(firstField(page, "E-mail"))).toBe(true);
  await page.keyboard.type(email);
  await page.keyboard.press("Tab");
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
  await expect.poll(() => new URL(page.url()).pathname).toBe("/");
});

test.each([
  ["/register", "E-mail"],
  ["/reset-password", "E-mail"],
])("%s opens with the keyboard in its first field", async (address, label) => {
  const page = await open();
  await page.goto(address);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await expect.poll(() => hasKeyboard(firstField(page, label))).toBe(true);
});
