import type { Deployment, User } from "@feather/sdk";
import { http, refuse, type Sent } from "@feather/sdk/msw";
import { buildDeployment, buildPage } from "@feather/testing/builders";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, test, vi } from "vitest";
import { STATE_INFO } from "#/features/deployments/states.ts";
import { instanceType, provider, userOnPlan } from "#/testing/deployments.ts";
import { neverSettles, renderPage } from "#/testing/page.tsx";
import { chooseOption } from "#/testing/select.ts";
import DeploymentsPage from "./deployments.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const PATH = "/account/private-cloud/deployments";
type Options = { query?: string; user?: Sent<User>; routes?: StubHandlers };
const show = (
  deployments: readonly Sent<Deployment>[],
  { query = "", user = userOnPlan("admin"), routes = [] }: Options = {},
) =>
  renderPage(<DeploymentsPage />, PATH, PATH + query, [
    ...routes,
    http.auth.me(user),
    http.deployments.list(buildPage(deployments)),
    http.deployments.providers({ items: [provider()] }),
  ]);
const names = () =>
  screen
    .getAllByRole("row")
    .slice(1)
    .map((row) => within(row).getByRole("link").textContent);

describe("the list of deployments", () => {
  test("the list of deployments shows name, state, model, replicas and endpoint of each", async () => {
    show([buildDeployment({ desired_replicas: 2 })]);
    const row = (await screen.findByRole("link", { name: "support-bot" })).closest("tr") as HTMLElement;
    expect(within(row).getByRole("link").getAttribute("href")).toBe(`${PATH}/dep_1`);
    expect(row.textContent).toContain("running");
    expect(row.textContent).toContain("acme/support-8b");
    expect(row.textContent).toContain("1 of 2");
    expect(row.textContent).toContain("/api/deployments/dep_1/v1");
    expect(within(row).getByRole("button", { name: "Copy the endpoint of support-bot" })).toBeTruthy();
  });

  test.each(Object.entries(STATE_INFO) as [Deployment["state"], { label: string }][])(
    "the list of deployments labels the state %s",
    async (state, { label }) => {
      show([{ ...buildDeployment({ state_reason: "It waits for memory." }), state }]);
      const row = (await screen.findByRole("link", { name: "support-bot" })).closest("tr") as HTMLElement;
      expect(within(row).getByText(label)).toBeTruthy();
      expect(within(row).getByText("It waits for memory.")).toBeTruthy();
    },
  );

  test("the list of deployments shows the price of an instance type that has one", async () => {
    const priced = provider({ instance_types: [instanceType({ hourly_nano_usd: "1790000000" })] });
    show([buildDeployment({ ready_replicas: 2, desired_replicas: 2 })], {
      routes: [http.deployments.providers({ items: [priced] })],
    });
    expect(await screen.findByText("$3.58")).toBeTruthy();
    show([buildDeployment()]);
    await screen.findByRole("link", { name: "support-bot" });
    expect(screen.queryByText("An hour, now")).toBeNull();
  });

  test("the list of deployments keeps its layout while it is loaded", async () => {
    show([], { routes: [http.deployments.list(neverSettles)] });
    expect(await screen.findByText("Loading deployments")).toBeTruthy();
    expect(screen.getByRole("table")).toBeTruthy();
  });

  test("the list of deployments shows hostile names as text", async () => {
    show([buildDeployment({ state_reason: "<img src=x onerror=alert(1)>", model_id: "a/<script>x</script>" })]);
    expect(await screen.findByText("<img src=x onerror=alert(1)>")).toBeTruthy();
    expect(document.querySelector("img, td script")).toBeNull();
  });

  test("the list of deployments explains deployments when it is empty", async () => {
    show([]);
    expect(await screen.findByRole("heading", { name: "No deployments yet" })).toBeTruthy();
    expect(screen.getByRole("link", { name: "Create deployment" }).getAttribute("href")).toBe(`${PATH}/create`);
  });

  test("the list of deployments shows what failed to load, and retries", async () => {
    let fails = true;
    const answer = () => (fails ? refuse(500, "internal_error", "boom") : buildPage([buildDeployment()]));
    show([], { routes: [http.deployments.list(answer)] });
    expect((await screen.findByRole("alert")).textContent).toContain("The deployments cannot be read just now.");
    fails = false;
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("link", { name: "support-bot" })).toBeTruthy();
    expect(screen.queryByRole("alert")).toBeNull();
  });
});

describe("the filters of deployments", () => {
  const MANY = [buildDeployment(), buildDeployment({ id: "dep_2", name: "coder", state: "failed" })];

  test("the filters of deployments are written to the URL and read from it", async () => {
    const { router } = show(MANY, { query: "?state=failed" });
    await screen.findByRole("link", { name: "coder" });
    expect(names()).toEqual(["coder"]);
    await chooseOption(screen.getByLabelText("State"), /All states/);
    expect(names()).toEqual(["support-bot", "coder"]);
    await userEvent.type(screen.getByLabelText("Search deployments"), "bot");
    expect(names()).toEqual(["support-bot"]);
    expect(router.state.location.search).toBe("?search=bot");
  });

  test("the filters of deployments can be reset when nothing matches", async () => {
    const { router } = show(MANY, { query: "?search=nothing" });
    await userEvent.click(await screen.findByRole("button", { name: "Show all deployments" }));
    expect(names()).toEqual(["support-bot", "coder"]);
    expect(router.state.location.search).toBe("");
  });
});

describe("a user who may not create deployments", () => {
  test.each(["viewer", "developer"] as const)(
    "a user who may not create deployments as a %s sees the list, and who may change it",
    async (role) => {
      show([buildDeployment()], { user: userOnPlan(role) });
      expect(await screen.findByRole("link", { name: "support-bot" })).toBeTruthy();
      expect(screen.getByText(/editors and admins change them/)).toBeTruthy();
      expect(screen.queryByRole("link", { name: "Create deployment" })).toBeNull();
    },
  );

  test("a user who may not create deployments on a plan without private cloud sees that, and a link to the plans", async () => {
    show([], { user: userOnPlan("admin", { name: "Basic", private_cloud: false }) });
    expect(await screen.findByText(/The plan Basic has no private cloud/)).toBeTruthy();
    expect(screen.getByRole("link", { name: "See the plans that have" }).getAttribute("href")).toBe("/pricing");
    expect(screen.queryByRole("link", { name: "Create deployment" })).toBeNull();
  });
});
