import type { ModelHost } from "@feather/sdk";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { createStyle } from "../../output/style.ts";
import {
  buildModelHost,
  buildReceipt,
  buildTopDeployment,
  buildTopModel,
  buildUsage,
  NOW,
} from "../../testing/top-fixtures.ts";
import { createTopData, type TopData, topDataReducer } from "./data-state.ts";
import { createErrorsPane, createRequestsPane, tokensPerSecond } from "./request-panes.ts";
import { createDeploymentsPane, createModelsPane } from "./resource-panes.ts";
import { formatScreen } from "./screen.ts";
import { INITIAL_VIEW, type ViewState } from "./view-state.ts";

const SIZES = [
  [40, 12],
  [80, 24],
  [160, 50],
] as const;
const source = {
  stopRequest: async () => {},
  unloadModel: async () => {},
  pauseDeployment: async () => {},
  cancelDownload: async () => {},
};
const OPTIONS = { now: NOW, unicode: true, siteUrl: "http://localhost:4000", source };

const failed = buildReceipt({ id: "req_failed", outcome: "failed", status: 502 });
const recent = { receipts: [buildReceipt(), failed], refused: 3 };
const loaded: TopData = topDataReducer(
  topDataReducer(createTopData(buildUsage({ req_running: 2 })), {
    type: "loaded",
    name: "recent",
    value: recent,
    at: NOW,
  }),
  { type: "loaded", name: "deployments", value: [buildTopDeployment()], at: NOW },
);

/** Returns the lines of the screen without colour. */
function draw(data: TopData, view: Partial<ViewState> = {}, [columns, rows]: readonly [number, number] = [80, 24]) {
  const panes = [
    createRequestsPane(data, OPTIONS),
    createDeploymentsPane(data, OPTIONS),
    createErrorsPane(data, OPTIONS),
    ...(data.collections.models.value === null ? [] : [createModelsPane(data, OPTIONS)]),
  ];
  return formatScreen({
    data,
    view: { ...INITIAL_VIEW, ...view },
    panes,
    host: "localhost:4000",
    now: NOW,
    columns,
    rows,
    style: createStyle(false, true),
    measure: stringWidth,
  });
}

describe.each(SIZES)("at %i × %i", (columns, rows) => {
  test.each<Partial<ViewState>>([
    {},
    { pane: "deployments" },
    { pane: "errors" },
    { pane: "deployments", mode: "details", subject: "dep_1" },
    { mode: "filter", filter: "demo" },
  ])("the screen of feather top fills all rows but the last, and the keys are in the last line (%o)", (view) => {
    const lines = draw(loaded, view, [columns, rows]);
    expect(lines).toHaveLength(rows - 1);
    expect(lines.at(-1)).not.toBe("");
  });

  test("no line of the list is wider than the screen", () => {
    for (const line of draw(loaded, {}, [columns, rows])) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
  });
});

test("feather top shows units, running requests, and those that ended with their tokens per second", () => {
  const text = draw(loaded, {}, [110, 24]).join("\n");
  expect(text).toContain(
    "localhost:4000  2 of 4 units in use\n1 ▰▰▰▰▰▰▰▰  Qwen/Qwen3-32B  4 s  62/s\n2 ▰▰▰▰▰▰▰▰  Qwen/Qwen3-32B\n3",
  );
  expect(text).toContain("[1 Requests 1]  2 Deployments 1  3 Errors 1");
  expect(text).toMatch(/› Qwen\/Qwen3-32B +running +2 +4 s +62\/s/);
  expect(text).toMatch(/feather\/demo +completed +1 +2 s +62\/s +2 minutes ago +req_done/);
});

/** The data with a model that is in memory and one that is not; for an admin with the model host. */
function withModels(host: ModelHost | null): TopData {
  const models = [buildTopModel("acme/cold-8b"), buildTopModel("Qwen/Qwen3-32B")];
  const value = { items: models, total: 139 };
  const data = topDataReducer(loaded, { type: "loaded", name: "models", value, at: NOW });
  return host === null ? data : topDataReducer(data, { type: "loaded", name: "modelHost", value: host, at: NOW });
}

test("feather top shows admins the memory of models, those with the most first, and what it is of", () => {
  const text = draw(withModels(buildModelHost()), { pane: "models" }).join("\n");
  expect(text).toMatch(/MODEL +STATE +MEMORY/);
  expect(text).toMatch(/› Qwen\/Qwen3-32B +warm +6\.0 GB/);
  expect(text.indexOf("Qwen/Qwen3-32B  warm")).toBeLessThan(text.indexOf("acme/cold-8b"));
  expect(text).toContain("Models take 6.0 GB of 18.0 GB of memory.");
  expect(text).toContain("x unload");
});

test("feather top says that a model waits for memory", () => {
  const host = buildModelHost({ state: "waiting", memory_bytes: 0 });
  expect(draw(withModels(host), { pane: "models" }).join("\n")).toMatch(/Qwen\/Qwen3-32B +waits for memory/);
});

