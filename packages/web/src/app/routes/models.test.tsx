import { errorResponse } from "@feather/testing/errors";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, test, vi } from "vitest";
import { ToastProvider } from "#/components/ui/toast.tsx";
import { maria, neverSettles, type RecordedRequest, renderPage, type StubRoutes } from "#/testing/page.tsx";
import ModelsPage from "./models.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const model = (id: string, more: object = {}) => ({
  id,
  name: id.split("/")[1],
  description: "",
  concurrency_cost: 1,
  context_length: 4096,
  max_completion_tokens: null,
  parameter_size: 8e9,
  active_parameters: null,
  pricing: null,
  features: { tool_use: false, reasoning: false, image_input: false, json_mode: true },
  languages: [],
  license: "apache-2.0",
  family: null,
  architecture: null,
  avg_rating: null,
  released_date: null,
  favorites: 0,
  is_favorite: false,
  availability: { tier: "warm" },
  access: { callable: true, reasons: [] },
  ...more,
});
const ONE = "acme/one";
const TWO = "acme/two";
const at = (id: string) => `/feather/models/${encodeURIComponent(id)}`;

/** A server that keeps what is saved. */
function catalogue(signedIn = true): StubRoutes {
  const saved = new Set<string>();
  const shown = (id: string) => model(id, { is_favorite: saved.has(id), parameter_size: id === ONE ? 8e9 : 70e9 });
  const routes: StubRoutes = {
    "GET /auth/me": () => (signedIn ? { body: maria } : errorResponse(401, "unauthorized", "Log in.")),
    "GET /feather/models": ({ query }) => {
      const items = [ONE, TWO].filter((id) => query.get("saved") !== "true" || saved.has(id)).map(shown);
      const pagination = { current_page: 1, per_page: 25, total_items: items.length, total_pages: 1 };
      return { body: { items, pagination, facets: {} } };
    },
    "GET /feather/models/gone%2Fmodel": () => errorResponse(404, "model_not_found", "There is no such model."),
    "GET /feather/stats": () => ({ body: { model_count: 2, family_count: 1 } }),
    "GET /feather/releases": () => ({ body: { items: [], pagination: {} } }),
  };
  for (const id of [ONE, TWO]) {
    const set = (isSaved: boolean) => {
      if (isSaved) saved.add(id);
      else saved.delete(id);
      return { status: 204 };
    };
    routes[`GET ${at(id)}`] = () => ({ body: shown(id) });
    routes[`PUT ${at(id)}/favorite`] = () => set(true);
    routes[`DELETE ${at(id)}/favorite`] = () => set(false);
  }
  return routes;
}

const show = (address = "/models", routes = catalogue()) =>
  renderPage(
    <ToastProvider>
      <ModelsPage />
    </ToastProvider>,
    "/models",
    address,
    routes,
  );
const star = async (id = ONE) => screen.findByRole("button", { name: `Save ${id}` });
const isLit = (button: HTMLElement) => button.getAttribute("aria-pressed") === "true";
const listActions = (requests: readonly RecordedRequest[]) =>
  requests.filter(({ method }) => method !== "GET").map(({ method }) => method);

describe("saving a model", () => {
  test("is shown before the server has responded", async () => {
    show("/models", { ...catalogue(), [`PUT ${at(ONE)}/favorite`]: neverSettles });
    const button = await star();
    await userEvent.click(button);
    expect(isLit(button)).toBe(true);
    expect(isLit(await star(TWO))).toBe(false);
  });

  test("counts a double click once, and can be undone", async () => {
    const { requests } = show();
    await userEvent.dblClick(await star());
    await userEvent.click(await screen.findByRole("button", { name: "Undo" }));
    await waitFor(async () => expect(isLit(await star())).toBe(false));
    await waitFor(() => expect(listActions(requests)).toEqual(["PUT", "DELETE"]));
  });

  test("is reverted with a message if the server refuses", async () => {
    const refused = () => errorResponse(403, "organization_permission_denied", "This credential may only read.");
    show("/models", { ...catalogue(), [`PUT ${at(ONE)}/favorite`]: refused });
    await userEvent.click(await star());
    expect((await screen.findByText(`${ONE} could not be saved`)).textContent).toBeTruthy();
    expect(screen.getByText("This credential may only read.")).toBeTruthy();
    expect(isLit(await star())).toBe(false);
  });
});

