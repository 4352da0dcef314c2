import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, test, vi } from "vitest";
import { RULES } from "#/features/private-models/add-rules.ts";
import { aboutState, choiceOf, STATE_NAMES } from "#/features/private-models/states.ts";
import { never, type Routes, refusal, showPage } from "#/testing/page.tsx";
import { member } from "#/testing/private-cloud.ts";
import PrivateModelsPage from "./private-models.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const PATH = "/account/private-models";
const LIST = "/feather/private-models";
const ID = "acme/support-8b";
const ONE = `${LIST}/acme%2Fsupport-8b`;
const CHECK = `GET ${ONE}/compatibility`;
type Options = { query?: string; user?: object; routes?: Routes };

const model = (more: object = {}) => ({
  id: ID,
  name: "support-8b",
  revision: "main",
  state: "ready",
  progress: null,
  error: null,
  model_class: "qwen3-8b",
  created_at: "2026-11-19T14:01:02Z",
  updated_at: "2026-11-19T14:01:02Z",
  ...more,
});
const compatibility = (broken: string[] = []) => ({
  compatible: broken.length === 0,
  checks: RULES.map(({ id, label }) => ({ id, label, ok: !broken.includes(id), detail: `Detail of ${id}.` })),
  detected: { architecture: "Qwen3ForCausalLM", parameter_size: 8_190_735_360, format: "safetensors", dtype: "bf16" },
  model_class: "qwen3-8b",
});

const show = (models: readonly object[], { query = "", user = member("admin"), routes = {} }: Options = {}) =>
  showPage(<PrivateModelsPage />, PATH, PATH + query, {
    "GET /auth/me": () => ({ body: user }),
    [`GET ${LIST}`]: () => ({ body: { items: models } }),
    [CHECK]: () => ({ body: compatibility() }),
    [`POST ${ONE}`]: () => ({ status: 202, body: model({ state: "queued", progress: 0 }) }),
    ...routes,
  });
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));
const rules = () => within(screen.getByRole("list", { name: "The six rules" }));
const sent = (asked: ReturnType<typeof show>["asked"], method: string) =>
  asked.filter((one) => one.method === method).map(({ path, body }) => ({ path: path.replace(LIST, ""), body }));

describe("the list", () => {
  test.each(STATE_NAMES)("says %s in a word, and what can be done", async (state) => {
    show([model({ state })]);
    const row = (await screen.findByText("support-8b")).closest("tr") as HTMLElement;
    expect(within(row).getByText(aboutState(state).word)).toBeTruthy();
    await within(row).findByRole("button", { name: `Delete ${ID}` });
    expect(within(row).getAllByRole("button")).toHaveLength(choiceOf(state) ? 2 : 1);
  });

  test("tells how far a download is, and why one failed", async () => {
    show([
      model({ state: "downloading", progress: 0.404 }),
      model({ id: "acme/b", name: "b", state: "failed", error: "<b>The disk is full.</b>" }),
    ]);
    expect(await screen.findByText("downloading 40 %")).toBeTruthy();
    expect(screen.getByRole("progressbar", { name: `${ID}: downloading` }).getAttribute("value")).toBe("40");
    expect(screen.getByText("<b>The disk is full.</b>")).toBeTruthy();
    expect(await screen.findByText("2 of 5 on your plan")).toBeTruthy();
  });

  test("leads to the chat and to a deployment", async () => {
    show([model()]);
    expect((await screen.findByRole("link", { name: `Deploy ${ID}` })).getAttribute("href")).toBe(
      "/account/private-cloud/deployments/create?model=acme%2Fsupport-8b",
    );
    expect(screen.getByRole("link", { name: `Chat with ${ID}` }).getAttribute("href")).toContain("/chat?model=");
  });

  test("keeps its place while it is loaded, and says what failed", async () => {
    show([], { routes: { [`GET ${LIST}`]: never } });
    expect(await screen.findByText("Loading private models")).toBeTruthy();
    let fails = true;
    const answer = () => (fails ? refusal(500, "x", "boom") : { body: { items: [model()] } });
    show([], { routes: { [`GET ${LIST}`]: answer } });
    expect((await screen.findByRole("alert")).textContent).toContain("The private models cannot be read just now.");
    fails = false;
    await press("Try again");
    expect(await screen.findByText("support-8b")).toBeTruthy();
  });
});

