import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createEnvironment, MODEL, type ReliabilityEnvironment } from "../reliability/environment.ts";
import { createAccount } from "../support/accounts.ts";
import { useBrowserPages } from "../support/browser-pages.ts";

const WORDS = ["It", " pauses", " here", " and", " ends", "."];
const WHOLE = WORDS.join("");

const { open } = useBrowserPages();
let environment: ReliabilityEnvironment;
let release = (): void => {};

beforeAll(async () => {
  environment = await createEnvironment();
});
afterEach(() => release());
afterAll(() => environment.close());

/** Makes the next answers pause after their first word, until `release` is called. */
function pauseAnswers(): void {
  const { promise, resolve } = Promise.withResolvers<void>();
  environment.backend.scripts.set(MODEL, { tokens: WORDS, pauseUntil: promise });
  release = resolve;
}

async function ask(page: Page, text: string): Promise<void> {
  await page.goto(`/chat?model=${encodeURIComponent(MODEL)}`);
  await page.getByLabel("Message").fill(text);
  await page.getByRole("button", { name: "Send", disabled: false }).click();
  await answerOf(page).getByText("It", { exact: true }).waitFor();
}

const answerOf = (page: Page) => page.getByRole("article").last();

test.each(["browser", "server"] as const)(
  "an answer goes on while its page is loaded again, and is whole afterwards, with chats in the %s",
  async (chat_storage) => {
    const { token, feather } = await createAccount(environment.baseUrl());
    await feather.organization.update({ chat_storage });
    pauseAnswers();
    const page = await open({ session: token, baseURL: environment.baseUrl() });
    const question = `Why do you pause with chats in the ${chat_storage}?`;
    await ask(page, question);
    await page.reload();
    await answerOf(page).getByText("It", { exact: true }).waitFor();
    release();
    await answerOf(page).getByText(WHOLE).waitFor();
    await page.getByText(/^\d+ tokens$/).waitFor();
    expect(
      environment.backend.recordedRequests.filter(({ text }) => text.includes(question)),
      "calls",
    ).toHaveLength(1);
  },
);

test("an answer that ends while no page is open is in the chat of the server", async () => {
  const { token, feather } = await createAccount(environment.baseUrl());
  await feather.organization.update({ chat_storage: "server" });
  pauseAnswers();
  const page = await open({ session: token, baseURL: environment.baseUrl() });
  await ask(page, "Do you go on when I leave?");
  const id = new URL(page.url()).searchParams.get("c") ?? expect.fail("The chat has no address.");
  await page.close();
  release();
  const answers = async () => (await feather.conversations.entries(id)).items.filter(({ kind }) => kind === "answer");
  await expect.poll(answers).toMatchObject([{ text: WHOLE, answer: { state: "done" } }]);
});

test("a second device of the same person shows an answer as it is written, and stops it", async () => {
  const { token, feather } = await createAccount(environment.baseUrl());
  await feather.organization.update({ chat_storage: "server" });
  pauseAnswers();
  const laptop = await open({ session: token, baseURL: environment.baseUrl() });
  await ask(laptop, "Are you still there?");
  const phone = await open({ session: token, width: 375, baseURL: environment.baseUrl() });
  await phone.goto(new URL(laptop.url()).pathname + new URL(laptop.url()).search);
  await answerOf(phone).getByText("It", { exact: true }).waitFor();
  await phone.getByRole("button", { name: "Stop", exact: true }).click();
  for (const page of [phone, laptop]) await page.getByText("stopped", { exact: true }).waitFor();
  await expect.poll(async () => (await feather.concurrency.get()).used_cost).toBe(0);
  expect(environment.backend.cancelled.length).toBeGreaterThan(0);
});
