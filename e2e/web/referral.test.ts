import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { createAccount, signInAsAdmin } from "../support/accounts.ts";
import { signUp, useBrowserPages, WIDTHS } from "../support/browser-pages.ts";
import { platformUrl } from "../support/platform-url.ts";

const baseUrl = platformUrl();
const { open } = useBrowserPages();
const kept = (page: Page) => page.evaluate(() => localStorage.getItem("referralCode"));

/** What the site says when it tells who brought the visitor, and how it is answered. */
const sending = (page: Page) =>
  page.waitForResponse((response) => new URL(response.url()).pathname === "/api/account/referrer");

describe.each(WIDTHS)("a referral at %i px", (width) => {
  test("is remembered from the first visit to registration, sent once, and shown to the referrer", async () => {
    const { token, feather } = await createAccount(baseUrl);
    const { code } = await feather.referral.code();
    const page = await open({ width });
    await page.goto(`/models?referrer=${code}&search=demo#list`);
    await page.waitForURL(`${baseUrl}/models?search=demo#list`);
    expect(await kept(page)).toBe(code);

    await page.goto("/register");
    expect(await kept(page)).toBe(code);
    const sent = sending(page);
    await signUp(page);
    expect((await sent).status(), await (await sent).text()).toBe(204);
    await expect.poll(() => kept(page)).toBeNull();

    const theirs = await open({ width, session: token });
    await theirs.goto("/account/referral");
    await theirs.getByRole("row", { name: /signed up.*1/ }).waitFor();
    await theirs.getByText(`${baseUrl}/register?referrer=${code}`).first().waitFor();
  });

  test("with an unknown code is dropped and does not prevent registration", async () => {
    const page = await open({ width });
    await page.goto("/register?referrer=NOBODYS1");
    await page.waitForURL(`${baseUrl}/register`);
    const sent = sending(page);
    await signUp(page);
    expect((await sent).status()).toBe(404);
    await expect.poll(() => kept(page)).toBeNull();
    await page.getByRole("heading", { level: 1, name: /^Welcome/ }).waitFor();
  });

  test("without a code stores nothing", async () => {
    const page = await open({ width });
    await page.goto("/models?referrer=&search=demo");
    await page.waitForURL(`${baseUrl}/models?search=demo`);
    expect(await kept(page)).toBeNull();
  });

  test("is rewarded in money for affiliates and in credits for others", async () => {
    const { token, feather } = await createAccount(baseUrl);
    const page = await open({ width, session: token });
    await page.goto("/account/affiliate");
    await page.getByText("You are rewarded by credits").waitFor();
    await page.getByRole("link", { name: "See your referrals" }).click();
    await page.getByRole("heading", { level: 1, name: "Referral Program" }).waitFor();

    const admin = await signInAsAdmin(baseUrl);
    await admin.feather.admin.users.setReferralReward((await feather.auth.me()).id, { method: "commission" });
    await page.goto("/account/affiliate");
    await page.getByText("Paid out", { exact: true }).waitFor();
    expect(await page.getByText("You are rewarded by credits").count()).toBe(0);
  });
});
