import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, test, vi } from "vitest";
import { DOCS } from "#/features/content/pages.ts";
import { renderPage } from "#/testing/page.tsx";
import DocsPage from "./docs.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const show = (rest: string) => renderPage(<DocsPage />, "/docs/*", `/docs${rest}`);

function stubFetch(response: Response) {
  const fetch = vi.fn(async () => response);
  vi.stubGlobal("fetch", fetch);
  return fetch;
}

describe("the docs", () => {
  test("the docs start with the first page", async () => {
    const { router } = show("");
    await waitFor(() => expect(router.state.location.pathname).toBe("/docs/quickstart"));
    expect(await screen.findByRole("heading", { level: 1, name: "Getting started" })).toBeTruthy();
  });

  test.each(DOCS.map(({ slug, meta }) => [slug, meta.title] as const))(
    "the docs have a page %s",
    async (slug, title) => {
      const { container } = show(`/${slug}`);
      expect(await screen.findByRole("heading", { level: 1, name: title })).toBeTruthy();
      await waitFor(() => expect(container.querySelector(".docBody p, .docBody h2")).toBeTruthy());
      await waitFor(() => expect(document.title).toBe(`${title} - Feather`));
      expect(container.querySelectorAll("main")).toHaveLength(1);
    },
  );

  test("the docs link to the next and previous page, and mark the current one", async () => {
    show("/models");
    const neighbours = await screen.findByRole("navigation", { name: "Previous and next page" });
    expect(
      within(neighbours)
        .getByRole("link", { name: /Getting started/ })
        .getAttribute("href"),
    ).toBe("/docs/quickstart");
    expect(
      within(neighbours)
        .getByRole("link", { name: /Units and limits/ })
        .getAttribute("href"),
    ).toBe("/docs/limits");
    const current = screen.getAllByRole("link", { current: "page" }).map((link) => link.textContent);
    expect(current).toContain("Models and access");
  });

  test("the docs list the headings of the page", async () => {
    show("/limits");
    const contents = await screen.findByRole("navigation", { name: "On this page" });
    expect(within(contents).getByRole("link", { name: "How units are counted" }).getAttribute("href")).toBe(
      "#how-units-are-counted",
    );
  });

  test("the docs can be copied as Markdown, which the head of the page links", async () => {
    const writeText = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
    const { router } = show("/limits");
    const fetched = stubFetch(new Response("# Units and limits\n"));
    await userEvent.click(await screen.findByRole("button", { name: "Copy as Markdown" }));
    await screen.findByRole("button", { name: "Copied" });
    expect(fetched).toHaveBeenCalledWith("/docs/limits.md");
    expect(writeText).toHaveBeenCalledWith("# Units and limits\n");
    expect(screen.getByRole("link", { name: "Open as Markdown" }).getAttribute("href")).toBe("/docs/limits.md");
    const linked = () => document.head.querySelector('link[type="text/markdown"]')?.getAttribute("href");
    expect(linked()).toBe("/docs/limits.md");
    await router.navigate("/docs/models");
    await waitFor(() => expect(linked()).toBe("/docs/models.md"));
    await router.navigate("/docs/none");
    await waitFor(() => expect(linked()).toBeUndefined());
  });

  test("the docs are not copied if their Markdown cannot be loaded", async () => {
    show("/limits");
    stubFetch(new Response(null, { status: 503 }));
    await userEvent.click(await screen.findByRole("button", { name: "Copy as Markdown" }));
    expect(await screen.findByRole("button", { name: "Not copied" })).toBeTruthy();
  });

  test.each(["/none", "/constructor", "/%3Cscript%3E", "/../x", "/a/b/c"])(
    "the docs show a 404 for %s",
    async (rest) => {
      const { container } = show(rest);
      await screen.findByRole("heading", { level: 1 });
      expect(container.querySelector("script")).toBeNull();
    },
  );

  test("the docs escape the name of an unknown page", async () => {
    show("/%3Cimg%20src=x%3E");
    expect(await screen.findByText(/There is no page “<img src=x>” in the docs/)).toBeTruthy();
  });
});

describe("the search of the docs", () => {
  test("the search of the docs finds results while typing, and opens one by keyboard", async () => {
    const { router } = show("/quickstart");
    const field = await screen.findByRole("combobox", { name: "Search the docs" });
    await userEvent.type(field, "rotat");
    const options = await screen.findAllByRole("option");
    expect(options.length).toBeGreaterThan(0);
    await userEvent.clear(field);
    await userEvent.type(field, "concurrency_limit_exceeded");
    await screen.findAllByRole("option");
    await userEvent.keyboard("{ArrowDown}{ArrowUp}{Enter}");
    await waitFor(() => expect(router.state.location.pathname).not.toBe("/docs/quickstart"));
    expect(screen.queryByRole("option")).toBeNull();
  });

  test("the search of the docs finds calls of the API reference, too", async () => {
    const { router } = show("/quickstart");
    await userEvent.type(await screen.findByRole("combobox"), "apikeys.rotate");
    await screen.findAllByRole("option");
    await userEvent.keyboard("{Enter}");
    await waitFor(() => expect(router.state.location.hash).toBe("#apiKeys.rotate"));
  });

  test("the search of the docs tells when nothing matches, and closes with Escape", async () => {
    show("/quickstart");
    await userEvent.type(await screen.findByRole("combobox"), "<b>zebra");
    expect(await screen.findByText("Nothing in the docs holds “<b>zebra”.")).toBeTruthy();
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByText(/Nothing in the docs/)).toBeNull();
  });
});
