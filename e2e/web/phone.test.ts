import { expect, test } from "vitest";
import { createAccount, readMailedLink, signInAsAdmin } from "../support/accounts.ts";
import { answerWith } from "../support/answer.ts";
import { useBrowserPages } from "../support/browser-pages.ts";
import { platformUrl } from "../support/platform-url.ts";

const baseUrl = platformUrl();
const { open } = useBrowserPages();
const WIDTH = 375;

test("the bar at the bottom of a phone leads to the main pages, and covers nothing", async () => {
  const { token } = await createAccount(baseUrl);
  const page = await open({ width: WIDTH, session: token });
  await page.goto("/account/usage");
  const bar = page.getByRole("navigation", { name: "Main pages" });
  await bar.waitFor();
  expect(await bar.getByRole("link", { name: "Usage" }).getAttribute("aria-current")).toBe("page");
  for (const [name, path] of [
    ["Keys", "/account/api-keys"],
    ["Models", "/models"],
    ["Chat", "/chat"],
    ["Home", "/"],
  ] as const) {
    await bar.getByRole("link", { name }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe(path);
  }
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  const footer = await page.getByRole("contentinfo").boundingBox();
  const box = await bar.boundingBox();
  expect(box?.width).toBe(WIDTH);
  expect((footer?.y ?? 0) + (footer?.height ?? 0)).toBeLessThanOrEqual(box?.y ?? 0);
});

test("visitors have no bar at the bottom of a phone", async () => {
  const page = await open({ width: WIDTH });
  await page.goto("/status");
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await page.getByRole("navigation", { name: "Main pages" }).count()).toBe(0);
});

test.each([
  ["a phone", WIDTH],
  ["a desktop", 1440],
])("the account menu switches the organization on pages without a side navigation, on %s", async (_, width) => {
  const { feather: admin } = await signInAsAdmin(baseUrl);
  const { email, token, feather } = await createAccount(baseUrl);
  const own = (await feather.auth.me()).organization;
  await admin.organization.invitations.create({ email, role: "viewer" });
  const invitation = (await readMailedLink(baseUrl, email)).split("/").at(-1) ?? "";
  await feather.organization.invitations.accept(invitation);
  const { items } = await feather.organization.list();
  const other = items.find(({ id }) => id !== own.id);
  if (!other) throw new Error("The account belongs to one organization only.");

  const page = await open({ width, session: token });
  const { organization: current } = await feather.auth.me();
  const [from, to] = current.id === own.id ? [own, other] : [other, own];
  await page.goto("/models");
  await page.getByRole("button", { name: /^Account menu of/ }).click();
  await page.getByRole("menu").getByText(from.name, { exact: true }).waitFor();
  await page.getByRole("menuitem", { name: `Act for ${to.name}`, exact: true }).click();
  await page.getByText(`You act for ${to.name} now`).waitFor();
  expect((await feather.auth.me()).organization.id).toBe(to.id);
});

test("the chat on a phone has buttons for fingers, its list at the side of its button, and the units in use", async () => {
  const { token } = await createAccount(baseUrl);
  const page = await open({ width: WIDTH, session: token, hasTouch: true, isMobile: true });
  await answerWith(page, "A feather is light.");
  await page.goto("/chat?model=feather/demo");
  await page.getByLabel("Message").fill("What is a feather?");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("A feather is light.").waitFor();
  const main = page.getByRole("main");
  for (const name of ["Copy", "Edit", "Again"]) {
    const box = await main.getByRole("button", { name, exact: true }).first().boundingBox();
    expect([name, (box?.width ?? 0) >= 40, (box?.height ?? 0) >= 36]).toEqual([name, true, true]);
  }
  const buttons = await main.locator("form button").all();
  const boxes = await Promise.all(buttons.map((button) => button.boundingBox()));
  const small = boxes.filter((box) => (box?.width ?? 0) < 42 || (box?.height ?? 0) < 42);
  expect([small, new Set(boxes.map((box) => Math.round((box?.y ?? 0) / 10))).size]).toEqual([[], 2]);
  expect(await page.getByTitle("Units in use").isVisible()).toBe(true);
  await main.getByRole("button", { name: "Chats", exact: true }).click();
  const list = page.getByRole("dialog", { name: "Chats" });
  await expect.poll(async () => (await list.boundingBox())?.x).toBe(0);
});

test("the buttons of a dialog fill its width on a phone, beside each other or below", async () => {
  await createAccount(baseUrl);
  const { token } = await signInAsAdmin(baseUrl);
  const page = await open({ width: WIDTH, session: token });
  await page.goto("/admin/users");
  await page.getByRole("row").nth(1).getByRole("button").last().click();
  await page.getByRole("menuitem", { name: "Make admin" }).click();
  const dialog = page.getByRole("dialog");
  const field = await dialog.getByLabel("Your own password").boundingBox();
  const cancel = await dialog.getByRole("button", { name: "Cancel" }).boundingBox();
  const submit = await dialog.getByRole("button", { name: /^Make .* admin$/ }).boundingBox();
  expect(cancel?.x).toBe(field?.x);
  expect((submit?.x ?? 0) + (submit?.width ?? 0)).toBe((field?.x ?? 0) + (field?.width ?? 0));
});
