import { http } from "@feather/sdk/msw";
import { act, cleanup, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { RouteSpec } from "#/config/routes.ts";
import { maria } from "#/testing/page.tsx";
import { openSite } from "#/testing/site.tsx";
import type { PageModule } from "../page-module.ts";

beforeEach(() => void vi.spyOn(console, "info").mockImplementation(() => {}));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const ROUTE: RouteSpec = { path: "/account/usage", title: "Usage", access: "private", layout: "account" };

/** Opens the site at a page whose chunk is loading; `finish` ends that. */
async function openLoadingPage() {
  const chunk = Promise.withResolvers<PageModule>();
  await openSite(ROUTE.path, [http.auth.me(maria)], undefined, [{ route: ROUTE, importPage: () => chunk.promise }]);
  return { finish: () => act(async () => chunk.resolve({ default: () => <h1>Usage</h1> })) };
}

test("while the chunk of a page is loading, the navigation is there and the page is busy", async () => {
  await openLoadingPage();
  expect(await screen.findByRole("navigation", { name: "Account" })).toBeTruthy();
  expect(document.querySelector("main [aria-busy=true]")).not.toBeNull();
});

test("an account menu that was opened while a page was loading stays open when the page is there", async () => {
  const { finish } = await openLoadingPage();
  await userEvent.click(await screen.findByRole("button", { name: /^Account menu/ }));
  await userEvent.click(await screen.findByRole("menuitem", { name: /^Theme/ }));
  const focused = document.activeElement;
  await finish();
  expect(await screen.findByRole("heading", { name: "Usage", hidden: true })).toBeTruthy();
  expect(screen.getByRole("menuitem", { name: /^Theme/ })).toBeTruthy();
  expect(document.activeElement).toBe(focused);
});

test("the focus stays in the navigation when the page is there", async () => {
  const { finish } = await openLoadingPage();
  const link = await screen.findByRole("link", { name: "API keys" });
  link.focus();
  await finish();
  await screen.findByRole("heading", { name: "Usage" });
  expect(document.activeElement).toBe(link);
});
