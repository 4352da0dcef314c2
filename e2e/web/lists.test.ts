import { expect, test } from "vitest";
import { createAccount } from "../support/accounts.ts";
import { useBrowserPages } from "../support/browser-pages.ts";
import { platformUrl } from "../support/platform-url.ts";

const baseUrl = platformUrl();
const { open } = useBrowserPages();

test("keys are searched, sorted and switched off together, and the address brings the list back", async () => {
  const { token, feather } = await createAccount(baseUrl);
  for (const name of ["ci one", "laptop"]) await feather.apiKeys.create({ name });
  const page = await open({ session: token, width: 1440 });
  await page.goto("/account/api-keys");
  await page.getByRole("cell", { name: "laptop", exact: true }).waitFor();
  await page.getByLabel("Search", { exact: true }).fill("ci");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Take off the filter Search: ci" }).waitFor();
  await page.getByRole("cell", { name: "laptop", exact: true }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Name", exact: true }).click();
  await expect.poll(() => new URL(page.url()).search).toBe("?search=ci&sort=name");
  await page.reload();
  await page.getByRole("checkbox", { name: "Choose all on this page" }).check();
  await page.getByRole("button", { name: "Switch off 1" }).click();
  await page.getByText("Switch off: 1 of 1 done").waitFor();
  await expect
    .poll(async () => (await feather.apiKeys.list({ state: "disabled" })).items.map(({ name }) => name))
    .toEqual(["ci one"]);
});

test("a request is found by its result, and its receipt opens and closes with the keyboard", async () => {
  const { token, feather } = await createAccount(baseUrl);
  await feather.chat.completions.create({ model: "feather/demo", messages: [{ role: "user", content: "Hello" }] });
  await expect.poll(async () => (await feather.usage.activity.requests()).items.length).toBe(1);
  const page = await open({ session: token, width: 1440 });
  await page.goto("/account/usage?view=requests&outcome=failed");
  await page.getByRole("heading", { name: "Nothing matches" }).waitFor();
  await page.getByRole("button", { name: "Take off the filter Result: failed" }).click();
  const receipt = page.getByRole("link", { name: /^Receipt of feather\/demo/ });
  await receipt.waitFor();
  // The whole row opens it, not its text alone.
  const box = await page.getByRole("cell", { name: "done", exact: true }).boundingBox();
  await page.mouse.click((box?.x ?? 0) + 4, (box?.y ?? 0) + 4);
  const panel = page.getByRole("dialog", { name: "Receipt" });
  await panel
    .getByText(/^req_\w{22}$/)
    .first()
    .waitFor();
  expect(new URL(page.url()).searchParams.get("request")).toMatch(/^req_/);
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  await receipt.focus();
  await page.keyboard.press("Enter");
  await panel.waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => receipt.evaluate((element) => element === document.activeElement)).toBe(true);
});
