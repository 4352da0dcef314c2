import type { Compatibility, ModelFit, ModelRequest, Price, StoreFiles, StorePull } from "@feather/sdk";
import { http, refuse, type Sent } from "@feather/sdk/msw";
import { buildAvailability, buildModel, buildPage } from "@feather/testing/builders";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { ReactNode } from "react";
import { afterEach, describe, expect, test, vi } from "vitest";
import { ToastProvider } from "#/components/ui/feedback/toast.tsx";
import { adminHandlers, adminModel, deployment, HOSTILE_NAME, pull, reviewItem } from "#/testing/admin.ts";
import { neverSettles, renderPage, searchParamsOf } from "#/testing/page.tsx";
import AdminDeploymentsPage from "../deployments.tsx";
import AdminModelPage from "./model.tsx";
import AdminCreateModelPage from "./model-create.tsx";
import AdminModelPricePage from "./model-price.tsx";
import AdminModelRequestsPage from "./model-requests.tsx";
import AdminModelsPage from "./models.tsx";
import AdminReviewsPage from "./reviews.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const ID = "/admin/models/Qwen%2FQwen3-32B";
const show = (page: ReactNode, routes: StubHandlers, path = "/x", address = path) =>
  renderPage(<ToastProvider>{page}</ToastProvider>, path, address, [...routes, ...adminHandlers]);
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));
const choose = async (name: string, action: string) => {
  await press(`Actions for ${name}`);
  await userEvent.click(await screen.findByRole("menuitem", { name: action }));
};
const bodiesOf = (requests: ReturnType<typeof show>["requests"], method: string) =>
  requests.filter((one) => one.method === method).map(({ body }) => body);

describe("the admin list of models", () => {
  const other = { ...adminModel, id: "acme/b", name: "b" };
  const routes: StubHandlers = [
    http.admin.models.list(buildPage([adminModel, other])),
    http.admin.models.redeploy({ id: adminModel.id, status: "pending_deploy" }, { params: { id: "Qwen/Qwen3-32B" } }),
    http.admin.models.redeploy(refuse(409, "models.not_hosted", "Nothing here can run acme/b."), {
      params: { id: "acme/b" },
    }),
  ];

  test("the admin list of models redeploys several models and shows each result, failures first", async () => {
    show(<AdminModelsPage />, routes);
    await userEvent.click(await screen.findByLabelText("Choose all on this page"));
    expect(screen.getByText("2 chosen")).toBeTruthy();
    await press("Redeploy 2");
    const results = await screen.findByRole("region", { name: "Redeploy" });
    expect(within(results).getByText("Redeploy: 1 of 2 done")).toBeTruthy();
    const rows = within(results)
      .getAllByRole("listitem")
      .map((row) => row.textContent);
    expect(rows).toEqual(["acme/bfailedNothing here can run acme/b.", "Qwen/Qwen3-32Bis loaded again"]);
  });

  test("the admin list of models deletes a model only after a confirmation, and shows why that failed", async () => {
    const message = "Qwen/Qwen3-32B runs here. Take it from the backends that run it first.";
    const { requests } = show(<AdminModelsPage />, [
      http.admin.models.delete(refuse(409, "models.in_use", message), { params: { id: "Qwen/Qwen3-32B" } }),
      ...routes,
    ]);
    await choose(adminModel.id, "Delete");
    expect(bodiesOf(requests, "DELETE")).toEqual([]);
    await press("Delete Qwen3-32B");
    expect(await screen.findByText(message)).toBeTruthy();
  });

  test("the admin list of models switches a model off and on again", async () => {
    const { requests } = show(<AdminModelsPage />, [
      http.admin.models.update(adminModel, { params: { id: "Qwen/Qwen3-32B" } }),
      ...routes,
    ]);
    await choose(adminModel.id, "Switch off");
    await userEvent.click(await screen.findByRole("button", { name: "Undo" }));
    await waitFor(() => expect(bodiesOf(requests, "PUT")).toEqual([{ disabled: true }, { disabled: false }]));
  });
});

