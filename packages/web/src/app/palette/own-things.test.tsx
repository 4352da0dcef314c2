import type { Conversation } from "@feather/sdk";
import { http, refuse, type Sent } from "@feather/sdk/msw";
import {
  buildApiKey,
  buildDeployment,
  buildModel,
  buildPage,
  buildUser,
  permissionsOf,
} from "@feather/testing/builders";
import type { StubHandlers } from "@feather/testing/stub";
import "fake-indexeddb/auto";
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { IDBFactory } from "fake-indexeddb";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DEFAULT_SETTINGS } from "#/features/chat/conversation/settings.ts";
import { openBrowserStore } from "#/features/chat/conversation/store/browser-store.ts";
import { adminUser } from "#/testing/admin.ts";
import { maria, renderPage } from "#/testing/page.tsx";
import { Shortcuts } from "../shortcuts.tsx";
import type { Command } from "./commands.ts";
import { findOwnThings } from "./own-things.ts";

beforeEach(() => vi.stubGlobal("indexedDB", new IDBFactory()));
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const AT = "2026-11-20T12:00:00Z";
const CHAT: Sent<Conversation> = {
  ...{
    id: "6f1c2a34-9d0e-4b7a-8c55-2f1e0a9b3c4d",
    title: "Sorting in place",
    is_named: false,
    models: [],
    settings: {},
  },
  ...{ selected: {}, is_pinned: false, is_archived: false, folder: null, version: 1 },
  ...{ created_at: AT, updated_at: AT, deleted_at: null },
};
const organization = (chat_storage: "server" | "browser" | "off") => ({
  ...{ id: maria.organization.id, name: "Winter & Sons", role: "admin" as const, calls_elsewhere: true },
  ...{ chat_storage, chat_retention_days: null, chat_links: false, created_at: AT },
});
const collection = {
  ...{ id: "col_1", name: "Handbook", description: "", access: "members" as const, embedding_model: null },
  ...{
    may_change: true,
    documents: 0,
    waiting_documents: 0,
    failed_documents: 0,
    passages: 0,
    created_by_name: null,
    created_at: AT,
    updated_at: AT,
  },
};
const prompt = {
  ...{
    id: "6f1c2a34-9d0e-4b7a-8c55-2f1e0a9b3c4e",
    kind: "persona" as const,
    name: "Strict reviewer",
    text: "Be strict.",
  },
  ...{ model: null, settings: {}, owner: "person" as const, version: 1, updated_by_name: null, updated_at: AT },
};
const member = {
  user_id: "usr_7",
  name: "Jonas Sommer",
  email: "jonas@example.com",
  role: "viewer" as const,
  joined_at: AT,
};

const HANDLERS: StubHandlers = [
  http.apiKeys.list(buildPage([buildApiKey({ id: "key_1", name: "Nightly build" })])),
  http.organization.list({ items: [organization("server")] }),
  http.conversations.list(buildPage([CHAT])),
  http.deployments.list(buildPage([buildDeployment({ id: "dep_1", name: "support-bot" })])),
  http.organization.members.list({ items: [member] }),
  http.collections.list({ items: [collection] }),
  http.prompts.list({ items: [prompt] }),
  http.models.list(buildPage([buildModel()])),
];
const NO_MODELS = http.models.list(buildPage([]));
const OWN_PATHS = ["/api-keys", "/conversations", "/collections", "/prompts", "/organization/members"];

/** Shows a page of a user with the palette closed. Handlers that are given are used before the others. */
async function show(routes: StubHandlers = [], user = maria) {
  const page = renderPage(<Shortcuts />, "/here", "/here", [...routes, ...HANDLERS, http.auth.me(user)]);
  await act(async () => {});
  return { ...page, own: () => page.requests.filter(({ path }) => OWN_PATHS.some((one) => path.endsWith(one))) };
}

const open = async () => {
  fireEvent.keyDown(window, { key: "k", ctrlKey: true });
  return screen.findByRole("combobox");
};

test("own things are read when the palette opens, and not before", async () => {
  const { own } = await show();
  expect(own()).toEqual([]);
  await open();
  await waitFor(() => expect(own()).toHaveLength(OWN_PATHS.length));
});

