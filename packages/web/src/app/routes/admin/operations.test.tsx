import { http, refuse } from "@feather/sdk/msw";
import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { adminHandlers, operations } from "#/testing/admin.ts";
import { renderPage } from "#/testing/page.tsx";
import AdminOperationsPage from "./operations.tsx";

afterEach(cleanup);

const show = (handler: ReturnType<typeof http.admin.operations>) =>
  renderPage(<AdminOperationsPage />, "/x", "/x", [handler, ...adminHandlers]);
const section = async (name: string) => within(await screen.findByRole("region", { name }));

test("the page of operations shows the latest figures", async () => {
  show(http.admin.operations(operations));
  expect(await screen.findByText("0 failed, 0.2 refused")).toBeTruthy();
  // Figures also stand in the tables of the charts.
  expect(screen.getAllByText("73").length).toBeGreaterThan(0);
  expect(screen.getAllByText("180 ms").length).toBeGreaterThan(0);
  expect(screen.getByText("95 % within 900 ms")).toBeTruthy();
  expect(screen.getByText("plans have 64")).toBeTruthy();
  expect(screen.getByText("of 11 calls")).toBeTruthy();
  expect(screen.getByText(/^12\s?% busy, 262 MB$/)).toBeTruthy();
});

test("the page of operations shows a chart of each kind of load", async () => {
  show(http.admin.operations(operations));
  for (const name of ["Requests per second", "Time to the first token", "Units and calls", "Database queries"])
    expect(await section(name)).toBeTruthy();
});

test("the page of operations shows what is not used, late or failing", async () => {
  show(http.admin.operations(operations));
  const backends = await section("Backends");
  expect(backends.getByText("not used")).toBeTruthy();
  const jobs = await section("Background jobs");
  expect(jobs.getAllByRole("row")[1]?.textContent).toContain("send messages");
  expect(jobs.getByText("fails, late by 10 min")).toBeTruthy();
  expect((await section("Errors since the start")).getByText("rate_limit_exceeded")).toBeTruthy();
  expect((await section("Models on this machine")).getByText("6.4 GB of 19.3 GB")).toBeTruthy();
});

test("names the processes on one database, and shows none for a server that works alone", async () => {
  show(http.admin.operations(operations));
  await section("Backends");
  expect(screen.queryByRole("region", { name: "Server processes" })).toBe(null);
  cleanup();
  const replicas = [
    { id: "rep_a", address: null, is_self: true, is_leader: false },
    { id: "rep_b", address: "http://10.0.0.5:4001", is_self: false, is_leader: true },
  ];
  show(http.admin.operations({ ...operations, replicas }));
  const [, first, second] = (await section("Server processes")).getAllByRole("row");
  expect(first?.textContent).toBe("rep_athis one");
  expect(second?.textContent).toBe("rep_bhttp://10.0.0.5:4001leader");
});

test("the page of operations shows dashes before the first ten seconds have passed", async () => {
  show(http.admin.operations({ ...operations, points: [] }));
  await section("Backends");
  expect(screen.getAllByText("–")).toHaveLength(5);
});

test("the page of operations says that the state cannot be read, and offers to try again", async () => {
  show(http.admin.operations(refuse(500, "internal_error", "Something broke.")));
  expect(await screen.findByRole("button", { name: /again/i })).toBeTruthy();
});
