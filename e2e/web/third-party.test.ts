import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAccount } from "../support/accounts.ts";
import { useBrowserPages, WIDTHS } from "../support/browser-pages.ts";
import { platformUrl } from "../support/platform-url.ts";
import { startThirdParty, type ThirdParty } from "../support/third-party.ts";

const baseUrl = platformUrl();
const { open } = useBrowserPages();
let program: ThirdParty;

beforeAll(async () => {
  program = await startThirdParty(baseUrl);
});
afterAll(() => program.close());

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name });

describe.each(WIDTHS)("a third-party application at %i px", (width) => {
  test.each(["Confidential", "Public"])("%s, is registered, refused, authorized, used, and revoked", async (type) => {
    const client = await register(width, type);
    const { email, token } = await createAccount(baseUrl);
    const page = await open({ width, session: token });

    await page.goto(program.createAuthorizeUrl(client, "user.read api.access"));
    await heading(page, "Roost wants to act for you").waitFor();
    await page.getByText("Read User Profile").waitFor();
    await page.getByText("API Access").waitFor();
    expect(await page.getByText("Modify User Profile").count()).toBe(0);
    await page.getByRole("button", { name: "Refuse" }).click();
    await page.getByText("back at the program").waitFor();
    expect(program.lastCallback().get("error")).toBe("access_denied");
    expect(program.lastCallback().get("code")).toBeNull();

    await page.goto(program.createAuthorizeUrl(client, "user.read"));
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByText("back at the program").waitFor();
    expect(program.lastCallback().get("error")).toBeNull();
    const { status, body } = await program.exchangeCode();
    expect({ status, scope: body.scope, type: body.token_type }).toEqual({
      status: 200,
      scope: "user.read",
      type: "Bearer",
    });
    expect((await program.exchangeCode()).body.error).toBe("invalid_grant"); // a code works once, and using it again revokes its tokens
    expect((await program.userinfo(body.access_token)).status).toBe(401);

    await page.goto(program.createAuthorizeUrl(client, "user.read"));
    // Public programs are asked about each time.
    if (type === "Public") await page.getByRole("button", { name: "Allow" }).click();
    await page.getByText("back at the program").waitFor();
    const again = (await program.exchangeCode()).body.access_token;
    expect(await program.userinfo(again)).toMatchObject({ status: 200, body: { email } });

    await page.goto("/account/profile");
    await page.getByRole("button", { name: "Take back what Roost may do" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Take back", exact: true }).click();
    await page.getByText("None. Programs that ask").waitFor();
    expect((await program.userinfo(again)).status).toBe(401);
  });
});

/** Registers it as its author does, on the page. */
async function register(width: number, type: string): Promise<{ id: string; secret: string | null }> {
  const { token } = await createAccount(baseUrl);
  const page = await open({ width, session: token });
  await page.goto("/developer/applications");
  await page.getByRole("link", { name: "Register an application" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Roost");
  await page.getByLabel("Redirect addresses").fill(program.callback);
  await page.getByRole("radio", { name: new RegExp(`^${type}`) }).check();
  await page.getByRole("checkbox", { name: /API Access/ }).check();
  await page.getByRole("button", { name: "Register the application" }).click();
  let secret: string | null = null;
  if (type === "Confidential") {
    const dialog = page.getByRole("dialog", { name: "The secret of Roost" });
    secret = await dialog
      .getByText(/^secret_\w+$/)
      .first()
      .innerText();
    await dialog.getByRole("button", { name: "I have copied it" }).click();
  }
  await heading(page, "Roost").waitFor();
  const id = await page
    .getByText(/^app_\w+$/)
    .first()
    .innerText();
  return { id, secret };
}
