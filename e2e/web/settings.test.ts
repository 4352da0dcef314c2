import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startMailServer } from "@feather/testing/mail-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { logIn, useBrowserPages } from "../support/browser-pages.ts";
import { ADMIN, type Platform, startPlatform } from "../support/platform.ts";

const JOURNEY_LIMIT_MS = 180_000;
const RESTART_LIMIT_MS = 90_000;
const { open } = useBrowserPages();

let folder = "";
let platform: Platform;
let mailServer: Awaited<ReturnType<typeof startMailServer>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "feather-settings-"));
  // The database of a platform that root starts runs as another user.
  chmodSync(folder, 0o711);
  mailServer = await startMailServer();
  platform = await startPlatform(folder, { FEATHER_WORKERS: "2" });
});
afterAll(async () => {
  platform?.process.kill("SIGTERM");
  await platform?.ended;
  await mailServer?.close();
  rmSync(folder, { recursive: true, force: true });
});

test(
  "an admin sets the name and the mail server on the site, starts the server again, and both are used",
  async () => {
    const page = await open({ width: 1440 });
    await page.goto(`${platform.baseUrl}/admin/settings`);
    await logIn(page, ADMIN.email, ADMIN.password);
    const site = page.getByRole("region", { name: "Name, contact and analytics" });
    await site.getByLabel("Product name").fill("Acme models");
    await site.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved values are used after the next start").waitFor();

    const mail = page.getByRole("region", { name: "Mail", exact: true });
    await mail.getByLabel("SMTP URL").fill("http://not-a-mail-server");
    await mail.getByRole("button", { name: "Save" }).click();
    await mail.getByRole("alert").getByText("SMTP_URL").waitFor();
    await mail.getByLabel("SMTP URL").fill(mailServer.url);
    await mail.getByRole("button", { name: "Save" }).click();
    await mail.getByPlaceholder("set, not shown").waitFor();

    await page.getByRole("button", { name: "Start it again" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Start it again" }).click();
    await page.waitForFunction(() => document.title.includes("Acme models"), null, { timeout: RESTART_LIMIT_MS });
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
    expect(await page.getByText("Saved values are used after the next start").count()).toBe(0);

    await page.goto(`${platform.baseUrl}/admin/mails/receipt`);
    await page.getByRole("button", { name: "Send me a test" }).click();
    await expect.poll(() => mailServer.received.length, { timeout: 30_000 }).toBeGreaterThan(0);
  },
  JOURNEY_LIMIT_MS,
);
