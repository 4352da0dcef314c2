import type { Compatibility, ErrorCode, PrivateModel, User } from "@feather/sdk";
import { http, refuse, type Sent } from "@feather/sdk/msw";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, test, vi } from "vitest";
import { describeState, getStateAction, STATE_NAMES } from "#/entities/models/private-model-states.ts";
import { COMPATIBILITY_RULES } from "#/features/private-models/compatibility-rules.ts";
import { userOnPlan } from "#/testing/deployments.ts";
import { neverSettles, renderPage } from "#/testing/page.tsx";
import PrivateModelsPage from "./private-models.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const PATH = "/account/private-models";
const LIST = "/feather/private-models";
const ID = "acme/support-8b";
type Options = { query?: string; user?: Sent<User>; routes?: StubHandlers };

const model = (more: Partial<Sent<PrivateModel>> = {}): Sent<PrivateModel> => ({
  id: ID,
  name: "support-8b",
  revision: "main",
  state: "ready",
  progress: null,
  error: null,
  runtime: "llama.cpp",
  model_class: "qwen3-8b",
  created_at: "2026-11-19T14:01:02Z",
  updated_at: "2026-11-19T14:01:02Z",
  ...more,
});
const compatibility = (broken: string[] = []): Compatibility => ({
  compatible: broken.length === 0,
  checks: COMPATIBILITY_RULES.map(({ id, label }) => ({
    id,
    label,
    ok: !broken.includes(id),
    detail: `Detail of ${id}.`,
  })),
  detected: { architecture: "Qwen3ForCausalLM", parameter_size: 8_190_735_360, format: "safetensors", dtype: "bf16" },
  model_class: "qwen3-8b",
});

const show = (models: Sent<PrivateModel>[], { query = "", user = userOnPlan("admin"), routes = [] }: Options = {}) =>
  renderPage(<PrivateModelsPage />, PATH, PATH + query, [
    ...routes,
    http.auth.me(user),
    http.privateModels.list({ items: models }),
    http.privateModels.compatibility(() => compatibility(), { params: { id: ID } }),
    http.privateModels.create(model({ state: "queued", progress: 0 }), { params: { id: ID } }),
  ]);
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));
const rules = () => within(screen.getByRole("list", { name: "The six rules" }));
const sent = (requests: ReturnType<typeof show>["requests"], method: string) =>
  requests.filter((one) => one.method === method).map(({ path, body }) => ({ path: path.replace(LIST, ""), body }));

describe("the list of private models", () => {
  test.each(STATE_NAMES)("the list of private models labels the state %s, with its actions", async (state) => {
    show([model({ state })]);
    const row = (await screen.findByText("support-8b")).closest("tr") as HTMLElement;
    expect(within(row).getByText(describeState(state).label)).toBeTruthy();
    await within(row).findByRole("button", { name: `Delete ${ID}` });
    expect(within(row).getAllByRole("button")).toHaveLength(getStateAction(state) ? 2 : 1);
  });

  test("the list of private models shows the progress of a download, and why one failed", async () => {
    show([
      model({ state: "downloading", progress: 0.404 }),
      model({ id: "acme/b", name: "b", state: "failed", error: "<b>The disk is full.</b>" }),
    ]);
    expect(await screen.findByText("downloading 40 %")).toBeTruthy();
    expect(screen.getByRole("progressbar", { name: `${ID}: downloading` }).getAttribute("value")).toBe("40");
    expect(screen.getByText("<b>The disk is full.</b>")).toBeTruthy();
    expect(await screen.findByText("2 of 5 on your plan")).toBeTruthy();
  });

  test("the list of private models says of a model that vLLM runs it, and offers no deployment of it", async () => {
    show([model({ runtime: "vllm" })]);
    expect(await screen.findByText(/runs with vLLM/)).toBeTruthy();
    await screen.findByRole("button", { name: `Delete ${ID}` });
    expect(screen.queryByRole("link", { name: /Deploy/ })).toBeNull();
  });

  test("the list of private models links to the chat and to a new deployment", async () => {
    show([model()]);
    expect((await screen.findByRole("link", { name: `Deploy ${ID}` })).getAttribute("href")).toBe(
      "/account/private-cloud/deployments/create?model=acme%2Fsupport-8b",
    );
    expect(screen.getByRole("link", { name: `Chat with ${ID}` }).getAttribute("href")).toContain("/chat?model=");
  });

  test("the list of private models keeps its layout while it is loaded, and shows what failed", async () => {
    show([], { routes: [http.privateModels.list(neverSettles)] });
    expect(await screen.findByText("Loading private models")).toBeTruthy();
    let fails = true;
    const answer = () => (fails ? refuse(500, "internal_error", "boom") : { items: [model()] });
    show([], { routes: [http.privateModels.list(answer)] });
    expect((await screen.findByRole("alert")).textContent).toContain("The private models cannot be read just now.");
    fails = false;
    await press("Try again");
    expect(await screen.findByText("support-8b")).toBeTruthy();
  });
});

