import type { Feather } from "@feather/sdk";
import { beforeAll, expect, test } from "vitest";
import { createAccount, PASSWORD, signInAsAdmin } from "../support/accounts.ts";
import { useBrowserPages } from "../support/browser-pages.ts";
import { platformUrl } from "../support/platform-url.ts";
import { pollUntil } from "../support/poll-until.ts";

const baseUrl = platformUrl();
const { open } = useBrowserPages();
const MODEL = "feather/demo";
const OFFER = "metered_offer";

let admin: Feather;
let token: string;
beforeAll(async () => {
  ({ feather: admin, token } = await signInAsAdmin(baseUrl));
  await admin.admin.prices.create(MODEL, { prompt: "0", completion: "0", request: "0.25" });
  await admin.admin.plans.create({
    id: OFFER,
    name: "Metered",
    billing_mode: "request_pricing",
    price_usd_cents: 1000,
  });
});

/** An organization that bought the plan at the test driver and lets it bill up to 20 dollars a month. */
async function createCustomer(name: string) {
  const account = await createAccount(baseUrl);
  await account.feather.marketplace.subscribe({ provider: "aws", token: `test_${name}_${OFFER}` });
  await account.feather.marketplace.metering.set({ monthly_limit_usd_cents: 2000 });
  return account;
}

/** Makes calls of a quarter dollar, and waits until they are charged. */
async function callThreeTimes(feather: Feather): Promise<void> {
  for (let made = 0; made < 3; made++)
    await feather.chat.completions.create({ model: MODEL, messages: [{ role: "user", content: "Hello" }] });
  await pollUntil(async () =>
    expect(await feather.marketplace.metering.get()).toMatchObject({ used_this_month_usd: "0.75" }),
  );
}

test("usage beyond the credits goes from a meter to the customer's page, the admin's lists and a recorded payout", async () => {
  const page = await open({ session: token });
  await page.goto("/admin/marketplaces?view=meters");
  await page.getByRole("button", { name: "Meter an offer" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Offer").fill(OFFER);
  await dialog.getByLabel("Dimension").fill("extra_usage");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText(`Usage of ${OFFER} is metered`, { exact: true }).waitFor();

  // The hours of an organization that is deleted are over at once, so that what it used is billed.
  const leaving = await createCustomer("leaves");
  await callThreeTimes(leaving.feather);
  await leaving.feather.account.delete({ password: PASSWORD });

  const customer = await createCustomer("stays");
  await callThreeTimes(customer.feather);
  const own = await open({ session: customer.token, width: 375 });
  await own.goto("/account");
  await own.getByText(/\$0\.75 of at most \$20\.00 are used this month\..*\$1\.00 are set aside for it/).waitFor();

  await page.goto("/admin/marketplaces?view=usage");
  const { organization } = await customer.feather.auth.me();
  const open_ = page.getByRole("row").filter({ hasText: organization.name });
  await open_.getByText("drawn so far").waitFor();
  await open_.getByText("$1.00").waitFor();

  await pollUntil(async () => {
    const { balances } = await admin.admin.marketplaces.payouts.list();
    expect(balances).toMatchObject([{ provider: "aws", open_usd: "0.75", waiting_usd: "1.00" }]);
  });
  await page.goto("/admin/marketplaces?view=payouts");
  await page.getByText("No payouts yet").waitFor();
  await page.getByRole("button", { name: "Record a payout" }).click();
  await dialog.getByLabel("Reference").fill("DISB-1");
  await dialog.getByLabel("Paid on").fill(new Date().toISOString().slice(0, 10));
  await dialog.getByLabel("What arrived, in US dollars").fill("0.70");
  await dialog.getByLabel("What the marketplace kept, in US dollars").fill("0.06");
  await dialog.getByRole("button", { name: "Record it" }).click();
  await dialog.getByText("AWS Marketplace owes $0.75 for metered usage").first().waitFor();
  await dialog.getByLabel("What the marketplace kept, in US dollars").fill("0.05");
  await dialog.getByRole("button", { name: "Record it" }).click();
  await page.getByText("The payout DISB-1 is recorded").waitFor();

  await page.goto("/admin/revenue");
  const owed = page.getByRole("table", { name: "What marketplaces owe" }).getByRole("row").nth(1);
  await owed.waitFor();
  expect((await owed.getByRole("cell").allTextContents()).slice(1)).toEqual([
    "$0.75",
    "$0.70",
    "$0.05",
    "$0.00",
    "$1.00",
  ]);
  await page.getByRole("table", { name: "Last payouts of marketplaces" }).getByText("DISB-1").waitFor();
  const month = page.getByRole("table", { name: "Revenue by month" }).getByRole("row").nth(1);
  await month.getByText("$0.75").waitFor();
});
