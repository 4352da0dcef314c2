import { describe, expect, test } from "vitest";
import { createAccount } from "../support/accounts.ts";
import { useBrowserPages, WIDTHS } from "../support/browser-pages.ts";
import { platformUrl } from "../support/platform-url.ts";

const baseUrl = platformUrl();
const { open } = useBrowserPages();
const DEMO = "feather/demo";
const OTHER = "Qwen/Qwen3-8B";

describe.each(WIDTHS)("the catalogue of a signed-in user at %i px", (width) => {
  test("saves models, lists them, and removes them with an undo", async () => {
    const { token, feather } = await createAccount(baseUrl);
    const page = await open({ width, session: token });
    const saved = async () => (await feather.models.favorites()).items.map(({ id }) => id);
    await page.goto("/models?saved=1");
    await page.getByRole("heading", { name: "You have saved no model yet" }).waitFor();
    await page.getByRole("button", { name: "Show all models" }).click();
    await page.getByRole("button", { name: `Save ${DEMO}` }).dblclick();
    await page.getByText("Undo").waitFor();
    expect(await saved()).toEqual([DEMO]);

    await page.goto(`/models/${OTHER}`);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("button", { name: "Saved", pressed: true }).waitFor();
    await page.goto("/models?saved=1");
    await page.getByRole("button", { name: `Save ${OTHER}` }).click();
    await page.getByRole("link", { name: OTHER, exact: true }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("link", { name: OTHER, exact: true }).waitFor();
    expect((await saved()).sort()).toEqual([OTHER, DEMO].sort());
  });

  test("shows which models can be called now", async () => {
    const { token } = await createAccount(baseUrl);
    const page = await open({ width, session: token });
    await page.goto("/models?callable=1");
    await page.getByRole("link", { name: DEMO, exact: true }).waitFor();
    expect(await page.getByRole("link", { name: OTHER, exact: true }).count()).toBe(0);
    await page.getByRole("button", { name: "Remove filter I can call it now" }).click();
    await page
      .getByRole("link", { name: /^Qwen\// })
      .first()
      .waitFor();
  });

  test("compares models side by side and opens them in one chat", async () => {
    const { token } = await createAccount(baseUrl);
    const page = await open({ width, session: token });
    await page.goto("/models?search=qwen3-8b");
    await page.getByRole("checkbox", { name: `Compare ${OTHER}`, exact: true }).check();
    await page.goto(`${page.url().replace(/search=[^&]*&?/, "")}`);
    await page.getByRole("checkbox", { name: `Compare ${DEMO}`, exact: true }).check();
    await page.getByRole("link", { name: "Compare 2 models" }).click();
    await page.getByRole("heading", { level: 1, name: "Models side by side" }).waitFor();
    expect(new URL(page.url()).search).toBe(`?compare=${OTHER},${DEMO}`);
    await page.getByRole("row", { name: /^Context 40Ki/ }).waitFor();
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
    await page.getByRole("link", { name: "Chat with them" }).click();
    await page.waitForURL("**/chat?model=**");
    await page.getByRole("textbox", { name: /Message/ }).waitFor();
    expect(new URL(page.url()).searchParams.getAll("model")).toEqual([OTHER, DEMO]);
  });
});
