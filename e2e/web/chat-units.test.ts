import { expect, test } from "vitest";
import { createAccount } from "../support/accounts.ts";
import { useBrowserPages } from "../support/browser-pages.ts";
import { platformUrl } from "../support/platform-url.ts";

const baseUrl = platformUrl();
const { open } = useBrowserPages();

/** Calls in a row keep the one unit of a new account busy for a moment, as an answer does that was just stopped. */
const CALLS = 6;

test("a message waits a moment when all units are in use", async () => {
  const { token, feather } = await createAccount(baseUrl);
  const page = await open({ session: token });
  await page.goto("/chat?model=feather/demo");
  const message = page.getByLabel("Message");
  await message.fill("Who are you?");
  await page.getByRole("button", { name: "Send", disabled: false }).waitFor();
  const question = { model: "feather/demo", messages: [{ role: "user" as const, content: "Tell me all you know." }] };
  const calls = Promise.all(
    Array.from({ length: CALLS }, () =>
      feather.chat.completions.create(question, { headers: { "x-queue-timeout": "60" } }),
    ),
  );
  await expect.poll(async () => (await feather.concurrency.get()).used_cost, { interval: 10 }).toBe(1);
  await message.press("Enter");
  await page.getByText(/^\d+ tokens$/).waitFor();
  expect(await page.getByRole("alert").filter({ hasText: /unit/ }).count()).toBe(0);
  await calls;
});