describe("the personal filters", () => {
  test("list saved models, explain an empty list, and update when a model is removed", async () => {
    const { router, requests } = show("/models?saved=1");
    expect(await screen.findByRole("heading", { name: "You have saved no model yet" })).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Show all models" }));
    await userEvent.click(await star());
    await waitFor(() => expect(listActions(requests)).toEqual(["PUT"]));
    const filters = within(screen.getByRole("complementary", { name: "Filters" }));
    await userEvent.click(filters.getByRole("checkbox", { name: "Saved" }));
    expect(router.state.location.search).toBe("?saved=1");
    await waitFor(() => expect(screen.queryByRole("button", { name: `Save ${TWO}` })).toBeNull());
    await userEvent.click(await star());
    expect(await screen.findByRole("heading", { name: "You have saved no model yet" })).toBeTruthy();
  });

  test("request the models that can be called now", async () => {
    const { requests } = show("/models?callable=1&page=2");
    await star();
    const [query] = requests.filter(({ path }) => path === "/feather/models").map((one) => one.query);
    expect([query?.get("callable"), query?.get("page")]).toEqual(["true", "2"]);
  });

  test("are not offered to visitors; a visitor with such a link is asked to log in", async () => {
    const { requests } = show("/models?saved=1", catalogue(false));
    expect(await screen.findByRole("heading", { name: "Log in to see your models" })).toBeTruthy();
    expect(screen.getByRole("link", { name: "Log in" }).getAttribute("href")).toBe(
      "/login?returnTo=%2Fmodels%3Fsaved%3D1",
    );
    expect(screen.queryByRole("checkbox", { name: "Saved" })).toBeNull();
    expect(requests.filter(({ path }) => path === "/feather/models")).toEqual([]);
  });
});

describe("comparing models", () => {
  test("starts by selecting, keeps the selection in the URL, and opens the comparison and a chat", async () => {
    const { router } = show("/models?sort=name");
    await userEvent.click(await screen.findByRole("checkbox", { name: `Compare ${ONE}` }));
    expect(await screen.findByText("Pick one more")).toBeTruthy();
    await userEvent.click(screen.getByRole("checkbox", { name: `Compare ${TWO}` }));
    await userEvent.click(await screen.findByRole("link", { name: "Compare 2 models" }));
    expect(await screen.findByRole("row", { name: "Parameters 8.0B 70B" })).toBeTruthy();
    expect(screen.getByRole("row", { name: "Context 4K 4K" })).toBeTruthy();
    await userEvent.click(screen.getByRole("checkbox", { name: "Only what differs" }));
    expect(screen.queryByRole("row", { name: /^Context/ })).toBeNull();
    expect(screen.getByRole("link", { name: "Chat with them" }).getAttribute("href")).toBe(
      "/chat?model=acme%2Fone&model=acme%2Ftwo",
    );
    await userEvent.click(screen.getByRole("link", { name: "Change the choice" }));
    expect(router.state.location.search).toBe("?sort=name&pick=acme/one,acme/two");
    expect(await screen.findByRole("link", { name: "Compare 2 models" })).toBeTruthy();
  });

  test("shows which model does not exist, and can remove it", async () => {
    const { router } = show(`/models?compare=${ONE},gone/model`);
    expect(await screen.findByText("There is no such model here.")).toBeTruthy();
    expect(screen.queryByRole("link", { name: "Chat with them" })).toBeNull();
    await userEvent.click(screen.getByRole("link", { name: "Remove gone/model" }));
    expect(router.state.location.search).toBe(`?compare=${ONE}`);
    expect(await screen.findByText("Pick another model to see what differs.")).toBeTruthy();
  });
});
