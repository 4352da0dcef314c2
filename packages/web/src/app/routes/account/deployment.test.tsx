import type { Deployment, User } from "@feather/sdk";
import { http, refuse, type Sent } from "@feather/sdk/msw";
import { buildDeployment, buildPage } from "@feather/testing/builders";
import type { StubHandlers } from "@feather/testing/stub";
import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { STATE_INFO } from "#/features/deployments/states.ts";
import { provider, userOnPlan } from "#/testing/deployments.ts";
import { type FakeEventSource, stubEventSource } from "#/testing/event-source.ts";
import { neverSettles, renderPage } from "#/testing/page.tsx";
import { chooseOption } from "#/testing/select.ts";
import DeploymentPage from "./deployment.tsx";

let streams: FakeEventSource[] = [];
beforeEach(() => {
  streams = [];
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const PATH = "/account/private-cloud/deployments";
const API = "/feather/private-cloud/deployments/dep_1";
type Options = { query?: string; user?: Sent<User>; routes?: StubHandlers };
const event = (state: Deployment["state"], message: string, happened_at = "2026-11-19T14:01:02Z") => ({
  state,
  message,
  happened_at,
});

function show(
  more: Parameters<typeof buildDeployment>[0] = {},
  { query = "", user = userOnPlan("admin"), routes = [] }: Options = {},
) {
  const page = renderPage(<DeploymentPage />, `${PATH}/:id`, `${PATH}/dep_1${query}`, [
    ...routes,
    http.auth.me(user),
    http.deployments.get(buildDeployment(more), { params: { id: "dep_1" } }),
    http.deployments.events(() => ({ items: [event("running", "1 of 1 replicas"), event("pending", "Created")] }), {
      params: { id: "dep_1" },
    }),
    http.deployments.replicas(
      { generation: 1, items: [{ name: "0", generation: 1, state: "ready", reason: null }] },
      { params: { id: "dep_1" } },
    ),
    http.deployments.metrics({ items: [] }, { params: { id: "dep_1" } }),
    http.deployments.list(buildPage([])),
    http.deployments.providers({ items: [provider()] }),
  ]);
  streams = stubEventSource();
  return page;
}
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));
const sent = (requests: ReturnType<typeof show>["requests"], method: string) =>
  requests.filter((one) => one.method === method).map(({ path, body }) => ({ path: path.replace(API, ""), body }));

