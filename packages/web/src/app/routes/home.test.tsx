import { cleanup, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { refusal, showPage } from "#/testing/page.tsx";
import HomePage from "./home.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const NONE = { items: [], pagination: { current_page: 1, per_page: 8, total_items: 0, total_pages: 0 } };

test("models that cannot be read are told as such, and asked for again", async () => {
  let broken = true;
  showPage(<HomePage />, "/", "/", {
    "GET /feather/models": () => (broken ? refusal(500, "internal", "x") : { body: NONE }),
  });
  expect(await screen.findByText(/Warm models cannot be read just now/)).toBeTruthy();
  expect(screen.getByText(/The newest models cannot be read just now/)).toBeTruthy();
  broken = false;
  for (const again of screen.getAllByRole("button", { name: "Try again" })) await userEvent.click(again);
  expect(await screen.findByText(/None just now/)).toBeTruthy();
  expect(screen.queryByText(/cannot be read just now/)).toBeNull();
});
