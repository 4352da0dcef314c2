import type { StoreFiles, StorePull } from "@feather/sdk";
import { http, refuse, type Sent } from "@feather/sdk/msw";
import { buildAvailability, type buildModel, buildPage } from "@feather/testing/builders";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { catalogueModel } from "#/testing/chat.ts";
import { maria, renderPage, respondWith } from "#/testing/page.tsx";
import ModelPage from "./model.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const ID = "acme/gated-8b";
type Model = ReturnType<typeof buildModel>;
const CLOSED: Model["access"] = {
  callable: false,
  reasons: ["gated"],
  effective_context_length: 8192,
  unlocked: false,
};
const OPEN: Model["access"] = { callable: true, reasons: [], effective_context_length: 8192, unlocked: true };
/** Fields that the page shows as well. */
const SHOWN: Partial<Model> = {
  output_modalities: ["text"],
  avg_rating: null,
  status: "active",
  base_model: null,
  architecture: null,
};
const gated = (access?: Model["access"]) => catalogueModel(ID, { is_gated: true, ...SHOWN, ...(access && { access }) });
const member = (more: Partial<typeof maria> = {}) => ({
  ...maria,
  permissions: ["call_models" as const, "manage_models" as const],
  ...more,
});

const show = (routes: StubHandlers, id = ID) =>
  renderPage(<ModelPage />, "/models/:owner/:name", `/models/${id}`, routes);

test("unlocks a gated model with a hub token, so that it can be called", async () => {
  let isUnlocked = false;
  const { requests } = show([
    http.auth.me(member()),
    http.models.get(() => gated(isUnlocked ? OPEN : CLOSED), { params: { id: ID } }),
    http.models.unlock(
      () => {
        isUnlocked = true;
        return { model_id: ID, unlocked_at: "2026-11-22T10:00:00Z", method: "token" };
      },
      { params: { id: ID } },
    ),
  ]);
  await userEvent.type(await screen.findByLabelText("Token of Hugging Face"), "hf_abc");
  await userEvent.click(screen.getByRole("button", { name: "Unlock it" }));
  expect(await screen.findByText("It is open to your organization.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Unlock it" })).toBeNull();
  const sent = requests.find(({ method, path }) => method === "POST" && path.endsWith("/unlock"));
  expect(sent?.body).toEqual({ access_token: "hf_abc" });
});

test("unlocking a gated model shows that the hub refused the token, and keeps the form", async () => {
  show([
    http.auth.me(member()),
    http.models.get(() => gated(CLOSED), { params: { id: ID } }),
    http.models.unlock(refuse(403, "hub.gated", "The token may not read acme/gated-8b."), { params: { id: ID } }),
  ]);
  await userEvent.type(await screen.findByLabelText("Token of Hugging Face"), "hf_abc");
  await userEvent.click(screen.getByRole("button", { name: "Unlock it" }));
  expect((await screen.findByRole("alert")).textContent).toBe("The token may not read acme/gated-8b.");
  expect(screen.getByRole("button", { name: "Unlock it" })).toBeTruthy();
});

