import type { Backend, BackendProvider } from "@feather/sdk";
import { http, type Sent } from "@feather/sdk/msw";
import { buildPage } from "@feather/testing/builders";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { ToastProvider } from "#/components/ui/feedback/toast.tsx";
import { adminHandlers, backend } from "#/testing/admin.ts";
import { renderPage } from "#/testing/page.tsx";
import AdminCreateBackendPage from "./backend-create.tsx";
import AdminBackendsPage from "./backends.tsx";

const groq: BackendProvider = {
  id: "groq",
  name: "Groq",
  kind: "host",
  base_url: "https://api.groq.com/openai/v1",
  placeholders: [],
  api: "openai",
  lists_models: true,
  model_examples: [],
  key_url: "https://console.groq.com/keys",
  key_prefix: "gsk_",
  pricing_url: "https://groq.com/pricing",
  billing: "tokens",
  location: "CN",
};
const azure: BackendProvider = {
  ...groq,
  id: "azure",
  name: "Azure OpenAI",
  kind: "cloud",
  base_url: "https://{resource}.openai.azure.com/openai/v1",
  placeholders: [
    { name: "resource", description: "Your resource", suggestions: ["my-company"], pattern: "[a-z-]{2,}" },
  ],
  lists_models: false,
  model_examples: ["my-deployment"],
  key_prefix: null,
  location: "chosen",
};
const added: Sent<Backend> = { ...backend, id: "bck_2", name: "groq-2", provider: "groq" };

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const show = (search = "", routes: StubHandlers = []) =>
  renderPage(
    <ToastProvider>
      <AdminCreateBackendPage />
    </ToastProvider>,
    "/admin/backends/create",
    `/admin/backends/create${search}`,
    [
      ...routes,
      http.admin.providers.list({ items: [azure, groq] }),
      http.admin.backends.list(buildPage([{ ...backend, name: "groq" }])),
      http.admin.backends.create(added),
      ...adminHandlers,
    ],
  );
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));
const bodyOf = (requests: ReturnType<typeof show>["requests"]) =>
  requests.find(({ method }) => method === "POST")?.body;

test("shows the providers by kind, and finds one by its name", async () => {
  show();
  expect((await screen.findByRole("link", { name: "Groq" })).getAttribute("href")).toBe(
    "/admin/backends/create?provider=groq",
  );
  expect(screen.getByRole("heading", { name: "Hosts" })).toBeTruthy();
  await userEvent.type(screen.getByRole("searchbox", { name: "Search providers" }), "AZU{Enter}");
  await waitFor(() => expect(screen.queryByRole("link", { name: "Groq" })).toBeNull());
  expect(screen.getByRole("link", { name: "Azure OpenAI" })).toBeTruthy();
  await userEvent.type(screen.getByRole("searchbox", { name: "Search providers" }), "nobody{Enter}");
  expect(await screen.findByText(/No provider has this name/)).toBeTruthy();
  expect(screen.getByRole("button", { name: "Enter its address" })).toBeTruthy();
});

test("asks for a provider's key only, says where one is made, what it costs and where it runs, and adds the provider", async () => {
  const { requests } = show("?provider=groq");
  await userEvent.type(await screen.findByLabelText("Key"), " gsk_secret ");
  expect(screen.getByRole("link", { name: "Make a key ↗" }).getAttribute("href")).toBe("https://console.groq.com/keys");
  expect(screen.getByRole("link", { name: "Prices ↗" }).getAttribute("href")).toBe("https://groq.com/pricing");
  expect(screen.getByText("China")).toBeTruthy();
  expect(screen.getByText("feather admin backends add groq")).toBeTruthy();
  await press("Add Groq");
  await waitFor(() =>
    expect(bodyOf(requests)).toEqual({ provider: "groq", name: "groq-2", api_key: "gsk_secret", weight: 1 }),
  );
});

test("takes a key that is a pasted file, such as that of a service account", async () => {
  const { requests } = show("?provider=azure");
  const file = JSON.stringify({ type: "service_account", private_key: "k".repeat(3000) }, null, 2);
  await userEvent.type(await screen.findByLabelText("Resource"), "my-company");
  await userEvent.type(screen.getByLabelText("Models"), "one");
  await userEvent.click(screen.getByLabelText("Key"));
  await userEvent.paste(file);
  await press("Add Azure OpenAI");
  await waitFor(() => expect(bodyOf(requests)).toMatchObject({ provider: "azure" }));
  const { api_key } = bodyOf(requests) as { api_key: string };
  expect(JSON.parse(api_key)).toEqual(JSON.parse(file));
});

test("warns about a key that does not begin like the provider's, and sends nothing without a key", async () => {
  const { requests } = show("?provider=groq");
  await press("Add Groq");
  expect(await screen.findByText("Key is not valid.")).toBeTruthy();
  await userEvent.type(await screen.findByLabelText("Key"), "sk-or-1");
  expect(await screen.findByText(/Keys of Groq begin with gsk_, this one does not/)).toBeTruthy();
  expect(bodyOf(requests)).toBeUndefined();
});

test("asks for the values of the address, and for the models that a provider does not list", async () => {
  const { requests } = show("?provider=azure");
  await userEvent.type(await screen.findByLabelText("Resource"), "My Company");
  await userEvent.type(screen.getByLabelText("Key"), "k");
  await press("Add Azure OpenAI");
  expect(await screen.findByText("Resource is not valid: such as my-company.")).toBeTruthy();
  expect(screen.getByText("Models is not valid.")).toBeTruthy();
  expect(bodyOf(requests)).toBeUndefined();
  await userEvent.clear(screen.getByLabelText("Resource"));
  await userEvent.type(screen.getByLabelText("Resource"), "my-company");
  await userEvent.type(screen.getByLabelText("Models"), "one{Enter}two");
  await press("Add Azure OpenAI");
  await waitFor(() =>
    expect(bodyOf(requests)).toMatchObject({
      provider: "azure",
      placeholders: { resource: "my-company" },
      models: ["one", "two"],
    }),
  );
});

test("opens the section with the name when another backend has taken it meanwhile", async () => {
  const taken = { error: { code: "backends.name_taken", message: "The name is taken.", param: "name" } };
  show("?provider=groq", [http.admin.backends.create(() => Response.json(taken, { status: 409 }))]);
  await userEvent.type(await screen.findByLabelText("Key"), "gsk_secret");
  expect(screen.getByText("More").closest("details")?.open).toBe(false);
  await press("Add Groq");
  expect(await screen.findByText("The name is taken.")).toBeTruthy();
  expect(screen.getByText("More").closest("details")?.open).toBe(true);
});

test("tests a backend that was just added, once", async () => {
  const result = {
    ok: false,
    models: [],
    model_details: [],
    problem: "key" as const,
    error: "The key is wrong.",
    advice: "Enter another.",
    call: null,
    duration_ms: 5,
  };
  const { requests } = renderPage(
    <ToastProvider>
      <AdminBackendsPage />
    </ToastProvider>,
    "/admin/backends",
    { pathname: "/admin/backends", state: { test: "bck_2" } },
    [
      http.admin.backends.list(buildPage([backend, added])),
      http.admin.backends.test(result, { params: { id: "bck_2" } }),
      ...adminHandlers,
    ],
  );
  expect(await screen.findByText("The key is wrong.")).toBeTruthy();
  expect(screen.getByText("Enter another.")).toBeTruthy();
  expect(requests.filter(({ method }) => method === "POST")).toHaveLength(1);
});
