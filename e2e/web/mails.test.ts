import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Feather } from "@feather/sdk";
import { startMailServer } from "@feather/testing/mail-server";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signInAsAdmin } from "../support/accounts.ts";
import { logIn, useBrowserPages } from "../support/browser-pages.ts";
import { ADMIN, type Platform, startPlatform } from "../support/platform.ts";

const CARDS = { works: "4242424242424242", declinedLater: "4000000000000341" };
/** Renewals run every minute, and mails every two seconds. */
const RENEWAL_LIMIT_MS = 150_000;
const JOURNEY_LIMIT_MS = 240_000;
const { open } = useBrowserPages();

let folder = "";
let platform: Platform;
let mailServer: Awaited<ReturnType<typeof startMailServer>>;
let admin: Feather;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "feather-mails-"));
  // The database of a platform that root starts runs as another user.
  chmodSync(folder, 0o711);
  mailServer = await startMailServer();
  platform = await startPlatform(folder, {
    FEATHER_PAYMENTS: "test",
    FEATHER_TRIALS: "off",
    SMTP_URL: mailServer.url,
  });
  ({ feather: admin } = await signInAsAdmin(platform.baseUrl));
});
afterAll(async () => {
  platform?.process.kill("SIGTERM");
  await platform?.ended;
  await mailServer?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function addCard(number: string): Promise<string> {
  const { id } = await admin.paymentMethods.setupIntents.create();
  return (await admin.paymentMethods.setupIntents.confirm(id, { test_card: number })).id;
}

/** Lets the current period of all plans end now, as if its month had gone by. */
async function endPeriods(): Promise<void> {
  const database = new pg.Client({ host: join(folder, "postgres/run"), user: "feather", database: "feather" });
  await database.connect();
  await database.query(`update subscriptions set current_period_start_date = current_period_start_date - interval '1 month',
    anchor_date = anchor_date - interval '1 month', current_period_end_date = now() where ended_at is null`);
  await database.end();
}

test(
  "a mail about a failed payment arrives in the words that an admin has given it",
  async () => {
    await addCard(CARDS.works);
    await admin.subscription.change({ plan_id: "feather_basic" });

    const page = await open({ width: 1440 });
    await page.goto(`${platform.baseUrl}/admin/invoices`);
    await logIn(page, ADMIN.email, ADMIN.password);
    await page.getByText("When a card is declined").click();
    await page.getByRole("link", { name: "Payment failed" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Payment failed" }).waitFor();
    const preview = page.getByRole("region", { name: "Preview" });
    await preview.getByText("Feather: invoice F-2026-0001 could not be paid").waitFor();

    await page.getByLabel("Subject").fill("We could not collect {{ nmber }}");
    await preview.getByText("It has no variable {{ nmber }}.").waitFor();
    await page.getByLabel("Subject").fill("We could not collect ");
    await page.getByRole("button", { name: "Insert {{ number }}" }).click();
    await page
      .getByLabel("Text")
      .fill("Dear customer,\n\nplease pay {{ amount }}.\n{{#confirm_link}}\n{{ confirm_link }}\n{{/confirm_link}}");
    await preview.getByText("We could not collect F-2026-0001").waitFor();
    await preview.getByText("please pay $20.00.").waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Payment failed: saved").first().waitFor();
    await page.goto(`${platform.baseUrl}/admin/mails`);
    await page
      .getByRole("row", { name: /Payment failed/ })
      .getByText("edited")
      .waitFor();

    await admin.paymentMethods.makeDefault(await addCard(CARDS.declinedLater));
    await endPeriods();
    const findMail = () => mailServer.received.find(({ text }) => text.includes("We could not collect"));
    await expect.poll(findMail, { timeout: RENEWAL_LIMIT_MS, interval: 1_000 }).toBeDefined();
    expect(findMail()?.to).toEqual([ADMIN.email]);
    expect(findMail()?.text).toMatch(/^Subject: We could not collect TEST-\d+-\d+\r$/m);
    expect(findMail()?.text).toMatch(/Dear customer,\r\n\r\nplease pay \$\d+\.\d\d\.\s*$/);
  },
  JOURNEY_LIMIT_MS,
);
