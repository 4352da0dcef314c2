import type { ErrorCode, PrivateModel, User } from "@feather/sdk";
import { http, refuse, type Sent } from "@feather/sdk/msw";
import { buildAvailability, buildDeployment, buildModel, buildPage } from "@feather/testing/builders";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, test, vi } from "vitest";
import { instanceType, provider, userOnPlan } from "#/testing/deployments.ts";
import { neverSettles, renderPage } from "#/testing/page.tsx";
import DeploymentCreatePage from "./deployment-create.tsx";

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

const LIST = "/account/private-cloud/deployments";
const PATH = `${LIST}/create`;
const CREATED_AT = "2026-11-19T14:01:02Z";
const MODEL = "acme/support-8b";
const model = (id: string) =>
  buildModel({
    id,
    parameter_size: 8_000_000_000,
    context_length: 32_768,
    availability: buildAvailability({ tier: "cold", is_hot_live: false }),
  });
type Options = { query?: string; user?: Sent<User>; routes?: StubHandlers };

const show = ({ query = "", user = userOnPlan("admin"), routes = [] }: Options = {}) =>
  renderPage(<DeploymentCreatePage />, PATH, PATH + query, [
    ...routes,
    http.auth.me(user),
    http.privateModels.list({ items: [] }),
    http.models.list(buildPage([model(MODEL), model("Qwen/Qwen3-8B")])),
    http.models.get({ ...model(MODEL), readme: null, places: [], probes: [] }, { params: { id: MODEL } }),
    http.deployments.providers({ items: [provider()] }),
    http.deployments.create({ ...buildDeployment({ state: "pending" }), token: "dpt_once" }),
  ]);
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));
const heading = (name: string) => screen.findByRole("heading", { name, level: 2 });
const manifest = () => screen.getByRole("complementary").querySelector("pre")?.textContent ?? "";
const posts = (requests: ReturnType<typeof show>["requests"]) => requests.filter(({ method }) => method === "POST");

/** Goes through all steps up to the last. */
async function toReview(): Promise<void> {
  await userEvent.type(await screen.findByLabelText("Model"), MODEL);
  await press("Continue");
  await heading("Choose where it runs");
  await press("Continue");
  await heading("Say how many, and name it");
  await press("Continue");
  await heading("Look it over");
}

test("tells an admin who acts as somebody else that deployments are closed, in place of the steps", async () => {
  show({ user: { ...userOnPlan("admin"), impersonated_by: "usr_9" } });
  expect((await screen.findByRole("note")).textContent).toContain("Deployments cannot be created meanwhile");
  expect(screen.queryByLabelText("Model")).toBeNull();
  expect(screen.queryByRole("button", { name: "Continue" })).toBeNull();
});

