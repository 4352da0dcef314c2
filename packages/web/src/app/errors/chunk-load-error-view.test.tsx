import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { createMemoryRouter, MemoryRouter, RouterProvider } from "react-router-dom";
import { afterEach, expect, test, vi } from "vitest";
import { ChunkLoadErrorView } from "./chunk-load-error-view.tsx";
import { FailedSite } from "./failed-site.tsx";

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  vi.restoreAllMocks();
});

function show(reached: boolean) {
  const reload = vi.fn();
  const probe = vi.fn(async () => reached);
  render(
    <MemoryRouter>
      <ChunkLoadErrorView probe={probe} reload={reload} />
    </MemoryRouter>,
  );
  return { reload, probe };
}

test("shows no file name, status or technical message for a chunk that is lost while offline", async () => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  const error = new TypeError("Failed to fetch dynamically imported module: http://x/assets/status-1.js");
  const lazy = () => Promise.reject(error);
  const router = createMemoryRouter([{ path: "/", lazy, ErrorBoundary: FailedSite }]);
  render(<RouterProvider router={router} />);
  expect(await screen.findByRole("heading", { name: "You are offline" })).toBeTruthy();
  expect(document.body.textContent).not.toMatch(/500|assets|module/);
  expect(screen.getByRole("button", { name: "Try again" })).toBeTruthy();
});

test("the view of a lost chunk reloads the page when the network is back", async () => {
  const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  const { reload } = show(true);
  online.mockReturnValue(true);
  await act(async () => void window.dispatchEvent(new Event("online")));
  await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
});

test("the view of a lost chunk stays and shows a message if the server cannot be reached", async () => {
  const { reload, probe } = show(false);
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("The server cannot be reached.")).toBeTruthy();
  expect(probe).toHaveBeenCalledTimes(1);
  expect(reload).not.toHaveBeenCalled();
});
