import { expect, test } from "vitest";
import { createAccount } from "../support/accounts.ts";
import { useBrowserPages } from "../support/browser-pages.ts";
import { platformUrl } from "../support/platform-url.ts";
import { pollUntil } from "../support/poll-until.ts";

const { open } = useBrowserPages();
const CATALOGUE = /\/assets\/fr-[^/]+\.js$/;

test("a browser that asks for French gets the site in French, and never shows the English page before", async () => {
  const page = await open({ locale: "fr-FR" });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  await page.route(CATALOGUE, async (route) => {
    held.resolve();
    await released;
    await route.continue();
  });
  await page.goto("/", { waitUntil: "commit" });
  await held.promise;
  const root = page.locator("#root");
  expect(await root.evaluate((element) => getComputedStyle(element).visibility)).toBe("hidden");
  release();
  await page.getByRole("link", { name: "Se connecter" }).first().waitFor();
  expect(await root.evaluate((element) => getComputedStyle(element).visibility)).toBe("visible");
  expect(await page.locator("html").getAttribute("lang")).toBe("fr");
  expect(await page.title()).toMatch(/^Des modèles .* - Feather$/);
});

test("the site is in English where the texts of the language cannot be loaded", async () => {
  const page = await open({ locale: "fr-FR" });
  await page.route(CATALOGUE, (route) => route.abort());
  await page.goto("/login");
  await page.getByRole("heading", { level: 1, name: "Log in" }).waitFor();
  expect(await page.locator("html").getAttribute("lang")).toBe("en");
});

test("the language of the account holds on every device, and what is chosen on one is saved in the account", async () => {
  const { token, feather } = await createAccount(platformUrl());
  await feather.account.update({ language: "fr" });
  const page = await open({ locale: "en-US", session: token });
  await page.goto("/account/profile");
  await page.getByRole("heading", { level: 1, name: "Profil" }).waitFor();
  expect(await page.locator("html").getAttribute("lang")).toBe("fr");

  await page.getByRole("combobox", { name: "Langue" }).first().selectOption("en");
  await page.getByRole("heading", { level: 1, name: "Profile" }).waitFor();
  await pollUntil(async () => expect((await feather.auth.me()).language).toBe("en"));

  const other = await open({ locale: "fr-FR", session: token });
  await other.goto("/account/profile");
  await other.getByRole("heading", { level: 1, name: "Profile" }).waitFor();
});
