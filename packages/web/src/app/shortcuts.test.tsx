import { http, refuse } from "@feather/sdk/msw";
import { buildModel, buildPage } from "@feather/testing/builders";
import type { StubHandlers } from "@feather/testing/stub";
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { OPEN_PALETTE_EVENT } from "#/lib/events/palette-event.ts";
import { maria, renderPage } from "#/testing/page.tsx";
import { Shortcuts } from "./shortcuts.tsx";

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const MODELS = buildPage([buildModel(), buildModel({ id: "evil/<img src=x>" })]);

async function show(routes: StubHandlers = []) {
  const shown = renderPage(
    <>
      <input aria-label="Name" />
      <Shortcuts />
    </>,
    "/here",
    "/here",
    [...routes, http.auth.me(maria), http.models.list(MODELS)],
  );
  await act(async () => {});
  return shown;
}
const openPalette = async () => {
  fireEvent.keyDown(window, { key: "k", ctrlKey: true });
  return screen.findByRole("combobox");
};
const chosen = () =>
  screen.getAllByRole("option").find((one) => one.getAttribute("aria-selected") === "true")?.textContent;

const option = (text: string) => screen.getAllByRole("option").find(({ textContent }) => textContent === text);

test("Ctrl-K finds a page and opens it by keyboard alone", async () => {
  const { router } = await show();
  await openPalette();
  await userEvent.keyboard("usage");
  expect(chosen()).toContain("Usage History");
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(router.state.location.pathname).toBe("/account/usage"));
  expect(screen.queryByRole("combobox")).toBeNull();
});

test("arrow keys wrap around, and Escape closes", async () => {
  await show();
  await openPalette();
  const first = chosen();
  await userEvent.keyboard("{ArrowUp}");
  expect(chosen()).toBe(screen.getAllByRole("option").at(-1)?.textContent);
  await userEvent.keyboard("{ArrowDown}");
  expect(chosen()).toBe(first);
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("combobox")).toBeNull());
});

test("a button opens the palette where there is no keyboard", async () => {
  await show();
  act(() => void window.dispatchEvent(new Event(OPEN_PALETTE_EVENT)));
  expect(await screen.findByRole("combobox")).toBeTruthy();
  expect(chosen()).toBe("New chat");
});

test("the command palette finds models on the server, and shows their names as text", async () => {
  const { router, requests } = await show();
  await openPalette();
  await userEvent.keyboard("qw");
  await waitFor(() => expect(option("evil/<img src=x>")?.querySelector("img")).toBeNull());
  expect(requests.find(({ path, query }) => path === "/feather/models" && query.get("search") === "qw")).toBeTruthy();
  await userEvent.click(option("Qwen/Qwen3-32B") ?? document.body);
  await waitFor(() => expect(router.state.location.pathname).toBe("/models/Qwen/Qwen3-32B"));
});

test("the command palette says that nothing was found, also when the server fails", async () => {
  await show([http.models.list(refuse(400, "invalid_request", "x"))]);
  await openPalette();
  await userEvent.keyboard("zzzz");
  expect(await screen.findByText("Nothing has that name.")).toBeTruthy();
});

test("lists no private page for a visitor", async () => {
  await show([http.auth.me(refuse(401, "unauthorized", "x"))]);
  await openPalette();
  expect(screen.queryByRole("option", { name: "API Keys" })).toBeNull();
  expect(screen.getByRole("option", { name: "Login" })).toBeTruthy();
});

test("? lists all shortcuts, and single keys can be switched off permanently", async () => {
  const { router } = await show();
  fireEvent.keyDown(window, { key: "?" });
  expect(await screen.findByRole("dialog", { name: "Keyboard shortcuts" })).toBeTruthy();
  await userEvent.click(screen.getByRole("checkbox"));
  await userEvent.click(screen.getByRole("button", { name: "Close" }));
  expect(localStorage.getItem("single-key-shortcuts")).toBe("off");
  fireEvent.keyDown(window, { key: "g" });
  fireEvent.keyDown(window, { key: "m" });
  expect(router.state.location.pathname).toBe("/here");
});

test("shortcuts ignore keys that are pressed in a field", async () => {
  await show();
  fireEvent.keyDown(screen.getByLabelText("Name"), { key: "?" });
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("letters typed while the command palette is loading lead nowhere", async () => {
  const { router } = await show();
  fireEvent.keyDown(window, { key: "k", ctrlKey: true });
  fireEvent.keyDown(window, { key: "g" });
  fireEvent.keyDown(window, { key: "h" });
  expect(router.state.location.pathname).toBe("/here");
  expect(await screen.findByRole("combobox")).toBeTruthy();
});

test("letters typed while an input method composes a word lead nowhere", async () => {
  const { router } = await show();
  fireEvent.keyDown(window, { key: "g", isComposing: true });
  fireEvent.keyDown(window, { key: "m", isComposing: true });
  expect(router.state.location.pathname).toBe("/here");
});
