import { describe, expect, test } from "vitest";
import { createAccount, signInAsAdmin } from "../support/accounts.ts";
import { useBrowserPages, WIDTHS } from "../support/browser-pages.ts";
import { platformUrl } from "../support/platform-url.ts";

const baseUrl = platformUrl();
const { open } = useBrowserPages();
const DEMO = "feather/demo";

describe.each(WIDTHS)("the reviews of a model at %i px", (width) => {
  test("can be written, marked as helpful, reported with a reason that admins see, and deleted", async () => {
    const [author, reader, admin] = await Promise.all([
      createAccount(baseUrl),
      createAccount(baseUrl),
      signInAsAdmin(baseUrl),
    ]);
    const words = `It answers, ${width} times out of ten.`;
    const writing = await open({ width, session: author.token });
    await writing.goto(`/models/${DEMO}/reviews`);
    await writing.getByRole("radio", { name: "4 of 5" }).click();
    await writing.getByRole("textbox", { name: "Review" }).fill(words);
    await writing.getByRole("button", { name: "Coding" }).click();
    await writing.getByRole("button", { name: "Publish review" }).dblclick();
    await writing.getByText("Review saved").waitFor();

    const page = await open({ width, session: reader.token });
    await page.goto(`/models/${DEMO}/reviews`);
    const review = page.getByRole("article").filter({ hasText: words });
    await review.getByText("Coding").waitFor();
    await review.getByRole("button", { name: "Helpful", exact: true }).dblclick();
    await review.getByRole("button", { name: "Helpful (1)", pressed: true }).waitFor();
    await review.getByRole("button", { name: "Report" }).click();
    const dialog = page.getByRole("dialog", { name: "Report this review" });
    await dialog.getByLabel("What is wrong with it?").click();
    await page.getByRole("option", { name: "It is untrue" }).click();
    await dialog.getByLabel("In your words").fill("It counts wrong.");
    await dialog.getByRole("button", { name: "Report" }).click();
    await page.getByText("Reported", { exact: true }).waitFor();
    const { items } = await admin.feather.admin.reviews.list({ status: "reported" });
    const reported = items.find((item) => item.review.review === words);
    expect(reported?.reports.map(({ reason }) => reason)).toEqual(["Untrue: It counts wrong."]);
    await page.reload();
    await review.getByRole("button", { name: "Helpful (1)", pressed: true }).waitFor();

    await writing.getByRole("article").filter({ hasText: words }).getByRole("button", { name: "Delete" }).click();
    await writing.getByRole("alertdialog").getByRole("button", { name: "Delete review" }).click();
    await writing.getByRole("article").filter({ hasText: words }).waitFor({ state: "detached" });
    // The server has done it when the form is empty.
    await expect.poll(() => writing.getByRole("textbox", { name: "Review" }).inputValue()).toBe("");
    const left = await reader.feather.models.reviews.list(DEMO);
    expect(left.items.filter((item) => item.review === words)).toEqual([]);
  });
});