describe("adding one", () => {
  test("checks the six rules first, and loads only then", async () => {
    const models: object[] = [];
    const { asked } = show(models, {
      routes: {
        [`POST ${ONE}`]: () => {
          models.push(model({ state: "queued", progress: 0 }));
          return { status: 202, body: models[0] };
        },
      },
    });
    expect(await screen.findByRole("heading", { name: "No private models yet. Add the first" })).toBeTruthy();
    expect(rules().getAllByText("not checked")).toHaveLength(6);
    await userEvent.type(screen.getByLabelText("Repository"), ID);
    await userEvent.type(screen.getByLabelText("Revision (optional)"), "v2");
    await userEvent.type(screen.getByLabelText("Token of the hub (optional)"), "hf_secret");
    await press("Check it");
    expect(await screen.findByText(/All rules are met/)).toBeTruthy();
    expect(rules().getAllByText("met")).toHaveLength(6);
    expect(sent(asked, "POST")).toEqual([]);
    await press(`Load ${ID}`);
    expect(await screen.findByText("queued 0 %")).toBeTruthy();
    expect(sent(asked, "POST")).toEqual([
      { path: "/acme%2Fsupport-8b", body: { revision: "v2", hf_token: "hf_secret" } },
    ]);
  });

  test("is refused where a rule is not met", async () => {
    show([], { routes: { [CHECK]: () => ({ body: compatibility(["safetensors", "dtype"]) }) } });
    await userEvent.type(await screen.findByLabelText("Repository"), ID);
    await press("Check it");
    expect(await screen.findByText("2 rules are not met.")).toBeTruthy();
    expect(screen.getByText("Detail of dtype.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: `Load ${ID}` })).toBeNull();
  });

  test("has to be checked anew for another repository", async () => {
    show([], { query: `?add=${ID}` });
    await press("Check it");
    await screen.findByText(/All rules are met/);
    await userEvent.type(screen.getByLabelText("Repository"), "-b");
    expect(await screen.findByRole("button", { name: "Check it" })).toBeTruthy();
    expect(rules().getAllByText("not checked")).toHaveLength(6);
  });

  test("asks nothing of what is no id", async () => {
    const { asked } = show([]);
    await userEvent.type(await screen.findByLabelText("Repository"), "nothing");
    await press("Check it");
    expect(await screen.findByText("Repository is not valid: an id is written owner/name.")).toBeTruthy();
    expect(asked.filter(({ path }) => path.includes("compatibility"))).toEqual([]);
  });

  test.each([
    [404, "hub.not_found", "The model hub has no acme/support-8b.", "Repository"],
    [403, "hub.gated", "The model hub does not let this token read it.", "Token of the hub (optional)"],
  ])("told %d %s says it at its field, and keeps what was typed", async (status, code, words, label) => {
    show([], { query: `?add=${ID}`, routes: { [CHECK]: () => refusal(status, code, words) } });
    await press("Check it");
    expect(await screen.findByText(words)).toBeTruthy();
    expect(screen.getByLabelText(label).getAttribute("aria-invalid")).toBe("true");
    expect((screen.getByLabelText("Repository") as HTMLInputElement).value).toBe(ID);
  });

  test.each([
    ["store.no_gguf", "acme/support-8b has no GGUF file."],
    ["private_models.limit", "Your plan has 5 private models. Delete one first."],
  ])("refused with %s when it is loaded says it above", async (code, words) => {
    show([], { query: `?add=${ID}`, routes: { [`POST ${ONE}`]: () => refusal(422, code, words) } });
    await press("Check it");
    await press(`Load ${ID}`);
    expect((await screen.findByRole("alert")).textContent).toBe(words);
  });

  test("is offered beside the list, and put away again", async () => {
    const { router } = show([model()]);
    await press("Add a model");
    expect(router.state.location.search).toBe("?add=");
    await press("Cancel");
    await waitFor(() => expect(screen.queryByLabelText("Repository")).toBeNull());
  });
});

describe("what can be done", () => {
  test("unloading shows at once, and a refusal takes it back", async () => {
    show([model()], { routes: { [`POST ${ONE}/unload`]: never } });
    await press(`Unload ${ID}`);
    expect(await screen.findByText("unloading")).toBeTruthy();
    show([model()], { routes: { [`POST ${ONE}/unload`]: () => refusal(403, "x", "You may not.") } });
    await press(`Unload ${ID}`);
    expect(await screen.findByText("ready")).toBeTruthy();
  });

  test("what failed is tried again, at its revision", async () => {
    const { asked } = show([model({ state: "failed", error: "The line broke.", revision: "v2" })]);
    await press(`Try again ${ID}`);
    await waitFor(() =>
      expect(sent(asked, "POST")).toEqual([
        { path: "/acme%2Fsupport-8b", body: { revision: "v2", name: "support-8b" } },
      ]),
    );
  });

  test("deleting asks first", async () => {
    const { asked } = show([model()], { routes: { [`DELETE ${ONE}`]: () => ({ status: 204 }) } });
    await press(`Delete ${ID}`);
    expect(sent(asked, "DELETE")).toEqual([]);
    await userEvent.click(within(await screen.findByRole("alertdialog")).getByRole("button", { name: `Delete ${ID}` }));
    await waitFor(() => expect(sent(asked, "DELETE")).toHaveLength(1));
  });
});

test.each(["viewer", "developer"])("a %s sees them and can change nothing", async (role) => {
  show([model()], { user: member(role), query: "?add=" });
  expect(await screen.findByText(/editors and admins change them/)).toBeTruthy();
  expect(await screen.findByText("support-8b")).toBeTruthy();
  expect(screen.queryAllByRole("button")).toEqual([]);
});

test("a plan without private models says so and leads to plans", async () => {
  show([], { user: member("admin", { name: "Basic", private_models: 0 }) });
  expect(await screen.findByText(/The plan Basic has no private models/)).toBeTruthy();
  expect(screen.queryByLabelText("Repository")).toBeNull();
});