describe("the wizard", () => {
  test("the wizard creates a deployment and shows its token once", async () => {
    const { requests } = show();
    await toReview();
    await press("Create support-8b");
    expect(await screen.findByText("dpt_once")).toBeTruthy();
    expect(posts(requests).map(({ body }) => body)).toEqual([
      {
        name: "support-8b",
        model_id: MODEL,
        revision: null,
        provider_id: "local",
        region: "here",
        instance_type: "cpu",
        min_replicas: 0,
        max_replicas: 1,
        scale_to_zero_after_s: 3600,
        autoscale: { metric: "pending_requests", target: 4 },
        engine_args: {},
        visibility: "private",
      },
    ]);
    await press("I have copied it");
    expect(await screen.findByText(`at ${LIST}/dep_1`)).toBeTruthy();
    expect(sessionStorage.getItem("deployment-draft")).toBeNull();
  });

  test("the wizard shows the equivalent file while it is filled in", async () => {
    show();
    await screen.findByLabelText("Model");
    expect(manifest()).toContain("model_id: # choose a model");
    await userEvent.click(await screen.findByRole("button", { name: /Qwen3-8B/ }));
    expect(manifest()).toContain("model_id: Qwen/Qwen3-8B");
    expect(screen.getByText("feather deployments apply -f deployment.yaml")).toBeTruthy();
  });

  test("the wizard validates one step at a time", async () => {
    const { router } = show();
    await press("Continue");
    expect(await screen.findByText("Model is not valid: an id is written owner/name.")).toBeTruthy();
    await userEvent.type(screen.getByLabelText("Model"), MODEL);
    await userEvent.tab();
    await waitFor(() => expect(screen.queryByText("Model is not valid: an id is written owner/name.")).toBeNull());
    await press("Continue");
    await heading("Choose where it runs");
    await press("Continue");
    const name = await screen.findByLabelText("Name");
    expect((name as HTMLInputElement).value).toBe("support-8b");
    await userEvent.clear(name);
    await userEvent.type(name, "A!");
    await userEvent.clear(screen.getByLabelText("At most"));
    await press("Continue");
    expect(await screen.findByText("Name is not valid: it has 3 characters or more.")).toBeTruthy();
    expect(screen.getByText("Name is not valid: only small letters, digits and hyphens.")).toBeTruthy();
    expect(screen.getByText("At most is not valid: a whole number from 1 to 100.")).toBeTruthy();
    expect(router.state.location.search).toBe("?step=replicas");
  });

  test("the wizard can go back, and keeps the input across a reload", async () => {
    const { router } = show();
    await toReview();
    await press("Change replicas and name");
    await userEvent.type(await screen.findByLabelText("Name"), "-two");
    await press("Back");
    await heading("Choose where it runs");
    await waitFor(() => expect(sessionStorage.getItem("deployment-draft")).toContain("support-8b-two"));
    show({ query: router.state.location.search });
    await heading("Choose where it runs");
    expect(manifest()).toContain("name: support-8b-two");
  });

  test("the wizard does not skip steps by URL", async () => {
    show({ query: "?step=review" });
    expect(await heading("Choose a model")).toBeTruthy();
  });

  test("the wizard starts with the model from the URL", async () => {
    show({ query: `?model=${MODEL}` });
    expect(((await screen.findByLabelText("Model")) as HTMLInputElement).value).toBe(MODEL);
    expect(manifest()).toContain("name: support-8b");
  });
});

describe("the model step", () => {
  test("the model step rejects an unknown model at once", async () => {
    const message = "No model is called acme/nothing.";
    show({ routes: [http.models.get(refuse(404, "model_not_found", message), { params: { id: "acme/nothing" } })] });
    await userEvent.type(await screen.findByLabelText("Model"), "acme/nothing");
    await press("Continue");
    expect(await screen.findByText(`Model is not valid: ${message}`)).toBeTruthy();
  });

  test("the model step lists the organization's own models first, but none that vLLM runs", async () => {
    const own: Sent<PrivateModel> = {
      id: "acme/mine",
      name: "mine",
      revision: "main",
      state: "ready",
      progress: null,
      error: null,
      runtime: "llama.cpp",
      model_class: "qwen3-8b",
      created_at: CREATED_AT,
      updated_at: CREATED_AT,
    };
    const onVllm: Sent<PrivateModel> = { ...own, id: "acme/on-vllm", name: "on-vllm", runtime: "vllm" };
    show({ routes: [http.privateModels.list({ items: [onVllm, own] })] });
    expect((await screen.findByRole("button", { name: /mine/ })).textContent).toContain("yours · ready");
    expect(screen.queryByRole("button", { name: /on-vllm/ })).toBeNull();
  });

  test("the model step accepts a typed id when the catalogue cannot be loaded", async () => {
    show({ routes: [http.models.list(refuse(500, "internal_error", "boom"))] });
    expect(await screen.findByText(/The catalogue cannot be read just now/)).toBeTruthy();
  });
});