test("feather top does not take the private model of an organization for the public one of the same id", () => {
  const host = buildModelHost({ organization_id: "org_1" });
  const text = draw(withModels(host), { pane: "models" }).join("\n");
  expect(text).not.toContain("x unload");
  expect(text).toContain("Models take 6.0 GB of 18.0 GB of memory.");
});

test("feather top shows users who are no admins no memory, and no key to unload", () => {
  const text = draw(withModels(null), { pane: "models" }).join("\n");
  expect(text).toContain("Qwen/Qwen3-32B");
  expect(text).not.toMatch(/MEMORY|unload/);
});

test("feather top offers to stop requests of the person only", () => {
  expect(draw(loaded).at(-1)).toContain("x stop");
  const [request] = loaded.usage.requests;
  const foreign = { ...loaded.usage, requests: request === undefined ? [] : [{ ...request, is_own: false }] };
  expect(draw({ ...loaded, usage: foreign }).at(-1)).not.toContain("x stop");
});

test("feather top shows the name of the chosen pane and the numbers of the others on a narrow screen", () => {
  expect(draw(loaded, { pane: "errors" }, [24, 12])).toContain("1  2  [3 Errors 1]");
});

test("lists failed requests, and how many were refused", () => {
  const text = draw(loaded, { pane: "errors" }).join("\n");
  expect(text).toMatch(/› feather\/demo .*req_failed/);
  expect(text).not.toContain("req_done");
  expect(text).toContain("3 calls were refused in the last hour");
});

test("feather top shows only rows that match the filter, and says when there are none", () => {
  const text = draw(loaded, { filter: "completed" }).join("\n");
  expect(text).toContain("req_done");
  expect(text).not.toContain("req_running");
  expect(draw(loaded, { filter: "nothing" }).join("\n")).toContain("Nothing here matches nothing.");
});

test("feather top asks about the row that the question was asked for, although another is selected", () => {
  const two = topDataReducer(loaded, {
    type: "loaded",
    name: "deployments",
    value: [buildTopDeployment({ id: "dep_2", name: "new-bot" }), buildTopDeployment()],
    at: NOW,
  });
  const view = { pane: "deployments", mode: "confirm", subject: "dep_1" } as const;
  expect(draw(two, view).at(-1)).toBe("Pause support-bot? Its replicas are stopped, its settings stay. (y/N)");
});

test("feather top shows all of a question on a narrow screen, and how to answer it", () => {
  const view = { pane: "deployments", mode: "confirm", subject: "dep_1" } as const;
  const lines = draw(loaded, view, [40, 15]);
  expect(lines).toHaveLength(14);
  expect(lines.slice(-2)).toEqual(["Pause support-bot? Its replicas are", "stopped, its settings stay. (y/N)"]);
});

test("feather top says that the item whose details are shown is gone", () => {
  expect(draw(loaded, { mode: "details", subject: "req_gone" }).join("\n")).toContain("This is no longer there.");
});

test("feather top keeps the rows of a collection that cannot be loaded, and says why in its pane only", () => {
  const data = topDataReducer(loaded, { type: "failed", name: "deployments", error: "the server is busy" });
  const text = draw(data, { pane: "deployments" }).join("\n");
  expect(text).toContain("support-bot");
  expect(text).toContain("These could not be loaded: the server is busy");
  expect(draw(data).join("\n")).not.toContain("the server is busy");
});

test("feather top says for how long there was no connection, until there is one again", () => {
  const at = new Date(NOW.getTime() - 12_000);
  const cut = topDataReducer(topDataReducer(loaded, { type: "disconnected", at }), { type: "disconnected", at: NOW });
  expect(draw(cut)[0]).toContain("no connection for 12 s; trying again");
  expect(draw(topDataReducer(cut, { type: "usage", usage: buildUsage() }))[0]).not.toContain("no connection");
});

test("feather top says that a pane is loading before its first load", () => {
  expect(draw(createTopData(buildUsage()), { pane: "deployments" }).join("\n")).toContain("Loading");
});

test("feather top never writes control characters of names to the terminal", () => {
  const data = topDataReducer(loaded, {
    type: "loaded",
    name: "deployments",
    value: [buildTopDeployment({ name: "bad\u001b[2Jname" })],
    at: NOW,
  });
  for (const mode of ["list", "details", "confirm"] as const)
    expect(draw(data, { pane: "deployments", mode, subject: "dep_1" }).join("")).not.toContain("\u001b");
});

test.each([
  ["a streamed answer", {}, 62],
  ["an answer that was sent at once", { streamed: false }, null],
  ["an answer without a first token", { first_byte_ms: null }, null],
  ["an answer that took no time to measure", { duration_ms: 250 }, null],
  ["a single token", { completion_tokens: 1 }, null],
])("feather top measures tokens per second of %s", (_, overrides, expected) => {
  expect(tokensPerSecond(buildReceipt(overrides))).toBe(expected);
});