describe("the admin page of a model", () => {
  const probed = {
    backend: "rack-7",
    hosted: "here" as const,
    state: "ended" as const,
    obstacle: null,
    note: "A caller's call came first.",
    started_at: "2026-11-21T10:00:00Z",
    finished_at: "2026-11-21T10:00:20Z",
    results: [
      {
        ability: "tools" as const,
        result: "no" as const,
        reason: "It answered with a text instead of calling the tool.",
        kind: "server" as const,
        name: "This server",
        provider: null,
        hosted: "here" as const,
        prompt_tokens: 182,
        first_token_ms: 210,
        tokens_per_second: 42.5,
        duration_ms: 1730,
        checked_at: "2026-11-21T10:00:00Z",
      },
    ],
  };
  const routes: StubHandlers = [
    http.admin.models.get(adminModel, { params: { id: "Qwen/Qwen3-32B" } }),
    http.admin.models.probes.list({ items: [probed] }, { params: { id: "Qwen/Qwen3-32B" } }),
    http.admin.reviews.list(
      buildPage([
        reviewItem,
        {
          ...reviewItem,
          model_id: "other/model",
          review: { ...reviewItem.review, id: "rev_2", review: "Of another." },
        },
      ]),
    ),
    http.admin.models.update(adminModel, { params: { id: "Qwen/Qwen3-32B" } }),
    http.admin.reviews.update(undefined, { params: { id: "rev_1" } }),
  ];
  const open = (more: StubHandlers = []) => show(<AdminModelPage />, [...more, ...routes], "/admin/models/:id", ID);

  test("the admin page of a model shows what it has shown, and has it asked now", async () => {
    const { requests } = open([
      http.admin.models.probes.create(
        { items: [{ ...probed, state: "waiting" }] },
        { params: { id: "Qwen/Qwen3-32B" } },
      ),
    ]);
    expect(await screen.findByText("rack-7")).toBeTruthy();
    expect(screen.getByText("Calls tools: no")).toBeTruthy();
    expect(screen.getByText("A caller's call came first.")).toBeTruthy();
    await press("Ask it now");
    expect(await screen.findByText("Qwen/Qwen3-32B is asked what it can do")).toBeTruthy();
    expect(requests.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  test("the admin page of a model sends only the changed fields", async () => {
    const { requests } = open();
    const field = await screen.findByLabelText("Context, in tokens");
    await userEvent.clear(field);
    await userEvent.type(field, "131072");
    await userEvent.click(screen.getByLabelText("Reads images"));
    await press("Save the model");
    await waitFor(() =>
      expect(bodiesOf(requests, "PUT")).toEqual([{ context_length: 131_072, input_modalities: ["text", "image"] }]),
    );
  });

  test("the admin page of a model shows every failing rule at its field, including those of the server", async () => {
    const message = "There is no family nobody.";
    open([
      http.admin.models.update(refuse(400, "invalid_request", message, {}, "family"), {
        params: { id: "Qwen/Qwen3-32B" },
      }),
    ]);
    const field = await screen.findByLabelText("Parameters");
    await userEvent.clear(field);
    await userEvent.type(field, "many");
    await userEvent.tab();
    expect(await screen.findByText(/^Parameters is not valid/)).toBeTruthy();
    await userEvent.clear(field);
    await userEvent.clear(screen.getByLabelText("Family"));
    await userEvent.type(screen.getByLabelText("Family"), "nobody");
    await press("Save the model");
    await screen.findByText(message);
    expect(screen.getByLabelText("Family").getAttribute("aria-invalid")).toBe("true");
  });

  test("the admin page of a model shows the reviews of the model, which can be hidden or kept", async () => {
    const { requests } = open();
    expect(await screen.findByText("Careful with long tables.")).toBeTruthy();
    expect(screen.getByText("Advertising")).toBeTruthy();
    expect(screen.queryByText("Of another.")).toBeNull();
    await press("Hide");
    await waitFor(() => expect(bodiesOf(requests, "PUT")).toEqual([{ hidden: true }]));
    await press("Keep it");
    await waitFor(() => expect(bodiesOf(requests, "PUT").at(-1)).toEqual({ hidden: false }));
  });

  test("the admin page of a model shows a 404 for an unknown model", async () => {
    open([
      http.admin.models.get(refuse(404, "model_not_found", "There is no model called x."), {
        params: { id: "Qwen/Qwen3-32B" },
      }),
    ]);
    expect(await screen.findByRole("heading", { name: "Error 404" })).toBeTruthy();
  });

  test("the admin page of a model opens the list after a deletion", async () => {
    open([http.admin.models.delete(undefined, { params: { id: "Qwen/Qwen3-32B" } })]);
    await press("Delete");
    await press("Delete Qwen3-32B");
    expect(await screen.findByText("at /admin/models")).toBeTruthy();
  });
});

describe("importing models", () => {
  const open = (routes: StubHandlers, address = "/x") => show(<AdminCreateModelPage />, routes, "/x", address);

  test("importing models takes a list of ids and shows each result", async () => {
    const results = [
      { id: "Qwen/Qwen3-8B", ok: true, error: null },
      { id: "acme/none", ok: false, error: `The model hub has no model ${HOSTILE_NAME}.` },
    ];
    const { requests, container } = open([http.admin.models.import({ results })]);
    await userEvent.type(await screen.findByLabelText("Models"), "Qwen/Qwen3-8B{Enter}acme/none, acme/none");
    await press("Import");
    expect(await screen.findByText("Import: 1 of 2 done")).toBeTruthy();
    expect(bodiesOf(requests, "POST")).toEqual([{ ids: ["Qwen/Qwen3-8B", "acme/none"] }]);
    expect(container.querySelector("img")).toBeNull();
  });

  test.each([
    ["", "Models are not valid: name at least one."],
    ["nonsense", "Not an id of the form owner/name: nonsense."],
    [Array.from({ length: 101 }, (_, index) => `a/b${index}`).join(), "At most 100 models at a time."],
  ])("importing models rejects invalid input %#", async (ids, message) => {
    const { requests } = open([], `/x?ids=${encodeURIComponent(ids)}`);
    await press("Import");
    expect(await screen.findByText(message)).toBeTruthy();
    expect(bodiesOf(requests, "POST")).toEqual([]);
  });

  test("importing models checks compatibility first, rule by rule", async () => {
    const answer: Compatibility = {
      compatible: false,
      checks: [
        { id: "model_card", label: "Model card", ok: true, detail: "It has one." },
        { id: "dtype", label: "Number format", ok: false, detail: HOSTILE_NAME },
      ],
      detected: {
        architecture: "Qwen3ForCausalLM",
        parameter_size: 8_190_735_360,
        format: "safetensors",
        dtype: "f64",
      },
      model_class: null,
    };
    open(
      [
        http.privateModels.compatibility(answer, { params: { id: "acme/a" } }),
        http.privateModels.compatibility(refuse(404, "hub.not_found", "The hub has no acme/b."), {
          params: { id: "acme/b" },
        }),
      ],
      "/x?ids=acme/a,acme/b",
    );
    await press("Check compatibility");
    expect(await screen.findByText("1 of 2 rules fail")).toBeTruthy();
    expect(screen.getByText(HOSTILE_NAME)).toBeTruthy();
    expect(screen.getByText("The hub has no acme/b.")).toBeTruthy();
  });

  test("importing a model by hand requires an id and a class", async () => {
    const { requests } = open([http.admin.models.create(adminModel)], "/x?way=own");
    await press("Create the model");
    expect(await screen.findByText("Class is not valid.")).toBeTruthy();
    await userEvent.type(screen.getByLabelText("Id"), "acme/support-8b");
    await userEvent.type(screen.getByLabelText("Class"), "qwen3-8b");
    await press("Create the model");
    expect(await screen.findByText("at /admin/models/Qwen%2FQwen3-32B")).toBeTruthy();
    expect(bodiesOf(requests, "POST")).toEqual([{ id: "acme/support-8b", model_class: "qwen3-8b" }]);
  });
});

describe("the prices of a model", () => {
  const price = (id: string, prompt: string, effective_at: string): Sent<Price> => ({
    id,
    scope: "model",
    model: adminModel.id,
    prompt,
    completion: "0.0000004",
    image: "0",
    audio_second: "0",
    character: "0",
    request: "0",
    effective_at,
    created_at: "2026-11-01T00:00:00Z",
  });
  const soon = new Date(Date.now() + 86_400_000).toISOString();
  const routes: StubHandlers = [
    http.admin.models.get(adminModel, { params: { id: "Qwen/Qwen3-32B" } }),
    http.admin.prices.list(({ request }) =>
      buildPage(
        searchParamsOf(request).get("model") === adminModel.id
          ? [
              price("p3", "0.0000003", soon),
              price("p2", "0.0000002", "2026-02-01T00:00:00Z"),
              price("p1", "0.0000001", "2026-01-01T00:00:00Z"),
            ]
          : [],
      ),
    ),
  ];
  const open = (more: StubHandlers = []) =>
    show(<AdminModelPricePage />, [...more, ...routes], "/admin/models/:id/price", `${ID}/price`);

  test("the prices of a model are listed with their state, and cannot be changed", async () => {
    open();
    await screen.findByText("$0.30");
    const rows = screen.getAllByRole("row").map((row) => row.textContent);
    expect(rows.find((row) => row?.includes("$0.30"))).toContain("to come");
    expect(rows.find((row) => row?.includes("$0.20"))).toContain("holds now");
    expect(rows.find((row) => row?.includes("$0.10"))).toContain("past");
    expect(screen.queryByRole("button", { name: /Delete|Change/ })).toBeNull();
  });

  test("the prices of a model show the cost of an example request while typing", async () => {
    open();
    const field = await screen.findByLabelText("Input, dollars for a million tokens");
    expect(field).toHaveProperty("value", "0.2");
    await userEvent.clear(field);
    await userEvent.type(field, "10");
    const row = await screen.findByRole("row", { name: /A question and its answer/ });
    expect(row.textContent).toBe("A question and its answer400300$0.0002$0.00412");
  });

  test("the prices of a model offer no form before the current price is known, also where the model loads last", async () => {
    const model = Promise.withResolvers<void>();
    const ofClass = price("p5", "0.0000007", "2026-01-01T00:00:00Z");
    open([
      http.admin.prices.list(({ request }) =>
        buildPage(searchParamsOf(request).get("model") === adminModel.id ? [] : [ofClass]),
      ),
      http.admin.models.get(
        async () => {
          await model.promise;
          return adminModel;
        },
        { params: { id: "Qwen/Qwen3-32B" } },
      ),
    ]);
    await screen.findByText(/^No price of its own/);
    expect(screen.queryByRole("button", { name: "Add the price" })).toBeNull();
    model.resolve();
    const field = await screen.findByLabelText("Input, dollars for a million tokens");
    expect(field).toHaveProperty("value", "0.7");
  });

  test("the prices of a model are added per token, from a date", async () => {
    const { requests } = open([
      http.admin.prices.create(() => price("p4", "0", soon), { params: { model: "Qwen/Qwen3-32B" } }),
    ]);
    const field = await screen.findByLabelText("Input, dollars for a million tokens");
    await userEvent.clear(field);
    await userEvent.type(field, "0.15");
    await userEvent.type(screen.getByLabelText("From, in UTC"), "2030-01-01 00:00");
    await press("Add the price");
    await waitFor(() =>
      expect(bodiesOf(requests, "POST")).toEqual([
        {
          prompt: "0.00000015",
          completion: "0.0000004",
          image: "0",
          audio_second: "0",
          character: "0",
          request: "0",
          effective_at: "2030-01-01T00:00:00.000Z",
        },
      ]),
    );
  });

  test("the prices of a model are rejected for a date in the past", async () => {
    const { requests } = open();
    await userEvent.type(await screen.findByLabelText("From, in UTC"), "2020-01-01 00:00");
    await press("Add the price");
    expect(await screen.findByText("Date lies in the past. Past prices never change.")).toBeTruthy();
    expect(bodiesOf(requests, "POST")).toEqual([]);
  });

  test("the prices of a model show an error if the same price exists", async () => {
    const message = "There is a price from that very moment already. Choose another.";
    open([http.admin.prices.create(refuse(409, "prices.exists", message), { params: { model: "Qwen/Qwen3-32B" } })]);
    await press("Add the price");
    expect(await screen.findByText(message)).toBeTruthy();
  });
});

describe("bulk actions", () => {
  test("bulk actions redeploy several deployments, each with its result", async () => {
    const { requests } = show(<AdminDeploymentsPage />, [
      http.admin.deployments.list(buildPage([deployment("dep_1", "support-bot"), deployment("dep_2", "search")])),
      http.admin.deployments.redeploy({
        results: [
          { id: "dep_1", ok: true, error: null },
          { id: "dep_2", ok: false, error: "There is no such deployment." },
        ],
      }),
    ]);
    await userEvent.click(await screen.findByLabelText("Choose support-bot"));
    await userEvent.click(screen.getByLabelText("Choose search"));
    await press("Redeploy 2");
    expect(await screen.findByText("Redeploy: 1 of 2 done")).toBeTruthy();
    expect(screen.getByText("There is no such deployment.")).toBeTruthy();
    expect(bodiesOf(requests, "POST")).toEqual([{ ids: ["dep_1", "dep_2"] }]);
  });

  test("bulk actions import requested models", async () => {
    const item = {
      model_id: "a/b",
      request_count: 5,
      organizations: ["Winter & Sons", "Ada", "Bo", "Cy"],
      in_catalogue: false,
      first_requested_at: "2026-11-19T14:01:02Z",
      last_requested_at: "2026-11-19T14:01:02Z",
    };
    const { requests } = show(<AdminModelRequestsPage />, [
      http.admin.models.requests(buildPage([item])),
      http.admin.models.import(refuse(503, "hub.unavailable", "The model hub does not answer.")),
    ]);
    await userEvent.click(await screen.findByLabelText("Choose a/b"));
    expect(screen.getByRole("cell", { name: "Winter & Sons, Ada, Bo and 2 more" })).toBeTruthy();
    await press("Import 1");
    await waitFor(() => expect(bodiesOf(requests, "POST")[0]).toEqual({ ids: ["a/b"] }));
    expect(await screen.findByText("The model hub does not answer.")).toBeTruthy();
  });
});

describe("running a requested model", () => {
  const request: Sent<ModelRequest> = {
    model_id: "Qwen/Qwen3-8B",
    request_count: 1,
    organizations: ["Winter & Sons"],
    in_catalogue: true,
    first_requested_at: "2026-11-19T14:01:02Z",
    last_requested_at: "2026-11-19T14:01:02Z",
  };
  const fit: ModelFit = {
    verdict: "fits",
    file: null,
    context: 8192,
    memory_bytes: 5.6e9,
    available_bytes: 14e9,
    reason: "It takes 5.6 GB.",
  };
  const offline = buildAvailability({ tier: "offline", is_hot_live: false });
  const model = {
    ...buildModel({ id: request.model_id, parameter_size: 8.2e9, availability: offline, fit }),
    readme: null,
    places: [],
    probes: [],
  };
  const files: StoreFiles = {
    model_id: request.model_id,
    repository: "Qwen/Qwen3-8B-GGUF",
    chosen: "q5.gguf",
    reason: null,
    is_conversion: false,
    cached_at: null,
    files: [{ file: "q5.gguf", bytes: 5.9e9, quantization: "Q5_K_M", fits: true }],
  };
  const running: Sent<StorePull> = { ...pull, model_id: request.model_id, bytes_done: 1e9, bytes_total: 5.9e9 };
  const showRequests = (handlers: StubHandlers) =>
    show(<AdminModelRequestsPage />, [
      ...handlers,
      http.admin.models.requests(buildPage([request])),
      http.models.get(model),
      http.admin.store.pulls.list({ items: [] }),
      http.admin.store.files(files),
    ]);

  test("the list of requested models shows who asks for one, its size and that it fits, and downloads it with the progress in its row", async () => {
    const pulls: Sent<StorePull>[] = [];
    const { requests } = showRequests([
      http.admin.store.pulls.list({ items: pulls }),
      http.admin.store.pulls.create(() => {
        pulls.unshift(running);
        return running;
      }),
    ]);
    expect(await screen.findByText("8.2B parameters: fits, about 5.6 GB of memory")).toBeTruthy();
    expect(screen.getByRole("cell", { name: "Winter & Sons" })).toBeTruthy();
    await press("Download and run Qwen/Qwen3-8B");
    await press("Download 5.9 GB");
    expect(await screen.findByText(/^Downloading: 1\.0 GB of 5\.9 GB/)).toBeTruthy();
    expect(bodiesOf(requests, "POST")).toEqual([{ model_id: "Qwen/Qwen3-8B", file: "q5.gguf" }]);
  });

  test("running a requested model is not offered for one that is too large, and says so", async () => {
    showRequests([
      http.models.get({ ...model, fit: { ...fit, verdict: "too_large", context: null, memory_bytes: 44e9 } }),
    ]);
    expect(await screen.findByText("8.2B parameters: too large, 44.0 GB of memory or more")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Download and run Qwen/Qwen3-8B" })).toHaveProperty("disabled", true);
  });
});

describe("the list of reported reviews", () => {
  test("the list of reported reviews explains that it is empty", async () => {
    show(<AdminReviewsPage />, [http.admin.reviews.list(buildPage([]))]);
    expect(await screen.findByRole("heading", { name: "Nothing to decide" })).toBeTruthy();
  });

  test("the list of reported reviews keeps its layout, and shows reviews as text", async () => {
    show(<AdminReviewsPage />, [http.admin.reviews.list(neverSettles)]);
    expect(await screen.findByLabelText("Which")).toBeTruthy();
    const hostile = { ...reviewItem, review: { ...reviewItem.review, review: HOSTILE_NAME } };
    const { container } = show(<AdminReviewsPage />, [http.admin.reviews.list(buildPage([hostile]))]);
    expect(await screen.findByText(HOSTILE_NAME)).toBeTruthy();
    expect(container.querySelector("img")).toBeNull();
  });
});
