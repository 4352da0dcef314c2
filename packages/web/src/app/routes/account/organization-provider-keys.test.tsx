import type { ProviderKey, ProviderKeyList } from "@feather/sdk";
import { http, refuse, type Sent } from "@feather/sdk/msw";
import { buildUser } from "@feather/testing/builders";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { ConfirmProvider } from "#/components/ui/dialogs/confirm.tsx";
import { ToastProvider } from "#/components/ui/feedback/toast.tsx";
import { maria, renderPage } from "#/testing/page.tsx";
import OrganizationProviderKeysPage from "./organization-provider-keys.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const AT = "/account/organization/provider-keys";
const KEY: Sent<ProviderKey> = {
  provider: "openrouter",
  name: "OpenRouter",
  label: "Team account",
  last_characters: "x9Yz",
  is_allowed: true,
  created_by_name: "Maria Winter",
  created_at: "2026-11-19T14:01:02Z",
  refusal: null,
  refused_at: null,
};
const REFUSED: Sent<ProviderKey> = {
  ...{ ...KEY, provider: "groq", name: "Groq", label: null, created_by_name: null },
  ...{ refusal: "It does not accept the key (status 401).", refused_at: "2026-11-20T14:01:02Z" },
};
const OPENROUTER = {
  ...{ id: "openrouter", name: "OpenRouter", is_required: false },
  ...{ key_url: "https://openrouter.ai/settings/keys", key_prefix: "sk-or-" },
};
const GROQ = { ...OPENROUTER, id: "groq", name: "Groq", key_url: "https://console.groq.com/keys", key_prefix: "gsk_" };
const TEST = {
  ok: true,
  problem: null,
  error: null,
  advice: null,
  call: { model: "a/b", duration_ms: 420 },
  duration_ms: 432,
};
const EMPTY: Sent<ProviderKeyList> = { items: [], providers: [GROQ, OPENROUTER], fee_percent: 0 };

const show = (list: Sent<ProviderKeyList>, routes: StubHandlers = [], user: typeof maria = maria) =>
  renderPage(
    <ToastProvider>
      <ConfirmProvider>
        <OrganizationProviderKeysPage />
      </ConfirmProvider>
    </ToastProvider>,
    AT,
    AT,
    [...routes, http.auth.me(user), http.providerKeys.list(list)],
  );
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));

test("the page of provider keys sets the key of a provider that is chosen, and warns of another provider's key", async () => {
  const { requests } = show(EMPTY, [http.providerKeys.set(KEY, { params: { provider: "groq" } })]);
  expect(await screen.findByText("This server charges nothing for calls with your own key.")).toBeTruthy();
  await press("Add a key");
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByRole("link", { name: /Make a key at Groq/ }).getAttribute("href")).toBe(GROQ.key_url);
  await userEvent.click(dialog.getByRole("button", { name: "Set the key" }));
  expect(await dialog.findByText("Key is not valid.")).toBeTruthy();
  await userEvent.type(dialog.getByLabelText("Key"), " sk-or-secret ");
  expect(await dialog.findByText(/Keys of Groq begin with gsk_/)).toBeTruthy();
  await userEvent.type(dialog.getByLabelText("Label"), "Team");
  await userEvent.click(dialog.getByRole("button", { name: "Set the key" }));
  expect(await screen.findByText("The key for OpenRouter is set")).toBeTruthy();
  const sent = requests.filter(({ method }) => method === "PUT");
  expect(sent.map(({ path, body }) => [path, body])).toEqual([
    ["/organization/provider-keys/groq", { key: "sk-or-secret", label: "Team" }],
  ]);
});

test("the page of provider keys shows what is wrong with a key, and what a call costs", async () => {
  show({ items: [REFUSED, KEY], providers: [GROQ, OPENROUTER], fee_percent: 2.5 });
  expect(await screen.findByText(/It does not accept the key \(status 401\)\./)).toBeTruthy();
  expect(screen.getByText("refused")).toBeTruthy();
  expect(screen.getByText(/charges 2\.5 % of the model's price/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Add a key" })).toBeNull();
});

test("the page of provider keys tests a key, and says what helps when it is refused", async () => {
  const failed = {
    ...TEST,
    ok: false,
    problem: "key" as const,
    error: "It is refused.",
    advice: "Make another.",
    call: null,
  };
  show({ items: [KEY, REFUSED], providers: [GROQ, OPENROUTER], fee_percent: 0 }, [
    http.providerKeys.test(TEST, { params: { provider: "openrouter" } }),
    http.providerKeys.test(failed, { params: { provider: "groq" } }),
  ]);
  await press("Test the key for OpenRouter");
  expect(await screen.findByText("a/b answered in 420 ms.")).toBeTruthy();
  await press("Test the key for Groq");
  expect(await screen.findByText("Make another.")).toBeTruthy();
});

test("the page of provider keys replaces and removes a key", async () => {
  const { requests } = show({ ...EMPTY, items: [KEY] }, [
    http.providerKeys.set(KEY, { params: { provider: "openrouter" } }),
    http.providerKeys.delete(undefined, { params: { provider: "openrouter" } }),
  ]);
  await press("Replace the key for OpenRouter");
  await userEvent.type(await screen.findByLabelText("Key"), "sk-or-new");
  await press("Replace the key");
  expect(await screen.findByText("The key for OpenRouter is set")).toBeTruthy();
  await press("Remove the key for OpenRouter");
  await press("Remove the key");
  expect(await screen.findByText("The key for OpenRouter is removed")).toBeTruthy();
  await waitFor(() => expect(requests.map(({ method }) => method)).toContain("DELETE"));
  expect(requests.find(({ method }) => method === "PUT")?.body).toEqual({ key: "sk-or-new", label: "Team account" });
});

test("the page of provider keys shows why a key was not set", async () => {
  show({ ...EMPTY, providers: [OPENROUTER] }, [
    http.providerKeys.set(refuse(409, "provider_keys.not_allowed", "Not any more."), {
      params: { provider: "openrouter" },
    }),
  ]);
  await press("Add a key");
  await userEvent.type(await screen.findByLabelText("Key"), "sk-or-new");
  await press("Set the key");
  expect(await screen.findByText("Not any more.")).toBeTruthy();
});

test("the page of provider keys offers only to remove a key that the server uses no longer", async () => {
  show({ items: [{ ...KEY, is_allowed: false }], providers: [], fee_percent: 0 });
  const disabled = async (name: string) => (await screen.findByRole<HTMLButtonElement>("button", { name })).disabled;
  expect(await disabled("Test the key for OpenRouter")).toBe(true);
  expect(await disabled("Replace the key for OpenRouter")).toBe(true);
  expect(await disabled("Remove the key for OpenRouter")).toBe(false);
});

test("the page of provider keys says so where the server uses none", async () => {
  show({ items: [], providers: [], fee_percent: 0 });
  expect(await screen.findByText("This server uses no keys of organizations")).toBeTruthy();
});

test("the page of provider keys is for admins of the organization", async () => {
  const { requests } = show(EMPTY, [], buildUser({ role: "editor" }));
  expect(await screen.findByText("Admins of the organization manage its provider keys")).toBeTruthy();
  expect(requests.some(({ path }) => path === "/organization/provider-keys")).toBe(false);
});