test("asks visitors to log in to unlock a gated model, and tells members without permission who may", async () => {
  show([http.auth.me(refuse(401, "unauthorized", "Log in.")), http.models.get(() => gated(), { params: { id: ID } })]);
  const section = (await screen.findByRole("heading", { name: "Gated by its publisher" })).parentElement;
  expect(within(section as HTMLElement).getByRole("link", { name: "Log in" })).toBeTruthy();
  show([
    http.auth.me(member({ permissions: ["call_models"] })),
    http.models.get(() => gated(CLOSED), { params: { id: ID } }),
  ]);
  expect(await screen.findByText(/Somebody who may run private models in your organization/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Unlock it" })).toBeNull();
});

test("shows the call of a model that does not chat, and the prices that are not for tokens", async () => {
  const id = "acme/whisper-large";
  const prices = { prompt: "0", completion: "0", image: "0", character: "0", request: "0.002", input: 0, output: 0 };
  const model = catalogueModel(id, { ...SHOWN, pricing: { ...prices, audio_second: "0.0001" } });
  show([http.auth.me(member()), http.models.get(() => model, { params: { id } })], id);
  expect(await screen.findByText(/audio\/transcriptions/)).toBeTruthy();
  expect(screen.queryByText(/chat\/completions/)).toBeNull();
  expect(screen.queryByRole("link", { name: "Chat with it" })).toBeNull();
  const facts = ["each second of sound", "each request", "each picture", "read aloud"].map(
    (name) => screen.queryByText(`Metered, ${name}`)?.nextSibling?.textContent,
  );
  expect(facts).toEqual(["$0.0001", "$0.002", undefined, undefined]);
});

test("offers no unlocking for a model without a gate", async () => {
  const open = catalogueModel("acme/open", { is_gated: false, ...SHOWN });
  show([http.models.get(open, { params: { id: "acme/open" } })], "acme/open");
  expect(await screen.findByRole("heading", { name: "Can you call it?" })).toBeTruthy();
  expect(screen.getByRole("link", { name: "Chat with it" })).toBeTruthy();
  expect(screen.queryByText("Gated by its publisher")).toBeNull();
});

test.each<[string, Parameters<typeof buildAvailability>[0], string]>([
  ["is on the server", { tier: "warm" }, "Yes."],
  ["is being downloaded", { tier: "loading", loading_stage: "downloading" }, "As soon as it is downloaded."],
])("says when a model that %s can be called", async (_state, availability, answer) => {
  const model = { ...gated(OPEN), availability: buildAvailability(availability) };
  show([http.auth.me(member()), http.models.get(model, { params: { id: ID } })]);
  expect(await screen.findByText(answer)).toBeTruthy();
});

test("suggests models with a similar id for an unknown one", async () => {
  const suggestions = ["Qwen/Qwen3-32B", "Qwen/Qwen3-8B"];
  const unknown = refuse(404, "model_not_found", "x", { suggestions });
  show([http.models.get(unknown, { params: { id: "Qwen/Qwen3-32" } })], "Qwen/Qwen3-32");
  const near = await screen.findByRole("navigation", { name: "Models with nearly the same id" });
  expect(
    within(near)
      .getAllByRole("link")
      .map((link) => link.getAttribute("href")),
  ).toEqual(["/models/Qwen/Qwen3-32B", "/models/Qwen/Qwen3-8B"]);
  expect(screen.getByText("There is no model called Qwen/Qwen3-32.")).toBeTruthy();
});

const OFFLINE_ID = "Qwen/Qwen3-8B";
/** The handlers of a model that nothing here runs. */
const offlineRoutes = (fields: Partial<Model> = {}): StubHandlers => [
  http.models.get(
    () => {
      const { availability } = catalogueModel(OFFLINE_ID);
      const offline = { ...SHOWN, availability: { ...availability, tier: "offline" as const }, ...fields };
      return catalogueModel(OFFLINE_ID, offline);
    },
    { params: { id: OFFLINE_ID } },
  ),
  http.status.history({ updated_at: "2026-11-22T10:00:00Z", items: [] }),
  http.models.list(buildPage([])),
];

test("an admin sees the two ways to make a model run that does not run here", async () => {
  const admin = [http.auth.me(member({ is_admin: true })), http.admin.store.pulls.list({ items: [] })];
  show([...admin, ...offlineRoutes()], OFFLINE_ID);
  expect(await screen.findByRole("button", { name: "Run it here" })).toBeTruthy();
  expect(screen.getByText(`feather run ${OFFLINE_ID}`)).toBeTruthy();
  expect(screen.getByRole("link", { name: "connect a provider or server" }).getAttribute("href")).toBe(
    "/admin/backends/create",
  );
  expect(screen.queryByRole("button", { name: "Ask for this model" })).toBeNull();
});

test("an admin sees where else a model may run that is too large for this machine", async () => {
  const admin = [http.auth.me(member({ is_admin: true })), http.admin.store.pulls.list({ items: [] })];
  const fit = {
    verdict: "too_large" as const,
    file: null,
    context: null,
    memory_bytes: 20.7e9,
    available_bytes: 15.2e9,
    reason: "It takes 20.7 GB.",
  };
  show([...admin, ...offlineRoutes({ fit })], OFFLINE_ID);
  expect(await screen.findByRole("link", { name: "Connect a provider or server" })).toBeTruthy();
  expect(screen.getByText(/too large for this machine: it takes 20\.7 GB/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Run it here" })).toBeNull();
  expect(screen.queryByText(`feather run ${OFFLINE_ID}`)).toBeNull();
});

test("a visitor is asked to log in to ask for a model that does not run here, and sees no commands for operators", async () => {
  show([http.auth.me(refuse(401, "unauthorized", "Sign in.")), ...offlineRoutes()], OFFLINE_ID);
  expect(await screen.findByRole("link", { name: "Log in to ask for this model" })).toBeTruthy();
  expect(screen.getByText(/if the memory is enough/)).toBeTruthy();
  expect(screen.queryByText(/feather run/)).toBeNull();
});

test("says what hinders a model in the cluster from being started", async () => {
  const { availability } = catalogueModel(OFFLINE_ID);
  const reason = "No node has room for it: 0/3 nodes are available: 3 Insufficient nvidia.com/gpu.";
  const waiting = { ...availability, tier: "loading" as const, loading_stage: "cluster", loading_reason: reason };
  show(offlineRoutes({ availability: waiting }), OFFLINE_ID);
  expect((await screen.findByText(reason)).getAttribute("role")).toBe("status");
});

const FIT = { file: null, context: 8192, memory_bytes: 5.6e9, available_bytes: 14e9, reason: "" };

test("says that a model fits this machine, and how much memory it takes", async () => {
  show(offlineRoutes({ fit: { ...FIT, verdict: "fits_quantized" } }), OFFLINE_ID);
  expect(await screen.findByText(/It fits this machine with about 5\.6 GB of memory/)).toBeTruthy();
  expect(screen.getByText("fits in fewer bits, about 5.6 GB of memory")).toBeTruthy();
});

test("offers no download of a model that is too large for this machine", async () => {
  show(offlineRoutes({ fit: { ...FIT, verdict: "too_large", context: null, memory_bytes: 44e9 } }), OFFLINE_ID);
  expect(await screen.findByText(/It is too large for this machine: it takes 44\.0 GB/)).toBeTruthy();
  expect(screen.queryByText(/feather run/)).toBeNull();
});

const FILES: StoreFiles = {
  model_id: OFFLINE_ID,
  repository: "Qwen/Qwen3-8B-GGUF",
  chosen: "q5_k_m.gguf",
  reason: null,
  is_conversion: false,
  cached_at: null,
  files: [
    { file: "q8_0.gguf", bytes: 8.7e9, quantization: "Q8_0", fits: false },
    { file: "q5_k_m.gguf", bytes: 5.9e9, quantization: "Q5_K_M", fits: true },
    { file: "q4_k_m.gguf", bytes: 5.1e9, quantization: "Q4_K_M", fits: true },
  ],
};
const QUEUED: Sent<StorePull> = {
  id: "pull_1",
  model_id: OFFLINE_ID,
  repository: FILES.repository,
  file: "q5_k_m.gguf",
  state: "queued",
  bytes_done: 0,
  bytes_total: 5.9e9,
  conversion_progress: null,
  organization_id: null,
  error: null,
  created_at: "2026-11-25T10:00:00Z",
};

test("an admin sees what running a model downloads, starts it, sees how far it is, and stops it", async () => {
  const pulls: Sent<StorePull>[] = [];
  const { requests } = show(
    [
      http.auth.me(member({ is_admin: true })),
      http.admin.store.pulls.list({ items: pulls }),
      http.admin.store.files(FILES),
      http.admin.store.pulls.create(() => {
        pulls.unshift(QUEUED);
        return QUEUED;
      }),
      http.admin.store.pulls.cancel(
        () => {
          pulls[0] = { ...QUEUED, state: "canceled" };
          return undefined;
        },
        { params: { id: "pull_1" } },
      ),
      ...offlineRoutes(),
    ],
    OFFLINE_ID,
  );
  await userEvent.click(await screen.findByRole("button", { name: "Run it here" }));
  expect(await screen.findByText(/Qwen\/Qwen3-8B-GGUF has\./)).toBeTruthy();
  expect(screen.getByText("It fits the memory of this machine.")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Download 5.9 GB" }));
  expect((await screen.findByText("Waiting for its turn")).getAttribute("role")).toBe("status");
  const sent = requests.find(({ method }) => method === "POST");
  expect(sent?.body).toEqual({ model_id: OFFLINE_ID, file: "q5_k_m.gguf" });
  await userEvent.click(screen.getByRole("button", { name: `Stop the download of ${OFFLINE_ID}` }));
  expect(await screen.findByRole("button", { name: "Run it here" })).toBeTruthy();
});

test("an admin sees at once that the model hub cannot be reached, and tries again", async () => {
  const message = "The model hub cannot be reached just now.";
  const envelope = { error: { code: "unavailable", message, type: "api_error" } };
  show(
    [
      http.auth.me(member({ is_admin: true })),
      http.admin.store.pulls.list({ items: [] }),
      http.admin.store.files(() => respondWith(503, envelope, { "retry-after": "60" })),
      ...offlineRoutes(),
    ],
    OFFLINE_ID,
  );
  await userEvent.click(await screen.findByRole("button", { name: "Run it here" }));
  expect((await screen.findByText(message)).getAttribute("role")).toBe("alert");
  expect(screen.getByRole("button", { name: "Try again" })).toBeTruthy();
  await userEvent.click(screen.getAllByRole("button", { name: "Close" }).at(-1) ?? document.body);
  await waitFor(() => expect(screen.queryByText(message)).toBeNull());
});

test("an admin sees that a model without a GGUF file is converted after its download", async () => {
  const file = "Qwen3-8B-Q8_0.gguf";
  const files = [{ file, bytes: 8.7e9, quantization: "Q8_0", fits: true }];
  show(
    [
      http.auth.me(member({ is_admin: true })),
      http.admin.store.pulls.list({ items: [] }),
      http.admin.store.files({ ...FILES, repository: OFFLINE_ID, chosen: file, is_conversion: true, files }),
      ...offlineRoutes(),
    ],
    OFFLINE_ID,
  );
  await userEvent.click(await screen.findByRole("button", { name: "Run it here" }));
  expect(await screen.findByText(/safetensors files are downloaded and converted to one here/)).toBeTruthy();
  expect(screen.getByRole("button", { name: "Download and convert" })).toHaveProperty("disabled", false);
});

test("an admin sees no download of a private model of another organization on the page of a public one", async () => {
  const foreign: Sent<StorePull> = { ...QUEUED, organization_id: "org_other" };
  show(
    [http.auth.me(member({ is_admin: true })), http.admin.store.pulls.list({ items: [foreign] }), ...offlineRoutes()],
    OFFLINE_ID,
  );
  expect(await screen.findByRole("button", { name: "Run it here" })).toBeTruthy();
  expect(screen.queryByText("Waiting for its turn")).toBeNull();
});

test("an admin sees why a model cannot be downloaded, and cannot press the button", async () => {
  const reason = "The smallest file has 9 GB, and a file may have 4 GB here.";
  const files = [{ file: "q8_0.gguf", bytes: 9e9, quantization: "Q8_0", fits: false }];
  show(
    [
      http.auth.me(member({ is_admin: true })),
      http.admin.store.pulls.list({ items: [] }),
      http.admin.store.files({ ...FILES, chosen: null, reason, files }),
      ...offlineRoutes(),
    ],
    OFFLINE_ID,
  );
  await userEvent.click(await screen.findByRole("button", { name: "Run it here" }));
  expect((await screen.findByRole("alert")).textContent).toBe(reason);
  expect(screen.getByRole("button", { name: /^Download/ })).toHaveProperty("disabled", true);
});

test("the page of a model offers the download to admins only", async () => {
  show([http.auth.me(member()), ...offlineRoutes()], OFFLINE_ID);
  expect(await screen.findByRole("button", { name: "Ask for this model" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Run it here" })).toBeNull();
});

const DOWNLOADING = {
  ...catalogueModel(OFFLINE_ID).availability,
  tier: "loading" as const,
  loading_stage: "downloading",
  loading_progress: 0.2,
};

test("the page of a model that is being downloaded says how far it is, and offers no second download", async () => {
  show([http.auth.me(member()), ...offlineRoutes({ availability: DOWNLOADING })], OFFLINE_ID);
  expect(await screen.findByText("downloading 20 %")).toBeTruthy();
  expect(await screen.findByText(/^It is being downloaded to this machine/)).toBeTruthy();
  expect(screen.queryByText("offline here")).toBeNull();
  expect(screen.queryByText(/feather run/)).toBeNull();
});

test("an admin can stop the download of a model on its page", async () => {
  show(
    [
      http.auth.me(member({ is_admin: true })),
      http.admin.store.pulls.list({ items: [{ ...QUEUED, state: "downloading", bytes_done: 1.18e9 }] }),
      ...offlineRoutes({ availability: DOWNLOADING }),
    ],
    OFFLINE_ID,
  );
  expect(await screen.findByRole("button", { name: `Stop the download of ${OFFLINE_ID}` })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Run it here" })).toBeNull();
});
