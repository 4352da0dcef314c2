import { http, refuse } from "@feather/sdk/msw";
import type { StubHandlers } from "@feather/testing/stub";
import "fake-indexeddb/auto";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { IDBFactory } from "fake-indexeddb";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { hasStoredChats } from "#/entities/session/chat-database.ts";
import { openBrowserStore } from "#/features/chat/conversation/store/browser-store.ts";
import { conversation } from "#/testing/conversations.ts";
import { maria } from "#/testing/page.tsx";
import { openSite } from "#/testing/site.tsx";

beforeEach(() => vi.stubGlobal("indexedDB", new IDBFactory()));
afterEach(() => {
  cleanup();
  sessionStorage.clear();
  localStorage.clear();
  vi.unstubAllGlobals();
});

async function storeChat(deletedAt: number | null = null): Promise<void> {
  const store = await openBrowserStore(maria.id);
  await store.write("c1", () => conversation({ id: "c1", deletedAt }), []);
  store.close();
}

/** Opens a page as Maria and logs out in the account menu. */
async function logOut(routes: StubHandlers = []) {
  const site = await openSite("/status", [...routes, http.auth.me(maria), http.auth.logout()]);
  await screen.findByRole("heading", { name: "Status" });
  await screen.findByRole("heading", { level: 1 });
  // A click that takes long counts as held down on a menu, so the keyboard opens it.
  (await screen.findByRole("button", { name: "Account menu of Maria Winter" })).focus();
  await userEvent.keyboard("{Enter}");
  await userEvent.click(await screen.findByRole("menuitem", { name: "Log out" }));
  return site;
}
const choose = async (name: string) => {
  const dialog = within(await screen.findByRole("alertdialog", { name: "Log out" }));
  await userEvent.click(dialog.getByRole("button", { name }));
};
const hasSentLogOut = (requests: { path: string }[]) => requests.some(({ path }) => path === "/auth/logout");

describe("log-out", () => {
  test("log-out shows the home page, without what was typed in the tab", async () => {
    sessionStorage.setItem("chat-draft new", "Dear doctor");
    const { at } = await logOut();
    await waitFor(() => expect(at()).toBe("/"));
    expect(sessionStorage.getItem("chat-draft new")).toBeNull();
    expect(screen.queryByRole("alertdialog")).toBeNull();
  });

  test("log-out that fails says so, and leaves the user signed in", async () => {
    const { at } = await logOut([http.auth.logout(refuse(500, "internal_error", "x"))]);
    expect(await screen.findByText(/^The server failed at this/)).toBeTruthy();
    expect(at()).toBe("/status");
    expect(screen.getByRole("button", { name: "Account menu of Maria Winter" })).toBeTruthy();
  });

  test("log-out deletes the chats of this browser if the user says so", async () => {
    await storeChat();
    const { at, requests } = await logOut();
    await screen.findByText(/whoever uses it next could read them/);
    expect(hasSentLogOut(requests)).toBe(false);
    await choose("Delete chats and log out");
    await waitFor(() => expect(at()).toBe("/"));
    expect(hasSentLogOut(requests)).toBe(true);
    expect(await hasStoredChats(maria.id)).toBe(false);
  });

  test("log-out keeps the chats of this browser if the user says so", async () => {
    await storeChat();
    const { at } = await logOut();
    await choose("Keep chats and log out");
    await waitFor(() => expect(at()).toBe("/"));
    expect(await hasStoredChats(maria.id)).toBe(true);
  });

  test("log-out does not ask again in this browser once chats were kept, until the user wants to be asked", async () => {
    await storeChat();
    const first = await logOut();
    await choose("Keep chats and log out");
    await waitFor(() => expect(first.at()).toBe("/"));
    cleanup();
    const second = await logOut();
    await waitFor(() => expect(second.at()).toBe("/"));
    expect(screen.queryByRole("alertdialog")).toBeNull();
    expect(await hasStoredChats(maria.id)).toBe(true);
    await screen.findByText("Your chats stay in this browser");
    await userEvent.click(screen.getByRole("button", { name: "Ask me next time" }));
    cleanup();
    await logOut();
    await choose("Cancel");
  });

  test("log-out asks another user of this browser about their chats", async () => {
    localStorage.setItem("keep-chats:usr_9", "true");
    await storeChat();
    await logOut();
    await choose("Cancel");
  });

  test("log-out is not sent if the user cancels", async () => {
    await storeChat();
    const { requests } = await logOut();
    await choose("Cancel");
    await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
    expect(hasSentLogOut(requests)).toBe(false);
    expect(await hasStoredChats(maria.id)).toBe(true);
  });

  test("log-out deletes chats that the user has deleted, but could have restored, without asking", async () => {
    await storeChat(Date.now());
    const { at } = await logOut();
    await waitFor(() => expect(at()).toBe("/"));
    const store = await openBrowserStore(maria.id);
    expect(await store.list()).toEqual([]);
    store.close();
  });
});