test.each([
  ["nightly", "Nightly build API key", "/account/api-keys?search=Nightly+build"],
  ["sorting", "Sorting in place Chat", `/chat?c=${CHAT.id}`],
  ["support-b", "support-bot Deployment", "/account/private-cloud/deployments/dep_1"],
  ["jonas@", "Jonas Sommer Member", "/account/organization?search=jonas%40example.com"],
  ["handb", "Handbook Collection", "/account/collections/col_1"],
  ["strict", "Strict reviewer Persona", "/account/prompts"],
  ["req_4fJqM1t9Zk", "req_4fJqM1t9Zk Receipt", "/account/usage?view=requests&request=req_4fJqM1t9Zk"],
])("%j finds what one has, and opens it by keyboard", async (typed, name, to) => {
  const { router } = await show([NO_MODELS]);
  await userEvent.type(await open(), typed);
  const found = await screen.findByRole("option", { name });
  await waitFor(() => expect(found.getAttribute("aria-selected")).toBe("true"));
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(router.state.location.pathname + router.state.location.search).toBe(to));
});

test("chats that the browser keeps are found there", async () => {
  const store = await openBrowserStore(maria.id);
  const kept = {
    ...{ id: CHAT.id, title: "Gardens in winter", named: false, models: [], settings: DEFAULT_SETTINGS, chosen: {} },
    ...{ pinned: false, archived: false, folder: null, createdAt: 1, updatedAt: 1, deletedAt: null },
  };
  await store.write(kept.id, () => kept, []);
  store.close();
  const { requests } = await show([http.organization.list({ items: [organization("browser")] })]);
  await userEvent.type(await open(), "gardens");
  expect(await screen.findByRole("option", { name: "Gardens in winter Chat" })).toBeTruthy();
  expect(requests.filter(({ path }) => path === "/conversations")).toEqual([]);
});

test("what cannot be read is named, and the rest is found", async () => {
  await show([
    http.apiKeys.list(refuse(400, "invalid_request", "x")),
    http.prompts.list(refuse(403, "organization_permission_denied", "x")),
  ]);
  const field = await open();
  const said = await screen.findByText(/^Not searched, as they cannot be read just now: API keys and prompts\.$/);
  expect(said.closest('[role="status"]')).toBeTruthy();
  await userEvent.type(field, "support");
  expect(await screen.findByRole("option", { name: "support-bot Deployment" })).toBeTruthy();
});

test("somebody who may not call models is not offered collections, and an admin who acts as another no chats", async () => {
  const viewer = { ...maria, permissions: permissionsOf("viewer").filter((one) => one !== "call_models") };
  const { own } = await show([], { ...viewer, impersonated_by: "usr_9" });
  await open();
  await waitFor(() =>
    expect(
      own()
        .map(({ path }) => path)
        .sort(),
    ).toEqual(["/api-keys", "/organization/members"]),
  );
});

test("visitors read nothing", async () => {
  const { own } = await show([http.auth.me(refuse(401, "unauthorized", "x")), NO_MODELS]);
  await userEvent.type(await open(), "req_4fJqM1t9Zk");
  await screen.findByText("Nothing has that name.");
  expect(own()).toEqual([]);
});

test("admins find users by the name of their organization, and others do not search them", async () => {
  const users = http.admin.users.list(buildPage([{ ...adminUser, organization_name: "Alpine Bakery" }]));
  const { router, requests } = await show([users, NO_MODELS], buildUser({ is_admin: true }));
  await userEvent.type(await open(), "bakery");
  await userEvent.click(await screen.findByRole("option", { name: /Maria Winter .*Alpine Bakery/ }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/admin/users/usr_1"));
  const searched = (list: typeof requests) => list.filter(({ path }) => path === "/admin/users");
  expect(searched(requests).at(-1)?.query.get("search")).toBe("bakery");
  cleanup();
  const other = await show([users, NO_MODELS]);
  await userEvent.type(await open(), "bakery");
  await screen.findByText("Nothing has that name.");
  expect(searched(other.requests)).toEqual([]);
});

test("what was opened last comes first, by its name of now", async () => {
  await show();
  await userEvent.type(await open(), "handb");
  await userEvent.click(await screen.findByRole("option", { name: "Handbook Collection" }));
  cleanup();
  await show([http.collections.list({ items: [{ ...collection, name: "Rules" }] })]);
  await open();
  await screen.findByRole("option", { name: "Rules Collection" });
  expect(screen.getAllByRole("option")[0]?.textContent).toContain("Rules");
  expect(localStorage.getItem("palette-recent")).toBe('["collection col_1"]');
});

test("at most five things of a kind are shown, those whose names begin with the words first", () => {
  const things = Array.from(
    { length: 9 },
    (_, index): Command => ({
      id: `key ${index}`,
      group: "Yours",
      label: index === 8 ? "build" : `nightly-build ${index}`,
      action: { type: "go", to: "/" },
    }),
  );
  expect(findOwnThings(things, "build").map(({ id }) => id)).toEqual(["key 8", "key 0", "key 1", "key 2", "key 3"]);
  expect(findOwnThings(things, "zzz")).toEqual([]);
});
