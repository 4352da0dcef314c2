import type { Feather } from "@feather/sdk";
import { beforeAll, describe, expect, test } from "vitest";
import { createAccount, signInAsAdmin } from "../support/accounts.ts";
import { useBrowserPages, WIDTHS } from "../support/browser-pages.ts";
import { platformUrl } from "../support/platform-url.ts";

const baseUrl = platformUrl();
const { open } = useBrowserPages();
const MODEL = "feather/demo";
const CREDITS_NANO = "20000000000";

let admin: Feather;
beforeAll(async () => {
  ({ feather: admin } = await signInAsAdmin(baseUrl));
  await admin.admin.prices.create(MODEL, { prompt: "0", completion: "0", request: "1" });
});

/** An account on a metered plan, on which each call costs one dollar. */
async function createPayingAccount() {
  const account = await createAccount(baseUrl);
  const { id } = await account.feather.auth.me();
  await admin.admin.users.update(id, { plan_id: "feather_request_pricing" });
  await admin.admin.users.grantCredits(id, { amount_nano_usd: CREDITS_NANO, reason: "Test" });
  return account;
}

/** Makes calls one after the other, and waits until all are charged. */
async function spend(feather: Feather, calls: number): Promise<void> {
  const before = BigInt((await feather.credits.balance()).balance_nano_usd);
  for (let made = 0; made < calls; made++)
    await feather.chat.completions.create({
      model: MODEL,
      messages: [{ role: "user", content: "Hello" }],
      max_tokens: 2,
    });
  const expected = String(before - BigInt(calls) * 1_000_000_000n);
  await expect.poll(async () => (await feather.credits.balance()).balance_nano_usd).toBe(expected);
}

const listSubjects = async (email: string): Promise<string[]> =>
  (await admin.admin.outbox({ search: email })).items
    .map(({ subject }) => subject)
    .filter((text) => /budget/.test(text));

describe.each(WIDTHS)("budgets at %i px", (width) => {
  test("a soft budget warns and lets calls through, and a hard one refuses them in the chat", async () => {
    const { token, email, feather } = await createPayingAccount();
    const page = await open({ session: token, width });
    await page.goto("/account/organization");
    const budgets = page.getByRole("region", { name: "Budgets" });
    await budgets.getByText("None is set.").waitFor();
    await budgets.getByRole("button", { name: "Set a budget" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Budget in dollars").fill("5");
    await dialog.getByRole("button", { name: "Set the budget" }).click();
    await page.getByText("The budget is set").waitFor();
    await budgets.getByText("Only alerts, warns at 80 %").waitFor();
    await budgets.getByText("$0.00 of $5.00 this month").waitFor();

    await spend(feather, 4);
    await page.reload();
    await budgets.getByText("$4.00 of $5.00 this month").waitFor();
    await expect.poll(() => listSubjects(email)).toEqual([expect.stringMatching(/budget of .* has reached 80 %/)]);
    await spend(feather, 2);
    await expect.poll(() => listSubjects(email)).toContainEqual(expect.stringMatching(/budget of .* is used up/));

    await page.reload();
    await budgets.getByText("$6.00 of $5.00 this month").waitFor();
    await budgets.getByRole("button", { name: /^Change the budget of/ }).click();
    await dialog.getByLabel("Budget in dollars").fill("6.50");
    await dialog.getByLabel("Refuse calls beyond it").check();
    await dialog.getByRole("button", { name: "Set the budget" }).click();
    await budgets.getByText("Refuses calls beyond it, warns at 80 %").waitFor();

    await page.goto(`/chat?model=${MODEL}`);
    const message = page.getByLabel("Message");
    await message.fill("Who are you?");
    await page.getByRole("button", { name: "Send", disabled: false }).waitFor();
    await message.press("Enter");
    await page.getByText("The spend limit is reached").waitFor();
    await page.getByText(/this organization.*\$6\.50/).waitFor();

    await page.getByRole("link", { name: "See the budgets" }).click();
    await budgets.getByText("$6.00 of $6.50 this month").waitFor();
    await budgets.getByRole("button", { name: /^Delete the budget of/ }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).last().click();
    await budgets.getByText("None is set.").waitFor();
    await spend(feather, 1);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
  });
});

test("webhooks are in the side menu of the organization, beside its members", async () => {
  const { token } = await createAccount(baseUrl);
  const page = await open({ session: token });
  await page.goto("/account/organization");
  const side = page.getByRole("navigation", { name: "Account" });
  await side.getByRole("link", { name: "Webhooks" }).click();
  await page.getByRole("heading", { level: 1, name: "Webhooks" }).waitFor();
  expect(await side.locator("[aria-current=page]").allTextContents()).toEqual(["Webhooks"]);
  await page.goto("/account/organization/roles");
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await side.locator("[aria-current=page]").allTextContents()).toEqual(["Members"]);
});
