import type { Feather } from "@feather/sdk";
import { beforeAll, describe, expect, test } from "vitest";
import { createAccount, signInAsAdmin } from "../support/accounts.ts";
import { useBrowserPages, WIDTHS } from "../support/browser-pages.ts";
import { platformUrl } from "../support/platform-url.ts";

const baseUrl = platformUrl();
const { open } = useBrowserPages();
const MODEL = "feather/demo";
const HELLO = { model: MODEL, messages: [{ role: "user" as const, content: "Hello" }], max_tokens: 2 };

let admin: { token: string; feather: Feather };
beforeAll(async () => {
  admin = await signInAsAdmin(baseUrl);
  await admin.feather.admin.prices.create(MODEL, { prompt: "0", completion: "0", request: "0.25" });
});

describe.each(WIDTHS)("metered usage at a marketplace at %i px", (width) => {
  const offer = `metered_${width}`;

  test("an admin meters an offer, its buyer lets calls go on beyond the credits, and both see what was used", async () => {
    await admin.feather.admin.plans.create({
      id: offer,
      name: `Metered ${width}`,
      billing_mode: "request_pricing",
      price_usd_cents: 1000,
    });
    const adminPage = await open({ session: admin.token, width });
    await adminPage.goto("/admin/marketplaces?view=meters");
    await adminPage.getByRole("button", { name: "Meter an offer" }).first().click();
    const meter = adminPage.getByRole("dialog");
    await meter.getByLabel("Offer").fill(offer);
    await meter.getByLabel("Dimension").fill("extra_usage");
    await meter.getByLabel("Price of a unit, in US dollars").fill("0.01");
    await meter.getByLabel("At most in a calendar month").fill("500");
    await meter.getByRole("button", { name: "Save" }).click();
    await adminPage.getByRole("cell", { name: `${offer} AWS Marketplace` }).waitFor();

    const buyer = await createAccount(baseUrl);
    await buyer.feather.marketplace.subscribe({ provider: "aws", token: `test_acme-${width}_${offer}` });
    await expect(buyer.feather.chat.completions.create(HELLO)).rejects.toMatchObject({ code: "insufficient_credits" });
    const page = await open({ session: buyer.token, width });
    await page.goto("/account");
    await page.getByText("Off: calls are refused when the credits are used up.").waitFor();
    await page.getByRole("button", { name: "Let calls go on" }).click();
    await page.getByLabel("At most in a calendar month, in US dollars").fill("20");
    await page.getByRole("button", { name: "Let the marketplace bill it" }).click();
    await page.getByText("$0.00 of at most $20.00 are used this month.").waitFor();

    for (let call = 0; call < 3; call++) await buyer.feather.chat.completions.create(HELLO);
    const used = async () => (await buyer.feather.marketplace.metering.get()).used_this_month_usd;
    await expect.poll(used).toBe("0.75");
    await page.reload();
    await page.getByText("$0.75 of at most $20.00 are used this month.").waitFor();

    await adminPage.goto("/admin/marketplaces?view=usage");
    const row = adminPage.getByRole("row").filter({ hasText: "$0.75" }).first();
    await row.getByText("open").waitFor();
  });
});