describe("the page of a deployment", () => {
  test("the page of a deployment shows name, labelled state, reason, settings and endpoint", async () => {
    show({ state: "initializing", state_reason: "It waits for memory.", max_replicas: 4 });
    expect(await screen.findByRole("heading", { name: "support-bot", level: 1 })).toBeTruthy();
    expect(screen.getAllByText("starting").length).toBeGreaterThan(0);
    expect(screen.getByText("It waits for memory.")).toBeTruthy();
    expect(screen.getByText("0 to 4, one for 4 requests at a time")).toBeTruthy();
    expect(screen.getByText("after 1 h without a request")).toBeTruthy();
    expect(screen.getByText("https://feather.example/api/deployments/dep_1/v1")).toBeTruthy();
    await userEvent.click(screen.getByRole("tab", { name: "Python" }));
    expect(document.body.textContent).toContain('base_url="https://feather.example/api/deployments/dep_1/v1"');
    expect(document.body.textContent).toContain("model_id: acme/support-8b");
  });

  test.each(Object.entries(STATE_INFO) as [Deployment["state"], (typeof STATE_INFO)[Deployment["state"]]][])(
    "the page of a deployment explains the state %s",
    async (state, { label, description }) => {
      show({ state });
      await screen.findByRole("heading", { level: 1 });
      expect(screen.getAllByText(label).length).toBeGreaterThan(0);
      expect(screen.getByText(description, { exact: false })).toBeTruthy();
      expect(screen.queryByRole("list", { name: "Progress" }) === null).toBe(
        ["paused", "scaled_to_zero", "deleting"].includes(state),
      );
      await waitFor(() => expect(screen.queryByRole("button", { name: "Delete" }) === null).toBe(state === "deleting"));
    },
  );

  test("the page of a deployment shows history and replicas, with reasons", async () => {
    show(
      {},
      {
        routes: [
          http.deployments.events(() => ({ items: [event("failed", "<b>The engine ended</b>")] }), {
            params: { id: "dep_1" },
          }),
          http.deployments.replicas(
            { generation: 2, items: [{ name: "0", generation: 1, state: "starting", reason: "It waits." }] },
            { params: { id: "dep_1" } },
          ),
        ],
      },
    );
    expect(await screen.findByText("<b>The engine ended</b>")).toBeTruthy();
    expect(screen.getByText("It waits.")).toBeTruthy();
    expect(screen.getByText(/from before the change/)).toBeTruthy();
  });

  test("the page of a deployment shows the end of a long history first, and all of it on request", async () => {
    const long = Array.from({ length: 12 }, (_, index) => event("running", `change ${index}`));
    show({}, { routes: [http.deployments.events({ items: long }, { params: { id: "dep_1" } })] });
    expect(await screen.findByText("change 0")).toBeTruthy();
    expect(screen.queryByText("change 11")).toBeNull();
    await press("Show all 12");
    expect(screen.getByText("change 11")).toBeTruthy();
  });

  test("the page of a deployment keeps its layout while it is loaded", async () => {
    show({}, { routes: [http.deployments.get(neverSettles, { params: { id: "dep_1" } })] });
    expect(await screen.findByText("Loading the deployment")).toBeTruthy();
  });

  test("the page of a deployment links to the list if the deployment does not exist", async () => {
    show(
      {},
      {
        routes: [
          http.deployments.get(refuse(404, "deployments.not_found", "There is none."), { params: { id: "dep_1" } }),
        ],
      },
    );
    expect(await screen.findByRole("heading", { name: "There is no such deployment" })).toBeTruthy();
    expect(screen.getByRole("link", { name: "All deployments" }).getAttribute("href")).toBe(PATH);
  });

  test("the page of a deployment shows what failed to load, and retries", async () => {
    let fails = true;
    show(
      {},
      {
        routes: [
          http.deployments.get(() => (fails ? refuse(500, "internal_error", "boom") : buildDeployment()), {
            params: { id: "dep_1" },
          }),
        ],
      },
    );
    expect((await screen.findByRole("alert")).textContent).toContain("The deployment cannot be read just now.");
    fails = false;
    await press("Try again");
    expect(await screen.findByRole("heading", { name: "support-bot" })).toBeTruthy();
  });

  test.each(["viewer", "developer"] as const)("a %s sees everything and can change nothing", async (role) => {
    show({ state: "paused" }, { user: userOnPlan(role) });
    expect(await screen.findByText(/editors and admins change them/)).toBeTruthy();
    for (const name of ["Resume", "Scale", "Edit", "Delete", "Replace token", "One-time link"])
      expect(screen.queryByRole("button", { name })).toBeNull();
    expect(screen.getByRole("heading", { name: "Log" })).toBeTruthy();
  });
});

