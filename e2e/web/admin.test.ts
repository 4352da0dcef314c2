import { randomBytes } from "node:crypto";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { createAccount, signInAsAdmin } from "../support/accounts.ts";
import { logIn, useBrowserPages, WIDTHS } from "../support/browser-pages.ts";
import { ADMIN } from "../support/platform.ts";
import { platformUrl } from "../support/platform-url.ts";

const baseUrl = platformUrl();
const { open } = useBrowserPages();
const dialog = (page: Page) => page.getByRole("dialog");

describe.each(WIDTHS)("an admin at %i px", (width) => {
  test("adds a model to the catalogue, sets its price, changes it, and deletes it", async () => {
    const id = `e2e/model-${randomBytes(4).toString("hex")}`;
    const page = await open({ width });
    await page.goto("/admin/models/create?way=own");
    await logIn(page, ADMIN.email, ADMIN.password);
    await page.waitForURL("**/admin/models/create?way=own");
    await page.getByLabel("Id", { exact: true }).fill(id);
    await page.getByLabel("Class", { exact: true }).fill("qwen3-8b");
    await page.getByLabel("Parameters", { exact: true }).fill("8000000000");
    await page.getByRole("button", { name: "Create the model" }).click();
    await page.waitForURL(`**/admin/models/${encodeURIComponent(id)}`);

    await page.goto(`/admin/models/${encodeURIComponent(id)}/price`);
    await page.getByLabel("Input, dollars for a million tokens").fill("0.15");
    await page.getByLabel("Output, dollars for a million tokens").fill("0.45");
    await page.getByRole("button", { name: "Add the price" }).click();
    await page
      .getByRole("row", { name: /0\.15.*0\.45/ })
      .first()
      .waitFor();

    const visitor = await open({ width });
    await visitor.goto(`/models/${id}`);
    await visitor.getByRole("heading", { level: 1, name: id }).waitFor();
    await visitor.getByText("$0.15").first().waitFor();
    await visitor.getByText("$0.45").first().waitFor();

    await page.goto(`/admin/models/${encodeURIComponent(id)}`);
    await page.getByLabel("Licence").fill("apache-2.0");
    await page.getByRole("button", { name: "Save the model" }).click();
    await page.getByText(`${id} is saved`).first().waitFor();
    await visitor.reload();
    await visitor.getByText("apache-2.0").first().waitFor();

    await page.getByRole("button", { name: "Delete", exact: true }).click();
    const question = page.getByRole("alertdialog");
    await question.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await question.locator("button.danger").click();
    await page.waitForURL("**/admin/models");
    const gone = await visitor.goto(`/models/${id}`);
    expect(gone?.status()).toBe(404);
    await visitor.getByRole("heading", { level: 1, name: "Error 404" }).waitFor();
  });

  test("adds a provider that is found by its name, and reads in words why its test fails", async () => {
    const { token } = await signInAsAdmin(baseUrl);
    // No resource has this name, so its address is unknown with and without a network, unless nobody answers about names.
    const name = `feather-e2e-${randomBytes(8).toString("hex")}`;
    const page = await open({ width, session: token });
    await page.goto("/admin/backends");
    await page.getByRole("link", { name: "Add a backend" }).click();
    await page.getByRole("searchbox", { name: "Search providers" }).fill("azure");
    await page.getByRole("link", { name: "Groq" }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Azure OpenAI" }).click();
    await page.getByLabel("Resource", { exact: true }).fill(name);
    await page.getByLabel("Key", { exact: true }).fill("a-key");
    await page.getByLabel("Models", { exact: true }).fill("my-deployment");
    await page.getByText("More", { exact: true }).click();
    await page.getByLabel("Name", { exact: true }).fill(name);
    await page.getByRole("button", { name: "Add Azure OpenAI" }).click();
    const result = page.getByRole("region", { name: `Test of ${name}` });
    await result.getByText(`${name} does not answer`).waitFor();
    await result.getByText(/The name of this address is not known|It gave no answer/).waitFor();

    await choose(page, name, "Delete");
    await page
      .getByRole("alertdialog")
      .getByRole("button", { name: `Delete ${name}` })
      .click();
    await page.getByText(`https://${name}.openai.azure.com/openai/v1`).waitFor({ state: "detached" });
  });

  test("grants credits to a user, impersonates them, and returns to their own session", async () => {
    const { email, token: theirs } = await createAccount(baseUrl);
    const [name = ""] = email.split("@");
    const { token } = await signInAsAdmin(baseUrl);
    const page = await open({ width, session: token });
    await page.goto(`/admin/users?search=${encodeURIComponent(email)}`);
    await choose(page, name, "Book credits");
    await dialog(page).getByLabel("Amount in dollars").fill("12.50");
    await dialog(page).getByLabel("Reason").fill("A gift");
    await dialog(page).getByRole("button", { name: "Book the credits" }).click();
    await page.getByText(`${name} now has $12.50`).first().waitFor();

    const user = await open({ width, session: theirs });
    await user.goto("/account");
    await user.getByText("$12.50").first().waitFor();

    await choose(page, name, "Act as this user");
    await dialog(page).getByLabel("Reason").fill("Ticket 7");
    await dialog(page)
      .getByRole("button", { name: `Act as ${name}` })
      .click();
    const banner = page.getByRole("region", { name: "Acting as another user" });
    await banner.getByText(email).waitFor();
    await page.goto("/account");
    await banner.waitFor();
    await page.getByText("$12.50").first().waitFor();
    await page.goto("/admin");
    await page.getByRole("heading", { level: 1, name: "Error 404" }).waitFor();
    await banner.getByRole("button", { name: "Back to your account" }).click();
    await page.waitForURL("**/admin");
    await page.getByRole("heading", { level: 1, name: "Admin" }).waitFor();
    expect(await banner.count()).toBe(0);
    expect((await page.context().cookies()).map((cookie) => cookie.name)).not.toContain("impersonate_as");
  });
});

async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: action }).click();
}
