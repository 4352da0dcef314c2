import { http } from "@feather/sdk/msw";
import { buildPage } from "@feather/testing/builders";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, test, vi } from "vitest";
import { ToastProvider } from "#/components/ui/feedback/toast.tsx";
import { adminHandlers, routingAlias } from "#/testing/admin.ts";
import { renderPage } from "#/testing/page.tsx";
import AdminRoutingPage from "./routing.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const show = (routes: StubHandlers) =>
  renderPage(
    <ToastProvider>
      <AdminRoutingPage />
    </ToastProvider>,
    "/x",
    "/x",
    [...routes, ...adminHandlers],
  );
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));
const choose = async (name: string, action: string) => {
  await press(`Actions for ${name}`);
  await userEvent.click(await screen.findByRole("menuitem", { name: action }));
};
const write = async (label: string, text: string) => {
  const field = await screen.findByLabelText(label);
  await userEvent.clear(field);
  await userEvent.type(field, text);
};
const bodiesOf = (requests: ReturnType<typeof show>["requests"], method: string) =>
  requests.filter((one) => one.method === method).map(({ path, body }) => [path, body]);

describe("the admin page of routing", () => {
  test("the admin page of routing lists aliases with their models, and says which do not exist", async () => {
    const broken = { ...routingAlias, name: "broken", models: ["acme/gone"], unknown_models: ["acme/gone"] };
    const hidden = { ...routingAlias, name: "acme/later", is_hidden: true };
    show([http.admin.routing.aliases.list(buildPage([routingAlias, broken, hidden]))]);
    expect((await screen.findAllByRole("link", { name: "Qwen/Qwen3-8B" })).length).toBe(2);
    expect(screen.getByText("does not exist")).toBeTruthy();
    expect(screen.getByText("Broken: none of its models exists. Calls of it are refused.")).toBeTruthy();
    expect(screen.getByText("A model has this name by now. Calls go to it, not to the alias.")).toBeTruthy();
  });

  test("the admin page of routing adds an alias with its models in their order", async () => {
    const { requests } = show([
      http.admin.routing.aliases.list(buildPage([])),
      http.admin.routing.aliases.set(routingAlias, { params: { name: "company%2Fdefault" } }),
    ]);
    await screen.findByText("No aliases");
    await press("Add an alias");
    await write("Name", "company/default");
    await write("Models", "Qwen/Qwen3-8B{Enter}feather/demo");
    await userEvent.click(screen.getAllByRole("button", { name: "Add the alias" })[0] ?? expect.fail("no button"));
    expect(await screen.findByText("fast stands for Qwen/Qwen3-8B, feather/demo")).toBeTruthy();
    expect(bodiesOf(requests, "PUT")).toEqual([
      ["/admin/routing/aliases/company%2Fdefault", { models: ["Qwen/Qwen3-8B", "feather/demo"] }],
    ]);
  });

  test("the admin page of routing sends nothing while the name or a model is not valid", async () => {
    const { requests } = show([http.admin.routing.aliases.list(buildPage([]))]);
    await screen.findByText("No aliases");
    await press("Add an alias");
    await write("Name", "a name");
    await write("Models", "demo");
    await userEvent.click(screen.getAllByRole("button", { name: "Add the alias" })[0] ?? expect.fail("no button"));
    expect(await screen.findByText(/^Name is not valid/)).toBeTruthy();
    expect(screen.getByText(/^Models are not valid/)).toBeTruthy();
    expect(bodiesOf(requests, "PUT")).toEqual([]);
  });

  test("the admin page of routing sets the order of backends, and takes it back", async () => {
    const { requests } = show([
      http.admin.routing.aliases.list(buildPage([routingAlias])),
      http.admin.routing.update({ order: "own_first", own_key_fee_percent: 0, refuse_below_cost: false }),
    ]);
    await userEvent.click(await screen.findByRole("radio", { name: /^Own first/ }));
    expect(await screen.findByText("Order of backends: Own first")).toBeTruthy();
    await press("Undo");
    await waitFor(() =>
      expect(bodiesOf(requests, "PUT")).toEqual([
        ["/admin/routing", { order: "own_first" }],
        ["/admin/routing", { order: "balanced" }],
      ]),
    );
  });

  test("the admin page of routing sets the fee for own keys, and none that is no percentage", async () => {
    const { requests } = show([
      http.admin.routing.aliases.list(buildPage([routingAlias])),
      http.admin.routing.update({ order: "balanced", own_key_fee_percent: 2.5, refuse_below_cost: false }),
    ]);
    await write("Percent of the price", "101");
    await press("Save the fee");
    expect(await screen.findByText(/^Fee is not valid/)).toBeTruthy();
    await write("Percent of the price", "2,5");
    await press("Save the fee");
    expect(await screen.findByText("Fee for own keys: 2.5 %")).toBeTruthy();
    expect(bodiesOf(requests, "PUT")).toEqual([["/admin/routing", { order: "balanced", own_key_fee_percent: 2.5 }]]);
  });

  test("the admin page of routing refuses calls below cost", async () => {
    const { requests } = show([
      http.admin.routing.aliases.list(buildPage([routingAlias])),
      http.admin.routing.update({ order: "balanced", own_key_fee_percent: 0, refuse_below_cost: true }),
    ]);
    await userEvent.click(await screen.findByRole("radio", { name: /^Refuse/ }));
    expect(await screen.findByText("Calls below cost: refused")).toBeTruthy();
    expect(bodiesOf(requests, "PUT")).toEqual([["/admin/routing", { order: "balanced", refuse_below_cost: true }]]);
  });

  test("the admin page of routing changes the models of an alias, and removes one", async () => {
    const { requests } = show([
      http.admin.routing.aliases.list(buildPage([routingAlias])),
      http.admin.routing.aliases.set(routingAlias, { params: { name: "fast" } }),
      http.admin.routing.aliases.delete(undefined, { params: { name: "fast" } }),
    ]);
    await choose("fast", "Change");
    await write("Models", "feather/demo");
    await press("Save the alias");
    expect(await screen.findByText("fast stands for Qwen/Qwen3-8B, feather/demo")).toBeTruthy();
    await choose("fast", "Remove");
    await press("Remove the alias");
    expect(await screen.findByText("The alias fast is removed")).toBeTruthy();
    expect(bodiesOf(requests, "PUT")).toEqual([["/admin/routing/aliases/fast", { models: ["feather/demo"] }]]);
    expect(bodiesOf(requests, "DELETE")).toHaveLength(1);
  });
});
