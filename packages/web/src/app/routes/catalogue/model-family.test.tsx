import { http, refuse } from "@feather/sdk/msw";
import { buildModel } from "@feather/testing/builders";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, test, vi } from "vitest";
import { neverSettles, renderPage, searchParamsOf } from "#/testing/page.tsx";
import { chooseOption } from "#/testing/select.ts";
import ModelFamilyPage from "./model-family.tsx";
import ModelReleasePage from "./model-release.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const QWEN = {
  id: "qwen",
  name: "Qwen",
  owner: "Alibaba Cloud",
  description: "Dense and <b>sparse</b> models.",
  model_count: 2,
  sub_types: [
    { id: "qwen-3", name: "Qwen3", description: "April 2025.", released_date: "2025-04-29", model_count: 2 },
    { id: "qwen-2", name: "Qwen2", description: "Older.", released_date: null, model_count: 0 },
  ],
};
const MODEL = buildModel({ description: "Largest dense." });
const list = <T,>(items: T[], total_pages = 1, current_page = 1) => ({
  items,
  pagination: { current_page, per_page: 25, total_items: items.length * total_pages, total_pages },
});
const handlersOf = (over: StubHandlers): StubHandlers => [
  ...over,
  http.models.families({ items: [QWEN] }),
  http.models.list(list([MODEL])),
  http.models.releases(() =>
    list(["2025-05-02", "2025-04-29", "2025-04-01"].map((date) => ({ date, model_count: 1, models: [] }))),
  ),
];
const showFamily = (address: string, over: StubHandlers = []) =>
  renderPage(
    <ModelFamilyPage />,
    address.split("/").length > 3 ? "/model-families/:family/:subTypeId" : "/model-families/:family",
    address,
    handlersOf(over),
  );

describe("the page of a model family", () => {
  test("the page of a model family shows its generations and models", async () => {
    const { requests, container } = showFamily("/model-families/qwen");
    expect(await screen.findByRole("heading", { level: 1, name: "Qwen" })).toBeTruthy();
    expect(screen.getByText(/Alibaba Cloud · 2 models/)).toBeTruthy();
    expect(screen.getByRole("link", { name: "Qwen3" }).getAttribute("href")).toBe("/model-families/qwen/qwen-3");
    expect(screen.getByRole("link", { name: "2025-04-29" }).getAttribute("href")).toBe("/model-releases/2025-04-29");
    expect(await screen.findByRole("link", { name: /Qwen3-32B/ })).toBeTruthy();
    expect(requests.find(({ path }) => path === "/feather/models")?.query.get("family")).toBe("qwen");
    expect(container.querySelector("p b")).toBeNull();
  });

  test("the page of a model family requests only the models of a generation, and links to the others", async () => {
    const { requests } = showFamily("/model-families/qwen/QWEN-3");
    expect(await screen.findByRole("heading", { level: 1, name: "Qwen3" })).toBeTruthy();
    expect(await screen.findByRole("heading", { name: "Other generations of Qwen" })).toBeTruthy();
    await screen.findByRole("link", { name: /Qwen3-32B/ });
    expect(
      requests
        .filter(({ path }) => path === "/feather/models")
        .at(-1)
        ?.query.get("sub_type"),
    ).toBe("qwen-3");
  });

  test.each(["/model-families/none", "/model-families/qwen/none", "/model-families/constructor"])(
    "%s is not found",
    async (address) => {
      showFamily(address);
      expect(await screen.findByText("Not found")).toBeTruthy();
    },
  );

  test("the page of a model family writes search, state and order to the URL and sends them to the server", async () => {
    const { requests, router } = showFamily("/model-families/qwen?page=2");
    await screen.findByRole("link", { name: /Qwen3-32B/ });
    await userEvent.type(screen.getByRole("searchbox"), "coder{Enter}");
    await chooseOption(screen.getByLabelText("State"), "Warm");
    await chooseOption(screen.getByLabelText("Sort by"), "Largest");
    expect(router.state.location.search).toBe("?search=coder&availability=warm&sort=-parameter_size");
    await waitFor(() => {
      const last = requests.filter(({ path }) => path === "/feather/models").at(-1)?.query;
      expect(Object.fromEntries(last ?? [])).toMatchObject({
        search: "coder",
        availability: "warm",
        sort: "-parameter_size",
      });
    });
  });

  test("the page of a model family links to the next and previous page", async () => {
    const { router } = showFamily("/model-families/qwen", [
      http.models.list(({ request }) => list([MODEL], 3, Number(searchParamsOf(request).get("page") ?? 1))),
    ]);
    await userEvent.click(await screen.findByRole("button", { name: "Next" }));
    expect(router.state.location.search).toBe("?page=2");
    expect(await screen.findByRole("button", { name: "Page 2", current: "page" })).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Previous" }));
    expect(router.state.location.search).toBe("");
  });

  test("the page of a model family can reset filters that match nothing", async () => {
    const { router } = showFamily("/model-families/qwen?search=zebra", [http.models.list(list([]))]);
    await userEvent.click(await screen.findByRole("button", { name: "Show all of them" }));
    expect(router.state.location.search).toBe("");
  });

  test("the page of a model family retries after an error, and reserves space while loading", async () => {
    showFamily("/model-families/qwen", [http.models.list(refuse(500, "internal_error", "x"))]);
    expect(await screen.findByRole("button", { name: "Try again" })).toBeTruthy();
    showFamily("/model-families/qwen", [http.models.families(refuse(500, "internal_error", "x"))]);
    expect(await screen.findByText("The families cannot be read just now.")).toBeTruthy();
    const { container } = showFamily("/model-families/qwen", [
      http.models.families(neverSettles),
      http.models.list(neverSettles),
    ]);
    expect(container.querySelectorAll(".skeleton").length).toBeGreaterThan(3);
  });
});

describe("the page of a release day", () => {
  const showDay = (date: string, over: StubHandlers = []) =>
    renderPage(<ModelReleasePage />, "/model-releases/:date", `/model-releases/${date}`, handlersOf(over));

  test("the page of a release day shows the models of the day, and links to the days around it", async () => {
    const { requests } = showDay("2025-04-29");
    expect(screen.getByRole("heading", { level: 1, name: "29 April 2025" })).toBeTruthy();
    expect(await screen.findByRole("link", { name: /Qwen3-32B/ })).toBeTruthy();
    expect(requests.find(({ path }) => path === "/feather/models")?.query.get("released")).toBe("2025-04-29");
    expect((await screen.findByRole("link", { name: /Before/ })).getAttribute("href")).toBe(
      "/model-releases/2025-04-01",
    );
    expect(screen.getByRole("link", { name: "Follow releases by RSS" }).getAttribute("href")).toBe(
      "/model-releases/rss.xml",
    );
    expect(screen.getByRole("link", { name: /After/ }).getAttribute("href")).toBe("/model-releases/2025-05-02");
  });

  test("the page of a release day tells that nothing was released", async () => {
    showDay("2025-04-30");
    expect(await screen.findByText("No model of this catalogue came out on that day.")).toBeTruthy();
  });

  test.each(["2025-02-30", "today", "%3Cb%3E"])("the page of a release day rejects %s as a date", async (date) => {
    const { requests } = showDay(date);
    expect(await screen.findByText("Not found")).toBeTruthy();
    expect(requests.filter(({ path }) => path.startsWith("/feather"))).toEqual([]);
  });
});
