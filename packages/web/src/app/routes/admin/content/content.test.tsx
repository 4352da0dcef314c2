import type { ContentItem, ContentSummary } from "@feather/sdk";
import { http, refuse, type Sent } from "@feather/sdk/msw";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, test, vi } from "vitest";
import { ToastProvider } from "#/components/ui/feedback/toast.tsx";
import { adminHandlers } from "#/testing/admin.ts";
import { renderPage } from "#/testing/page.tsx";
import AdminContentItemPage from "./content-item.tsx";
import AdminContentPage from "./content-list.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const PLACE = { params: { kind: "post", slug: "launch" } } as const;
const summary: Sent<ContentSummary> = {
  kind: "post",
  slug: "launch",
  title: "Launch",
  description: "It is there.",
  author: null,
  tags: ["news"],
  source: "editor",
  replaces: null,
  state: "published",
  published_at: "2026-12-01T08:00:00.000Z",
  version: 2,
  edited_by: "Ada",
  edited_at: "2026-12-01T08:00:00.000Z",
};
const item: Sent<ContentItem> = { ...summary, text: "## First\n\nWords." };
const imprint: Sent<ContentSummary> = {
  ...summary,
  kind: "page",
  slug: "imprint",
  title: "Imprint",
  source: "folder",
  state: "draft",
};
const pagination = { current_page: 1, per_page: 50, total_items: 2, total_pages: 1 };

const showList = (answer: { items: Sent<ContentSummary>[]; problems?: { file: string; problem: string }[] }) =>
  renderPage(
    <ToastProvider>
      <AdminContentPage />
    </ToastProvider>,
    "/admin/content",
    "/admin/content?state=draft",
    [http.admin.content.list({ problems: [], pagination, ...answer }), ...adminHandlers],
  );
const showItem = (handlers: StubHandlers, address = "/admin/content/post/launch") =>
  renderPage(
    <ToastProvider>
      <AdminContentItemPage />
    </ToastProvider>,
    "/admin/content/:kind/:slug",
    address,
    [...handlers, ...adminHandlers],
  );
const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label);
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));
const written = (requests: ReturnType<typeof showItem>["requests"]) =>
  requests.filter(({ method }) => method === "PUT").map(({ body }) => body);

describe("the admin page of content", () => {
  test("lists posts and pages with their address, source and state, and asks for the filters of its address", async () => {
    const { requests } = showList({ items: [summary, imprint] });
    expect((await screen.findByRole("link", { name: /Launch/ })).getAttribute("href")).toBe(
      "/admin/content/post/launch",
    );
    expect(screen.getByText("/blog/launch")).toBeTruthy();
    expect(screen.getByText("/imprint")).toBeTruthy();
    expect(screen.getByText("File of the data folder")).toBeTruthy();
    expect(requests.some(({ url }) => /\/admin\/content\?.*state=draft/.test(url))).toBe(true);
  });

  test("names the files that are not shown, and why", async () => {
    showList({ items: [summary], problems: [{ file: "content/blog/bad.md", problem: "It has no text." }] });
    expect(await screen.findByText("content/blog/bad.md")).toBeTruthy();
    expect(screen.getByRole("region", { name: "Files that are not shown" }).textContent).toContain("It has no text.");
  });

  test("asks for kind and address of what is new, and refuses what is no address", async () => {
    showList({ items: [summary] });
    await press("Write a post or page");
    await userEvent.type(await field("Address"), "No Address");
    await press("Write it");
    expect(await screen.findByText("Small letters and digits, with single hyphens between them.")).toBeTruthy();
  });
});

describe("the editor of posts and pages", () => {
  test("shows the text as the site does, and saves all fields with the version", async () => {
    const saved = { ...item, version: 3 };
    const { requests } = showItem([http.admin.content.get(item, PLACE), http.admin.content.put(saved, PLACE)]);
    expect(await screen.findByRole("heading", { level: 2, name: /First/ })).toBeTruthy();
    await userEvent.type(await field("Title"), " now");
    await userEvent.type(await field("Tags"), ", site");
    await press("Save");
    expect(await screen.findByText("“Launch” is saved")).toBeTruthy();
    const { title, description, text, published_at } = item;
    expect(written(requests)).toEqual([
      {
        ...{ version: 2, title: `${title} now`, description, author: null, tags: ["news", "site"] },
        ...{ state: "published", published_at, text },
      },
    ]);
  });

  test("begins with a draft where there is nothing yet", async () => {
    const place = { params: { kind: "page", slug: "imprint" } } as const;
    const { requests } = showItem(
      [
        http.admin.content.get(refuse(404, "content.not_found", "There is nothing."), place),
        http.admin.content.put(refuse(409, "content.address_taken", "The site has something else there."), place),
      ],
      "/admin/content/page/imprint",
    );
    expect(await screen.findByRole("heading", { level: 1, name: "New page" })).toBeTruthy();
    await userEvent.type(await field("Title"), "Imprint");
    await userEvent.type(await field("Description"), "Who runs this.");
    await userEvent.type(await field("Text"), "Words.");
    await press("Save");
    expect(await screen.findByText("The site has something else there.")).toBeTruthy();
    expect(written(requests)[0]).toMatchObject({ version: 0, title: "Imprint", state: "draft", published_at: null });
    expect((await field("Title")).value).toBe("Imprint");
  });

  test("keeps what was written when another admin saved first, and saves it over theirs on request", async () => {
    let version = 2;
    const { requests } = showItem([
      http.admin.content.get(() => ({ ...item, version }), PLACE),
      http.admin.content.put(() => {
        version = 3;
        return refuse(409, "content.changed", "Another admin changed this meanwhile.");
      }, PLACE),
    ]);
    await userEvent.type(await field("Title"), "!");
    await press("Save");
    expect(await screen.findByText("Ada changed this while you were editing it.")).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Save" }).disabled).toBe(true);
    await press("Go on with mine");
    await press("Save");
    await waitFor(() => expect(written(requests)).toHaveLength(2));
    expect(written(requests)[1]).toMatchObject({ version: 3, title: "Launch!" });
  });

  test("deletes after a question, which says what is shown then", async () => {
    const { requests } = showItem([
      http.admin.content.get({ ...item, replaces: "built_in" }, PLACE),
      http.admin.content.delete(undefined, PLACE),
    ]);
    await press("Delete");
    expect(await screen.findByText("The post that comes with Feather is shown in its place again.")).toBeTruthy();
    await press("Delete it");
    await waitFor(() => expect(requests.some(({ method }) => method === "DELETE")).toBe(true));
  });

  test("says that a draft hides what comes with Feather, which cannot be deleted", async () => {
    showItem([http.admin.content.get({ ...item, source: "built_in", version: 0 }, PLACE)]);
    expect(await screen.findByText("What you save here takes its place. A draft hides it.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Delete" })).toBeNull();
  });

  test("shows a 404 for a kind that does not exist", async () => {
    showItem([], "/admin/content/other/x");
    expect(await screen.findByText("Not found")).toBeTruthy();
  });
});
