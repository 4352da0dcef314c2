import type { ModelFit } from "@feather/sdk";
import { http, refuse } from "@feather/sdk/msw";
import { buildModel, buildPage } from "@feather/testing/builders";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, test, vi } from "vitest";
import { ToastProvider } from "#/components/ui/feedback/toast.tsx";
import { maria, neverSettles, type RecordedRequest, renderPage, searchParamsOf } from "#/testing/page.tsx";
import { chooseOption } from "#/testing/select.ts";
import ModelsPage from "./models.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const model = (id: string, more: Parameters<typeof buildModel>[0] = {}) =>
  buildModel({
    id,
    concurrency_cost: 1,
    context_length: 4096,
    parameter_size: 8e9,
    is_favorite: false,
    access: { callable: true, reasons: [], effective_context_length: 4096, unlocked: true },
    ...more,
  });
const ONE = "acme/one";
const TWO = "acme/two";

/** Returns a server that stores changes. */
function catalogue(signedIn = true): StubHandlers {
  const saved = new Set<string>();
  const shown = (id: string) => model(id, { is_favorite: saved.has(id), parameter_size: id === ONE ? 8e9 : 70e9 });
  return [
    http.auth.me(() => (signedIn ? maria : refuse(401, "unauthorized", "Log in."))),
    http.models.list(({ request }) => {
      const items = [ONE, TWO]
        .filter((id) => searchParamsOf(request).get("saved") !== "true" || saved.has(id))
        .map(shown);
      return { ...buildPage(items), facets: {} };
    }),
    http.models.get(refuse(404, "model_not_found", "There is no such model."), { params: { id: "gone/model" } }),
    http.models.get(({ params }) => ({ ...shown(params.id), readme: null, places: [], probes: [] })),
    http.models.favorite(({ params }) => void saved.add(params.id)),
    http.models.unfavorite(({ params }) => void saved.delete(params.id)),
    http.models.stats({
      model_count: 2,
      family_count: 1,
      warm_count: 1,
      requests_24h: 0,
      release_count: 0,
      tokens_24h: 0,
    }),
    http.models.releases(buildPage([])),
  ];
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

test("users can sort by what fits this machine, visitors cannot", async () => {
  const { requests, router } = show();
  await star();
  await chooseOption(screen.getByLabelText("Sort by"), "Fits here first");
  expect(router.state.location.search).toBe("?sort=fit");
  await waitFor(() =>
    expect(
      requests
        .filter(({ path }) => path === "/feather/models")
        .at(-1)
        ?.query.get("sort"),
    ).toBe("fit"),
  );
  cleanup();
  show("/models", catalogue(false));
  await screen.findByText("one");
  await userEvent.click(screen.getByLabelText("Sort by"));
  expect(await screen.findByRole("option", { name: "Largest" })).toBeTruthy();
  expect(screen.queryByRole("option", { name: "Fits here first" })).toBeNull();
});

describe("saving a model", () => {
  test("saving a model is shown before the server has responded", async () => {
    show("/models", [http.models.favorite(neverSettles, { params: { id: ONE } }), ...catalogue()]);
    const button = await star();
    await userEvent.click(button);
    expect(isLit(button)).toBe(true);
    expect(isLit(await star(TWO))).toBe(false);
  });

  test("saving a model counts a double click once, and can be undone", async () => {
    const { requests } = show();
    await userEvent.dblClick(await star());
    await userEvent.click(await screen.findByRole("button", { name: "Undo" }));
    await waitFor(async () => expect(isLit(await star())).toBe(false));
    await waitFor(() => expect(listActions(requests)).toEqual(["PUT", "DELETE"]));
  });

  test("saving a model is reverted with a message if the server refuses", async () => {
    const refused = refuse(403, "organization_permission_denied", "This credential may only read.");
    show("/models", [http.models.favorite(refused, { params: { id: ONE } }), ...catalogue()]);
    await userEvent.click(await star());
    expect((await screen.findByText(`${ONE} could not be saved`)).textContent).toBeTruthy();
    expect(screen.getByText("This credential may only read.")).toBeTruthy();
    expect(isLit(await star())).toBe(false);
  });
});

test("shows signed-in users which models fit the server's machine, and visitors nothing of it", async () => {
  const fit: ModelFit = {
    verdict: "fits",
    file: null,
    context: 8192,
    memory_bytes: 5.6e9,
    available_bytes: 14e9,
    reason: "It takes about 5.60 GB.",
  };
  const large: ModelFit = { ...fit, verdict: "too_large", context: null, memory_bytes: 44e9 };
  show("/models", [http.models.list(buildPage([model(ONE, { fit }), model(TWO, { fit: large })])), ...catalogue()]);
  expect(await screen.findByRole("columnheader", { name: "This machine" })).toBeTruthy();
  expect(screen.getByRole("cell", { name: "fits 5.6 GB" })).toBeTruthy();
  expect(screen.getByRole("cell", { name: "too large 44.0 GB" })).toBeTruthy();
  show("/models", catalogue(false));
  await screen.findAllByRole("link", { name: /one$/ });
  expect(screen.queryByRole("columnheader", { name: "This machine" })).toBeNull();
});

describe("the personal filters", () => {
  test("the personal filters list saved models, explain an empty list, and update when a model is removed", async () => {
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

  test("the personal filters request the models that can be called now", async () => {
    const { requests } = show("/models?callable=1&page=2");
    await star();
    const [query] = requests.filter(({ path }) => path === "/feather/models").map((one) => one.query);
    expect([query?.get("callable"), query?.get("page")]).toEqual(["true", "2"]);
  });

  test("the personal filters are not offered to visitors; a visitor with such a link is asked to log in", async () => {
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
  test("comparing models starts by selecting, keeps the selection in the URL, and opens the comparison and a chat", async () => {
    const { router } = show("/models?sort=name");
    await userEvent.click(await screen.findByRole("checkbox", { name: `Compare ${ONE}` }));
    expect(await screen.findByText("Pick one more")).toBeTruthy();
    await userEvent.click(screen.getByRole("checkbox", { name: `Compare ${TWO}` }));
    await userEvent.click(await screen.findByRole("link", { name: "Compare 2 models" }));
    expect(await screen.findByRole("row", { name: "Parameters 8B 70B" })).toBeTruthy();
    expect(screen.getByRole("row", { name: "Context 4Ki 4Ki" })).toBeTruthy();
    await userEvent.click(screen.getByRole("checkbox", { name: "Only what differs" }));
    expect(screen.queryByRole("row", { name: /^Context/ })).toBeNull();
    expect(screen.getByRole("link", { name: "Chat with them" }).getAttribute("href")).toBe(
      "/chat?model=acme%2Fone&model=acme%2Ftwo",
    );
    await userEvent.click(screen.getByRole("link", { name: "Change the choice" }));
    expect(router.state.location.search).toBe("?sort=name&pick=acme/one,acme/two");
    expect(await screen.findByRole("link", { name: "Compare 2 models" })).toBeTruthy();
  });

  test("comparing models shows which model does not exist, and can remove it", async () => {
    const { router } = show(`/models?compare=${ONE},gone/model`);
    expect(await screen.findByText("There is no such model here.")).toBeTruthy();
    expect(screen.queryByRole("link", { name: "Chat with them" })).toBeNull();
    await userEvent.click(screen.getByRole("link", { name: "Remove gone/model" }));
    expect(router.state.location.search).toBe(`?compare=${ONE}`);
    expect(await screen.findByText("Pick another model to see what differs.")).toBeTruthy();
  });
});