describe("the log of a deployment", () => {
  const lines = () => screen.getByRole("log");
  const feed = async (...texts: [number, string, string?][]) => {
    await waitFor(() => expect(streams.length).toBeGreaterThan(0));
    act(() => {
      streams.at(-1)?.open();
      for (const [second, text, replica = "0"] of texts)
        streams.at(-1)?.send({ logged_at: `2026-11-19T14:00:0${second}Z`, replica, text });
    });
  };

  test("the log of a deployment shows hostile lines as text", async () => {
    show();
    await feed([1, "\u001b[31mred\u001b[0m <img src=x onerror=alert(1)>"], [2, "evil\u202etxt"]);
    expect(await screen.findByText("red <img src=x onerror=alert(1)>")).toBeTruthy();
    expect(screen.getByText("evil�txt")).toBeTruthy();
    expect(lines().querySelector("img")).toBeNull();
    expect(streams[0]?.url).toBe(`/api${API}/logs?tail=1000`);
  });

  test("the log of a deployment pauses and resumes without losing a line", async () => {
    show();
    await feed([1, "first"]);
    await screen.findByText("first");
    await press("Pause log");
    act(() => streams[0]?.send({ logged_at: "2026-11-19T14:00:02Z", replica: "0", text: "second" }));
    await press("Go on (1 new)");
    expect(await screen.findByText("second")).toBeTruthy();
  });

  test("the log of a deployment is filtered, with the filter in the URL", async () => {
    const { router } = show({}, { query: "?replica=1" });
    await feed([1, "one", "0"], [2, "two", "1"], [3, "three", "1"]);
    expect(await screen.findByText("two")).toBeTruthy();
    expect(screen.queryByText("one")).toBeNull();
    await userEvent.type(screen.getByLabelText("Filter the log"), "three");
    await waitFor(() => expect(router.state.location.search).toBe("?replica=1&log=three"));
    await waitFor(() => expect(screen.queryByText("two")).toBeNull());
    await userEvent.type(screen.getByLabelText("Filter the log"), "!");
    expect(await screen.findByText("None of 3 lines has this.")).toBeTruthy();
  });

  test("the log of a deployment pauses while the page is hidden, and repeats no line afterwards", async () => {
    show();
    await feed([1, "first"]);
    await screen.findByText("first");
    const visible = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    act(() => void document.dispatchEvent(new Event("visibilitychange")));
    expect(streams[0]?.readyState).toBe(2);
    visible.mockRestore();
    act(() => void document.dispatchEvent(new Event("visibilitychange")));
    expect(streams).toHaveLength(2);
    await feed([1, "first"], [2, "second"]);
    expect(await screen.findByText("second")).toBeTruthy();
    expect(screen.getAllByText("first")).toHaveLength(1);
  });

  test("the log of a deployment shows that the connection broke, and can retry after a refusal", async () => {
    show();
    await feed();
    act(() => streams[0]?.fail(false));
    expect(await screen.findByText("connecting again")).toBeTruthy();
    act(() => streams[0]?.fail(true));
    await userEvent.click(within(lines()).getByRole("button", { name: "Try again" }));
    expect(streams).toHaveLength(2);
  });
});

describe("the metrics of a deployment", () => {
  const called = () => ({
    items: [
      {
        bucket_at: new Date(Date.now() - 600_000).toISOString(),
        requests: 12,
        errors: 1,
        p50_ttft_ms: 236,
        tokens_per_s: 62,
      },
    ],
  });
  const routes = [http.deployments.metrics(called, { params: { id: "dep_1" } })];

  test("the metrics of a deployment show each chart as a table, too", async () => {
    const { router } = show({}, { routes });
    expect(await screen.findByRole("slider", { name: /First token, median/ })).toBeTruthy();
    await press("Show table");
    const table = await screen.findByRole("table", { name: /Requests and speed over time/ });
    expect(within(table).getByText("236 ms")).toBeTruthy();
    expect(router.state.location.search).toBe("?view=table");
    await press("Show charts");
    expect(await screen.findByRole("slider", { name: /First token/ })).toBeTruthy();
  });

  test("the metrics of a deployment are loaded for another period", async () => {
    const { requests, router } = show({}, { routes });
    await chooseOption(await screen.findByLabelText("Period"), "Last hour");
    await waitFor(() => expect(router.state.location.search).toBe("?hours=1"));
    await waitFor(() => {
      const { query } = requests.findLast(({ path }) => path.endsWith("/metrics")) ?? {};
      expect(Number(query?.get("end")) - Number(query?.get("start"))).toBe(3_600);
    });
  });

  test("the metrics of a deployment tell that nobody has called the deployment", async () => {
    show();
    expect(await screen.findByText(/No calls in the last 24 hours/)).toBeTruthy();
  });
});

