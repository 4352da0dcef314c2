import type { Feather } from "@feather/sdk";
import { createFeather } from "@feather/sdk";
import type { Locator, Page } from "playwright-core";
import { beforeEach, describe, expect, test } from "vitest";
import { createAccount } from "../support/accounts.ts";
import { useBrowserPages } from "../support/browser-pages.ts";
import { platformUrl } from "../support/platform-url.ts";

const baseUrl = platformUrl();
const { open } = useBrowserPages();
const MODEL = "feather/demo";

let feather: Feather;
let token: string;

beforeEach(async () => {
  ({ feather, token } = await createAccount(baseUrl));
});

async function openKeys(width = 1440): Promise<Page> {
  const page = await open({ session: token, width });
  await page.goto("/account/api-keys");
  await page.getByRole("heading", { level: 1, name: "API Keys" }).waitFor();
  return page;
}

/**
 * Reloads the page and records the bodies of its PUT requests, because the browser does not report the body of a
 * `Request`.
 */
async function recordPuts(page: Page): Promise<readonly unknown[]> {
  const bodies: unknown[] = [];
  await page.exposeFunction("recordPut", (body: string) => bodies.push(JSON.parse(body)));
  await page.addInitScript(() => {
    const send = globalThis.fetch;
    globalThis.fetch = async (input, init) => {
      if (input instanceof Request && input.method === "PUT")
        await (globalThis as unknown as { recordPut(body: string): Promise<void> }).recordPut(
          await input.clone().text(),
        );
      return send(input, init);
    };
  });
  await page.reload();
  return bodies;
}

const secretOf = (dialog: Locator): Promise<string> =>
  dialog
    .getByText(/^rc_\w+$/)
    .first()
    .innerText();
const call = (apiKey: string, model = MODEL) =>
  createFeather({ baseUrl, apiKey }).chat.completions.create({ model, messages: [{ role: "user", content: "Hello" }] });
const act = async (page: Page, name: string, action: string): Promise<void> => {
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: action }).click();
};

describe("a key with limits", () => {
  test("is made with the keyboard alone, and the server keeps to its limits", async () => {
    const page = await openKeys();
    await page.getByRole("button", { name: "New key" }).focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Name").waitFor();
    await page.keyboard.type("nightly batch");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    const form = page.getByRole("dialog", { name: "New key" });

    await form.getByRole("radio", { name: "all models" }).focus();
    await page.keyboard.press("ArrowRight");
    await form.getByLabel("Models that it may call").focus();
    await page.keyboard.type(MODEL);
    await page.getByRole("option", { name: MODEL, exact: true }).waitFor();
    await page.keyboard.press("Enter");
    await form.getByRole("button", { name: `Remove ${MODEL}` }).waitFor();

    await form.getByLabel("Budget in dollars").focus();
    await page.keyboard.type("2.50");
    await form.getByRole("radio", { name: "never" }).focus();
    await page.keyboard.press("ArrowLeft");
    await form.getByRole("textbox", { name: "Day" }).focus();
    await page.keyboard.type("2099-03-01");
    await form.getByLabel("Only from these addresses").focus();
    await page.keyboard.type("127.0.0.0/8");
    await page.keyboard.press("Enter");
    await page.keyboard.type("::1");
    await form.getByRole("button", { name: "Make the key" }).focus();
    await page.keyboard.press("Enter");

    const ready = page.getByRole("dialog", { name: "Key “nightly batch” is ready" });
    const secret = await secretOf(ready);
    await page.keyboard.press("Escape");
    await page.mouse.click(5, 5);
    await ready.getByText(`"model": "${MODEL}"`).waitFor();
    await ready.getByRole("button", { name: "I have copied it" }).focus();
    await page.keyboard.press("Enter");
    await ready.waitFor({ state: "detached" });

    const { items } = await feather.apiKeys.list();
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({
      name: "nightly batch",
      scopes: ["api.access"],
      allowed_models: [MODEL],
      max_concurrency: null,
      spend_limit_nano_usd: "2500000000",
      limit_reset: "month",
      expires_at: new Date("2099-03-01T00:00:00Z"),
      ip_allowlist: ["127.0.0.0/8", "::1"],
      disabled: false,
    });
    await page
      .getByRole("row", { name: /nightly batch/ })
      .getByText(`only ${MODEL}, only from 127.0.0.0/8 and 1 more address`)
      .waitFor();
    expect((await call(secret)).choices).toHaveLength(1);
    await expect(call(secret, "feather/guide")).rejects.toMatchObject({ status: 403 });
  });

  test("is changed, and only what was changed is sent", async () => {
    await feather.apiKeys.create({ name: "ci", allowed_models: [MODEL], max_concurrency: 1, expires_at: null });
    const page = await openKeys();
    const bodies = await recordPuts(page);
    await act(page, "ci", "Edit");
    const form = page.getByRole("dialog", { name: "Edit “ci”" });
    await form.getByRole("radio", { name: "all models" }).check();
    await form.getByRole("radio", { name: "as many as the plan has" }).check();
    await form.getByRole("button", { name: "Save" }).click();
    await form.waitFor({ state: "detached" });
    await page.getByRole("row", { name: /ci/ }).getByText("no limits").waitFor();
    expect(bodies).toEqual([{ allowed_models: [], max_concurrency: null }]);
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
      .toBe("Actions for ci");
  });
});

test("a secret that is replaced stays valid as long as was chosen", async () => {
  const { secret } = await feather.apiKeys.create({ name: "laptop" });
  const page = await openKeys();
  const replace = async (choice: string): Promise<string> => {
    await act(page, "laptop", "Replace the secret");
    const question = page.getByRole("alertdialog", { name: "Replace the secret of “laptop”" });
    await question.getByRole("radio", { name: choice }).check();
    await question.getByRole("button", { name: "Replace it" }).click();
    const ready = page.getByRole("dialog", { name: "Key “laptop” is ready" });
    const next = await secretOf(ready);
    await ready.getByRole("button", { name: "I have copied it" }).click();
    await ready.waitFor({ state: "detached" });
    return next;
  };
  const second = await replace("in an hour");
  await page.getByText("the secret before it ends in 1 hour").waitFor();
  expect((await call(secret)).choices).toHaveLength(1);
  const third = await replace("at once");
  await expect(call(second)).rejects.toMatchObject({ status: 401 });
  expect((await call(third)).choices).toHaveLength(1);
});

test("on a phone, keys are cards and the form fits", async () => {
  await feather.apiKeys.create({
    name: "a-name-without-spaces-that-is-as-long-as-the-contract-lets-it-be",
    allowed_models: ["an-owner-with-a-long-name/a-model-with-a-name-that-is-longer-than-the-screen-of-a-phone"],
    max_concurrency: 1,
  });
  const page = await openKeys(375);
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await page.getByText(/only an-owner-with-a-long-name/).waitFor();
  expect(await overflow()).toBe(0);
  const table = await page.getByRole("table").boundingBox();
  expect((table?.x ?? 0) + (table?.width ?? 999)).toBeLessThanOrEqual(375);
  await act(page, "a-name-without", "Edit");
  const form = page.getByRole("dialog");
  await form.getByRole("button", { name: "Save" }).waitFor();
  expect(await form.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
});
