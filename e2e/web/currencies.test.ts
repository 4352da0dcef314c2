import type { Feather } from "@feather/sdk";
import { currencyDecimals } from "@feather/sdk/format";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAccount, signInAsAdmin } from "../support/accounts.ts";
import { useBrowserPages, WIDTHS } from "../support/browser-pages.ts";
import { platformUrl } from "../support/platform-url.ts";

const baseUrl = platformUrl();
const { open } = useBrowserPages();
const RATES = { EUR: "0.92", JPY: "150", KWD: "0.307", ISK: "139" };
const CARD = "4242424242424242";

let admin: Feather;
beforeAll(async () => {
  ({ feather: admin } = await signInAsAdmin(baseUrl));
  for (const [code, units_per_usd] of Object.entries(RATES)) await admin.admin.currencies.set(code, { units_per_usd });
});
afterAll(async () => {
  // Organizations pay in euros by now, so that one stays.
  for (const code of ["JPY", "KWD", "ISK"]) await admin.admin.currencies.remove(code);
});

test("the SDK counts the decimals of a currency as the server does", async () => {
  const { items } = await admin.currencies.list();
  expect(items.length).toBeGreaterThan(Object.keys(RATES).length);
  for (const { code, decimals } of items) expect([code, currencyDecimals(code)]).toEqual([code, decimals]);
});

describe.each(WIDTHS)("an organization that pays in euros at %i px", (width) => {
  test("prices are shown in another currency that is chosen", async () => {
    const { token } = await createAccount(baseUrl);
    const page = await open({ session: token, width });
    await page.goto("/pricing");
    await page.getByText("$25", { exact: true }).first().waitFor();
    await page.getByLabel("Currency").selectOption("JPY");
    await page.getByText("¥3,750", { exact: true }).first().waitFor();
  });

  test("an organization chooses euros, buys a plan, and sees the invoice and its PDF in them", async () => {
    const { token, feather } = await createAccount(baseUrl);
    const page = await open({ session: token, width });
    await page.goto("/account#billing-details");
    const details = page.getByRole("region", { name: "Billing details" });
    await details.getByLabel("Currency").click();
    await page.getByRole("option", { name: "Euro (EUR)" }).click();
    await details.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved", { exact: true }).first().waitFor();

    const { id } = await feather.paymentMethods.setupIntents.create();
    await feather.paymentMethods.setupIntents.confirm(id, { test_card: CARD });
    await page.goto("/subscription/change?plan=feather_basic");
    await page.getByRole("button", { name: "Pay €9.20 for Basic" }).click();
    await page.waitForURL(/\/subscription\/complete/);

    await page.goto("/account#invoices");
    await page.getByRole("region", { name: "Invoices" }).getByText("€9.20").first().waitFor();
    const [invoice] = (await feather.invoices.list()).items;
    expect(invoice).toMatchObject({ currency: "EUR", units_per_usd: "0.92", total_cents: 920 });
    await page.goto(`/api/invoices/${invoice?.id}/page`);
    await page.getByText("Total in EUR").waitFor();
    expect(await page.locator("body").innerText()).toContain("€9.20");
    expect(await page.locator("body").innerText()).not.toContain("$");
    const pdf = await page.request.get(`/api/invoices/${invoice?.id}/pdf`);
    expect(pdf.headers()["content-type"]).toBe("application/pdf");

    await page.goto("/account#billing-details");
    await details.getByLabel("Currency").click();
    await page.getByRole("option", { name: "US Dollar (USD)" }).click();
    await details.getByRole("button", { name: "Save" }).click();
    await page
      .getByText(/The currency stays EUR while there is a paid plan/)
      .first()
      .waitFor();
  });
});