describe("the provider step", () => {
  const many = [
    provider({
      id: "kubernetes",
      name: "Cluster",
      available: false,
      reason: "Not configured.",
      regions: [],
      instance_types: [],
    }),
    provider({
      regions: [
        { id: "here", name: "Here" },
        { id: "there", name: "There" },
      ],
      instance_types: [
        instanceType(),
        instanceType({ id: "l40s", gpu: "L40S", gpu_count: 2, vram_gb: 96, hourly_nano_usd: "1790000000" }),
        instanceType({ id: "h100x2", gpu: "H100", gpu_count: 16, vram_gb: 1280, nodes: 2 }),
      ],
    }),
  ];

  test("the provider step shows why a provider is unavailable, and GPUs and prices of instance types", async () => {
    show({ query: `?model=${MODEL}&step=provider`, routes: [http.deployments.providers({ items: many })] });
    expect(await screen.findByRole("radio", { name: /Cluster/ })).toHaveProperty("disabled", true);
    expect(screen.getByText("Not configured.")).toBeTruthy();
    await userEvent.click(await screen.findByRole("radio", { name: /L40S/ }));
    await userEvent.click(screen.getByRole("radio", { name: /There/ }));
    expect(screen.getByText("2 × L40S, 96 GB · $1.79 an hour")).toBeTruthy();
    expect(screen.getByText(/^16 × H100, 1280 GB on 2 nodes/)).toBeTruthy();
    await waitFor(() => expect(manifest()).toContain("instance_type: l40s"));
    expect(manifest()).toContain("region: there");
  });

  test("the provider step shows that providers are loading, and an error if that fails", async () => {
    show({ query: `?model=${MODEL}&step=provider`, routes: [http.deployments.providers(neverSettles)] });
    expect(await heading("Choose where it runs")).toBeTruthy();
    cleanup();
    show({
      query: `?model=${MODEL}&step=provider`,
      routes: [http.deployments.providers(refuse(500, "internal_error", "boom"))],
    });
    expect((await screen.findByRole("alert")).textContent).toContain("The providers cannot be read just now.");
  });
});

describe("an error from the server", () => {
  test.each<[ErrorCode, string, string]>([
    ["deployments.name_taken", "There is a deployment called support-8b already.", "Name"],
    ["deployments.model_not_here", "This machine has no file of acme/support-8b.", "Model"],
    ["invalid_request", "max_replicas is not valid: this machine runs up to 8 of a deployment.", "At most"],
  ])("%s is shown at its field, and the input is kept", async (code, message, label) => {
    show({ routes: [http.deployments.create(refuse(409, code, message))] });
    await toReview();
    await press("Create support-8b");
    expect(await screen.findByText(message)).toBeTruthy();
    expect(screen.getByLabelText(label).getAttribute("aria-invalid")).toBe("true");
    expect(manifest()).toContain(`model_id: ${MODEL}`);
  });

  test("an error from the server is shown above the form with a link to the plans, if it belongs to no field", async () => {
    const message = "The plan Basic has no private cloud. See the plans that have.";
    show({ routes: [http.deployments.create(refuse(403, "deployments.not_on_plan", message))] });
    await toReview();
    await press("Create support-8b");
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain(message);
    expect(within(alert).getByRole("link").getAttribute("href")).toBe("/pricing");
  });

  test("an error from the server keeps the idempotency key after a lost connection, so that a retry creates one deployment", async () => {
    let breaks = true;
    const { requests } = show({
      routes: [
        http.deployments.create(() => {
          if (breaks) throw new TypeError("network");
          return { ...buildDeployment(), token: "dpt_once" };
        }),
      ],
    });
    await toReview();
    await press("Create support-8b");
    expect((await screen.findByRole("alert", {}, { timeout: 15_000 })).textContent).toContain(
      "Nothing you entered is lost",
    );
    breaks = false;
    await press("Create support-8b");
    expect(await screen.findByText("dpt_once")).toBeTruthy();
    expect(new Set(posts(requests).map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  });
});

test.each(["viewer", "developer"] as const)(
  "a %s may not create a deployment and sees a link to the list",
  async (role) => {
    show({ user: userOnPlan(role) });
    expect(await screen.findByRole("heading", { name: "You may not create deployments here" })).toBeTruthy();
    expect(screen.queryByLabelText("Model")).toBeNull();
  },
);

test("tells that the plan has no private cloud before anything is filled in", async () => {
  show({ user: userOnPlan("admin", { name: "Basic", private_cloud: false }) });
  expect(await screen.findByText(/The plan Basic has no private cloud/)).toBeTruthy();
});