describe("the actions of a deployment", () => {
  test("pausing is shown at once, and is reverted on an error", async () => {
    const { requests } = show({}, { routes: [http.deployments.pause(buildDeployment(), { params: { id: "dep_1" } })] });
    await press("Pause");
    expect(await screen.findByRole("button", { name: "Resume" })).toBeTruthy();
    expect(sent(requests, "POST")).toEqual([{ path: "/pause", body: undefined }]);
    show(
      {},
      {
        routes: [
          http.deployments.pause(refuse(403, "organization_permission_denied", "You may not."), {
            params: { id: "dep_1" },
          }),
        ],
      },
    );
    await press("Pause");
    await waitFor(() => expect(screen.queryByRole("button", { name: "Resume" })).toBeNull());
  });

  test("resuming starts the deployment", async () => {
    const { requests } = show(
      { state: "paused" },
      { routes: [http.deployments.resume(buildDeployment({ state: "paused" }), { params: { id: "dep_1" } })] },
    );
    await press("Resume");
    expect(await screen.findAllByText("starting")).toBeTruthy();
    expect(sent(requests, "POST")).toEqual([{ path: "/resume", body: undefined }]);
  });

  test("scaling sends only the changed fields", async () => {
    const { requests } = show(
      {},
      { routes: [http.deployments.update(buildDeployment({ max_replicas: 3 }), { params: { id: "dep_1" } })] },
    );
    await press("Scale");
    const most = await screen.findByLabelText("At most");
    await userEvent.clear(most);
    await userEvent.type(most, "3");
    await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Scale" }));
    await waitFor(() => expect(sent(requests, "PUT")).toEqual([{ path: "", body: { max_replicas: 3 } }]));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  test("scaling shows every failing rule and sends nothing", async () => {
    const { requests } = show();
    await press("Scale");
    const least = await screen.findByLabelText("Replicas, at least");
    await userEvent.clear(least);
    await userEvent.type(least, "5");
    await userEvent.tab();
    await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Scale" }));
    expect(await screen.findByText("At most is not valid: it is below the least number.")).toBeTruthy();
    expect(sent(requests, "PUT")).toEqual([]);
  });

  test("an error of a change is shown at its field, and the input is kept", async () => {
    const message = "engine_args is not valid: made_up is not known here. Known: context, sequences, threads.";
    show(
      {},
      { routes: [http.deployments.update(refuse(400, "invalid_request", message), { params: { id: "dep_1" } })] },
    );
    await press("Edit");
    await userEvent.type(await screen.findByLabelText("Engine arguments (optional)"), "made_up=1");
    await press("Save changes");
    expect(await screen.findByText(message)).toBeTruthy();
    expect(screen.getByLabelText<HTMLTextAreaElement>("Engine arguments (optional)").value).toBe("made_up=1");
  });

  test("deleting asks for the name, then opens the list", async () => {
    const { requests } = show({}, { routes: [http.deployments.delete(undefined, { params: { id: "dep_1" } })] });
    await press("Delete");
    const confirm = await screen.findByRole("button", { name: "Delete support-bot" });
    expect(confirm).toHaveProperty("disabled", true);
    await userEvent.type(screen.getByLabelText("Type support-bot to delete it"), "support-bo{Enter}");
    expect(sent(requests, "DELETE")).toEqual([]);
    await userEvent.type(screen.getByLabelText("Type support-bot to delete it"), "t{Enter}");
    expect(await screen.findByText(`at ${PATH}`)).toBeTruthy();
    expect(sent(requests, "DELETE")).toHaveLength(1);
  });

  test("an error of a deletion is shown, and the dialog stays open", async () => {
    show(
      {},
      {
        routes: [
          http.deployments.delete(refuse(403, "organization_permission_denied", "You may not."), {
            params: { id: "dep_1" },
          }),
        ],
      },
    );
    await press("Delete");
    await userEvent.type(await screen.findByLabelText("Type support-bot to delete it"), "support-bot{Enter}");
    expect(await screen.findByText("You may not.")).toBeTruthy();
  });

  test("a new token is confirmed, and shown once", async () => {
    const { requests } = show(
      {},
      { routes: [http.deployments.rotateToken({ token: "dpt_new" }, { params: { id: "dep_1" } })] },
    );
    await press("Replace token");
    expect(sent(requests, "POST")).toEqual([]);
    await press("Replace the token");
    expect(await screen.findByText("dpt_new")).toBeTruthy();
    await press("I have copied it");
    await waitFor(() => expect(screen.queryByText("dpt_new")).toBeNull());
  });

  test("a one-time link is created and shown", async () => {
    const url = `https://feather.example${PATH}/dep_1?login=one_x`;
    show(
      {},
      {
        routes: [
          http.deployments.login(
            { url, token: "one_x", expires_at: "2026-11-19T14:16:00Z" },
            { params: { id: "dep_1" } },
          ),
        ],
      },
    );
    await press("One-time link");
    expect(await screen.findByText(url)).toBeTruthy();
  });
});
