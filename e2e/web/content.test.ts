import { expect, test } from "vitest";
import { signInAsAdmin } from "../support/accounts.ts";
import { useBrowserPages } from "../support/browser-pages.ts";
import { platformUrl } from "../support/platform-url.ts";

const baseUrl = platformUrl();
const { open } = useBrowserPages();

test("an admin writes a page with a preview, publishes it, and everybody reads it at its address", async () => {
  const { token, feather } = await signInAsAdmin(baseUrl);
  const page = await open({ session: token, width: 1440 });
  await page.goto("/admin/content");
  await page.getByRole("link", { name: /How a call finds a backend/ }).waitFor();
  await page.goto("/admin/content/page/imprint-of-a-test");
  await page.getByRole("heading", { level: 1, name: "New page" }).waitFor();
  await page.getByLabel("Title").fill("Imprint of a test");
  await page.getByLabel("Description").fill("Who runs this.");
  await page.getByLabel("Text").fill("## Address\n\nExample Street 1");
  await page.getByRole("heading", { level: 2, name: "Address" }).waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("“Imprint of a test” is saved").waitFor();
  expect((await fetch(`${baseUrl}/imprint-of-a-test`)).status).toBe(404);
  const { version, title, description, author, tags, text } = await feather.admin.content.get(
    "page",
    "imprint-of-a-test",
  );
  const write = { version, title, description, author, tags, text, state: "published" as const, published_at: null };
  await feather.admin.content.put("page", "imprint-of-a-test", write);
  const visitor = await open();
  await visitor.goto("/imprint-of-a-test");
  await visitor.getByRole("heading", { level: 1, name: "Imprint of a test" }).waitFor();
  await visitor.getByText("Example Street 1").waitFor();
  expect(await visitor.title()).toContain("Imprint of a test");
  await feather.admin.content.delete("page", "imprint-of-a-test");
});

test("the blog has the posts that come with Feather, with and without scripts, linked from the footer", async () => {
  const visitor = await open({ javaScriptEnabled: false });
  await visitor.goto("/blog/why-concurrency-units");
  await visitor.getByRole("heading", { level: 1, name: "What a concurrency unit is" }).waitFor();
  await visitor.getByRole("heading", { level: 2, name: "What is scarce" }).waitFor();
  const page = await open();
  await page.goto("/about");
  await page.getByRole("contentinfo").getByRole("link", { name: "Blog" }).click();
  await page.getByRole("link", { name: "What the server can read of your chats" }).click();
  await page.getByRole("heading", { level: 2, name: "How they are encrypted" }).waitFor();
});
