import { http, refuse } from "@feather/sdk/msw";
import { buildAvailability, buildModel } from "@feather/testing/builders";
import { cleanup, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { renderPage } from "#/testing/page.tsx";
import HomePage from "./home.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const NONE = { items: [], pagination: { current_page: 1, per_page: 8, total_items: 0, total_pages: 0 } };

const VISITOR = [http.auth.me(refuse(401, "unauthorized", "Sign in."))];

test("the home page shows that models failed to load, and retries", async () => {
  let shouldFail = true;
  renderPage(<HomePage />, "/", "/", [
    http.models.list(() => (shouldFail ? refuse(500, "internal_error", "x") : NONE)),
    ...VISITOR,
  ]);
  expect(await screen.findByText(/Warm models cannot be read just now/)).toBeTruthy();
  expect(screen.getByText(/The newest models cannot be read just now/)).toBeTruthy();
  shouldFail = false;
  for (const again of screen.getAllByRole("button", { name: "Try again" })) await userEvent.click(again);
  expect(await screen.findByText(/None just now/)).toBeTruthy();
  expect(screen.queryByText(/cannot be read just now/)).toBeNull();
});

test("the home page shows the most called models with real figures, and nothing if none was called", async () => {
  const popular = [
    { id: "Qwen/Qwen3-32B", score: 1, requests_7d: 1204 },
    { id: "feather/guide", score: 0.1, requests_7d: 120 },
  ];
  const routes = [http.models.list(NONE), ...VISITOR];
  renderPage(<HomePage />, "/", "/", [http.models.popular({ popular }), ...routes]);
  const heading = await screen.findByRole("heading", { name: "Most called here" });
  const rows = within(heading.closest("section") as HTMLElement)
    .getAllByRole("row")
    .slice(1);
  expect(rows.map((row) => row.textContent)).toEqual(["Qwen/Qwen3-32B1,204", "feather/guide120"]);
  renderPage(<HomePage />, "/", "/", [http.models.popular({ popular: [] }), ...routes]);
  expect(await screen.findByText(/None just now/)).toBeTruthy();
  expect(screen.queryByRole("heading", { name: "Most called here" })).toBeNull();
});

test("the home page shows how far the download of a first model is", async () => {
  const loading = { tier: "loading", loading_stage: "downloading", loading_progress: 0.62 } as const;
  const items = [
    buildModel({ id: "feather/guide" }),
    buildModel({ id: "HuggingFaceTB/SmolLM2-135M-Instruct", availability: buildAvailability(loading) }),
  ];
  const running = http.models.list(({ request }) =>
    new URL(request.url).searchParams.get("availability") === "warm,loading" ? { ...NONE, items } : NONE,
  );
  renderPage(<HomePage />, "/", "/", [running, ...VISITOR]);
  const row = await screen.findByRole("row", { name: /SmolLM2/ });
  expect(row.textContent).toContain("downloading 62 %");
});
