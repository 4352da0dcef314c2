import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createAccount } from "../support/accounts.ts";
import { useBrowserPages, WIDTHS } from "../support/browser-pages.ts";
import { platformUrl } from "../support/platform-url.ts";

const baseUrl = platformUrl();
const { open } = useBrowserPages();
const DAY_MS = 86_400_000;

describe.each(WIDTHS)("the usage page at %i px", (width) => {
  test("shows instructions without requests, then units, failures and tokens as charts, tables and files", async () => {
    const { token, feather } = await createAccount(baseUrl);
    const page = await open({ width, session: token });
    const firstDay = new Date(Date.now() - 6 * DAY_MS).toISOString().slice(0, 10);
    await page.goto(`/account/usage?from=${firstDay}`);
    await page.getByRole("heading", { name: "Nothing was called in this period" }).waitFor();

    await feather.chat.completions.create({ model: "feather/demo", messages: [{ role: "user", content: "Hello" }] });
    await page.reload();
    const units = page.getByRole("region", { name: "Most units in use by day" });
    await units.getByRole("slider", { name: "Most units in use by day, over time" }).waitFor();
    expect(await units.getByText(/plan's limit: \d/).count()).toBe(1);
    await units.getByText("As a table").click();
    expect(await units.getByRole("row").nth(1).getByRole("cell").nth(1).textContent()).toBe("1");

    const saving = page.waitForEvent("download");
    await units.getByRole("button", { name: "Export units as CSV" }).click();
    const lines = readFileSync(await (await saving).path(), "utf8")
      .trim()
      .split("\r\n");
    expect(lines[0]).toBe("time,most at once,Refused,plan's limit");
    expect(lines.slice(1).map((line) => line.split(",")[1])).toEqual(["0", "0", "0", "0", "0", "0", "1"]);

    const failures = page.getByRole("region", { name: "Share of requests that failed" });
    await failures.getByText("No request failed in this period.").waitFor();
    expect(await page.getByRole("region", { name: /Credits spent/ }).count()).toBe(0);

    await page.getByRole("button", { name: /^Period/ }).click();
    await page.getByRole("button", { name: "Today" }).click();
    await page.getByRole("region", { name: "Most units in use by the hour" }).waitFor();
    const { searchParams } = new URL(page.url());
    expect(searchParams.get("from")).toBe(searchParams.get("to"));
    const { overflow } = await page.evaluate(() => ({
      overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    }));
    expect(overflow).toBeLessThanOrEqual(0);
  });
});
