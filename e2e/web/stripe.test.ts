import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FakeStripe, STRIPE_KEYS, startFakeStripe } from "@feather/testing/fake-stripe";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAccount, signInAsAdmin } from "../support/accounts.ts";
import { launchBrowser } from "../support/browser.ts";
import { WIDTHS } from "../support/browser-pages.ts";
import { type Platform, startPlatform } from "../support/platform.ts";
import { routeStripe } from "../support/stripe-script.ts";

const DECLINED = "4000000000000002";
/** A card whose bank asks when it is added and at each payment. */
const AUTHENTICATES = "4000002760003184";

let fake: FakeStripe;
let folder = "";
let platform: Platform;
let browser: Browser;
/** The number of Stripe's events that were delivered. */
let delivered = 0;

beforeAll(async () => {
  fake = await startFakeStripe();
  folder = mkdtempSync(join(tmpdir(), "feather-stripe-"));
  platform = await startPlatform(folder, {
    FEATHER_PRELOAD: "off",
    FEATHER_TRIALS: "off",
    FEATHER_PAYMENTS: "stripe",
    STRIPE_SECRET_KEY: STRIPE_KEYS.secretKey,
    STRIPE_PUBLISHABLE_KEY: STRIPE_KEYS.publishableKey,
    STRIPE_WEBHOOK_SECRET: STRIPE_KEYS.webhookSecret,
    STRIPE_API_BASE: fake.url,
  });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  platform?.process.kill();
  await platform?.ended;
  await fake?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(session: string, width: number): Promise<Page> {
  const baseURL = platform.baseUrl;
  const context = await browser.newContext({ viewport: { width, height: 900 }, baseURL });
  context.setDefaultTimeout(60_000);
  await routeStripe(context, fake);
  await context.addCookies([{ name: "session", value: session, url: baseURL, httpOnly: true }]);
  return context.newPage();
}

/** Delivers what Stripe has to say. */
async function deliverWebhooks(): Promise<void> {
  for (const event of fake.store.events.slice(delivered)) {
    const { payload, signature } = fake.webhookOf(event);
    const headers = { "content-type": "application/json", "stripe-signature": signature };
    const url = `${platform.baseUrl}/api/payments/stripe/webhook`;
    expect((await fetch(url, { method: "POST", headers, body: payload })).status).toBe(204);
  }
  delivered = fake.store.events.length;
}

async function addCard(page: Page, number: string): Promise<void> {
  await page.getByLabel("Card number").fill(number);
  await page.getByRole("button", { name: "Add card" }).click();
}

describe.each(WIDTHS)("payments through Stripe at %i px", (width) => {
  test("a buyer reads why a card is declined, adds one that their bank confirms, buys a plan, and disputes it", async () => {
    const buyer = await createAccount(platform.baseUrl);
    const page = await open(buyer.token, width);
    await page.goto("/account/payment-methods");
    await page.getByText("Add a card", { exact: true }).click();
    await addCard(page, DECLINED);
    await page.getByText("Your card was declined.").waitFor();
    await addCard(page, AUTHENTICATES);
    await page.getByRole("button", { name: "Complete authentication" }).click();
    await page.getByRole("row", { name: /3184/ }).waitFor();

    await page.goto("/subscription/change?plan=feather_basic");
    await page.getByRole("button", { name: "Pay $10.00 for Basic" }).click();
    await page.getByRole("button", { name: "Confirm with your bank" }).click();
    await page.waitForURL("**/account**");
    await deliverWebhooks();
    await page.reload();
    const invoice = page.getByRole("row", { name: /TEST-/ });
    await invoice.getByText("paid", { exact: true }).waitFor();

    const [payment] = [...fake.store.paymentIntents.values()].reverse();
    fake.openDispute(payment?.id ?? "");
    await deliverWebhooks();
    await page.reload();
    await invoice.getByText("disputed").waitFor();

    const admin = await open((await signInAsAdmin(platform.baseUrl)).token, width);
    await admin.goto(`/admin/invoices?dispute=open&search=${encodeURIComponent(buyer.email)}`);
    await admin.getByRole("row", { name: /disputed/ }).waitFor();
  });
});