describe("adding a private model", () => {
  test("adding a private model checks the six requirements before it loads the model", async () => {
    const models: Sent<PrivateModel>[] = [];
    const { requests } = show(models, {
      routes: [
        http.privateModels.create(
          () => {
            const queued = model({ state: "queued", progress: 0 });
            models.push(queued);
            return queued;
          },
          { params: { id: ID } },
        ),
      ],
    });
    expect(await screen.findByRole("heading", { name: "No private models yet. Add the first" })).toBeTruthy();
    expect(rules().getAllByText("not checked")).toHaveLength(6);
    await userEvent.type(screen.getByLabelText("Repository"), ID);
    await userEvent.type(screen.getByLabelText("Revision (optional)"), "v2");
    await userEvent.type(screen.getByLabelText("Token of the hub (optional)"), "hf_secret");
    await press("Check it");
    expect(await screen.findByText(/All rules are met/)).toBeTruthy();
    expect(rules().getAllByText("met")).toHaveLength(6);
    expect(sent(requests, "POST")).toEqual([]);
    await press(`Load ${ID}`);
    expect(await screen.findByText("queued 0 %")).toBeTruthy();
    expect(sent(requests, "POST")).toEqual([
      { path: "/acme%2Fsupport-8b", body: { revision: "v2", hf_token: "hf_secret" } },
    ]);
  });

  test("adding a private model is refused if a requirement is not met", async () => {
    show([], {
      routes: [http.privateModels.compatibility(() => compatibility(["safetensors", "dtype"]), { params: { id: ID } })],
    });
    await userEvent.type(await screen.findByLabelText("Repository"), ID);
    await press("Check it");
    expect(await screen.findByText("2 rules are not met.")).toBeTruthy();
    expect(screen.getByText("Detail of dtype.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: `Load ${ID}` })).toBeNull();
  });

  test("adding a private model needs a new check for another repository", async () => {
    show([], { query: `?add=${ID}` });
    await press("Check it");
    await screen.findByText(/All rules are met/);
    await userEvent.type(screen.getByLabelText("Repository"), "-b");
    expect(await screen.findByRole("button", { name: "Check it" })).toBeTruthy();
    expect(rules().getAllByText("not checked")).toHaveLength(6);
  });

  test("adding a private model sends no request for an invalid id", async () => {
    const { requests } = show([]);
    await userEvent.type(await screen.findByLabelText("Repository"), "nothing");
    await press("Check it");
    expect(await screen.findByText("Repository is not valid: an id is written owner/name.")).toBeTruthy();
    expect(requests.filter(({ path }) => path.includes("compatibility"))).toEqual([]);
  });

  test.each<[number, ErrorCode, string, string]>([
    [404, "hub.not_found", "The model hub has no acme/support-8b.", "Repository"],
    [403, "hub.gated", "The model hub does not let this token read it.", "Token of the hub (optional)"],
  ])(
    "adding a private model shows the error %d %s at its field, and keeps the input",
    async (status, code, message, label) => {
      show([], {
        query: `?add=${ID}`,
        routes: [http.privateModels.compatibility(refuse(status, code, message), { params: { id: ID } })],
      });
      await press("Check it");
      expect(await screen.findByText(message)).toBeTruthy();
      expect(screen.getByLabelText(label).getAttribute("aria-invalid")).toBe("true");
      expect((screen.getByLabelText("Repository") as HTMLInputElement).value).toBe(ID);
    },
  );

  test.each<[ErrorCode, string]>([
    ["store.no_gguf", "acme/support-8b has no GGUF file."],
    ["private_models.limit_reached", "Your plan has 5 private models. Delete one first."],
  ])("adding a private model shows the error %s of the load above the form", async (code, message) => {
    show([], {
      query: `?add=${ID}`,
      routes: [http.privateModels.create(refuse(422, code, message), { params: { id: ID } })],
    });
    await press("Check it");
    await press(`Load ${ID}`);
    expect((await screen.findByRole("alert")).textContent).toBe(message);
  });

  test("the form to add a private model opens and closes next to the list", async () => {
    const { router } = show([model()]);
    await press("Add a model");
    expect(router.state.location.search).toBe("?add=");
    await press("Cancel");
    await waitFor(() => expect(screen.queryByLabelText("Repository")).toBeNull());
  });
});

describe("the actions of a private model", () => {
  test("unloading is shown at once, and is reverted on an error", async () => {
    show([model()], { routes: [http.privateModels.unload(neverSettles, { params: { id: ID } })] });
    await press(`Unload ${ID}`);
    expect(await screen.findByText("unloading")).toBeTruthy();
    show([model()], {
      routes: [
        http.privateModels.unload(refuse(403, "organization_permission_denied", "You may not."), {
          params: { id: ID },
        }),
      ],
    });
    await press(`Unload ${ID}`);
    expect(await screen.findByText("ready")).toBeTruthy();
  });

  test("a failed private model is retried at its revision", async () => {
    const { requests } = show([model({ state: "failed", error: "The line broke.", revision: "v2" })]);
    await press(`Try again ${ID}`);
    await waitFor(() =>
      expect(sent(requests, "POST")).toEqual([
        { path: "/acme%2Fsupport-8b", body: { revision: "v2", name: "support-8b" } },
      ]),
    );
  });

  test("a private model is deleted only after a confirmation", async () => {
    const { requests } = show([model()], { routes: [http.privateModels.delete(undefined, { params: { id: ID } })] });
    await press(`Delete ${ID}`);
    expect(sent(requests, "DELETE")).toEqual([]);
    await userEvent.click(within(await screen.findByRole("alertdialog")).getByRole("button", { name: `Delete ${ID}` }));
    await waitFor(() => expect(sent(requests, "DELETE")).toHaveLength(1));
  });
});

test("the permission for private models is what counts, not the one for deployments", async () => {
  show([model()], { user: { ...userOnPlan("editor"), permissions: ["manage_models"] } });
  expect(await screen.findByRole("button", { name: `Delete ${ID}` })).toBeTruthy();
});

test.each(["viewer", "developer"] as const)("a %s sees private models and can change nothing", async (role) => {
  show([model()], { user: userOnPlan(role), query: "?add=" });
  expect(await screen.findByText(/editors and admins change them/)).toBeTruthy();
  expect(await screen.findByText("support-8b")).toBeTruthy();
  expect(screen.queryAllByRole("button")).toEqual([]);
});

test("shows that the plan has no private models, with a link to the plans", async () => {
  show([], { user: userOnPlan("admin", { name: "Basic", private_models: 0 }) });
  expect(await screen.findByText(/The plan Basic has no private models/)).toBeTruthy();
  expect(screen.queryByLabelText("Repository")).toBeNull();
});
