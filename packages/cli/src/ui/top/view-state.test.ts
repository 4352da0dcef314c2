import { expect, test } from "vitest";
import { INITIAL_VIEW, matchesFilter, nextPane, selectedIndex, type ViewAction, viewReducer } from "./view-state.ts";

const after = (...actions: readonly ViewAction[]) => actions.reduce(viewReducer, INITIAL_VIEW);
const ids = ["a", "b", "c"];

test("feather top moves the selection within the rows", () => {
  const moved = (...steps: readonly number[]) =>
    after(...steps.map((by) => ({ type: "moved", by, ids }) as const)).selected.requests;
  expect(moved(1)).toBe("b");
  expect(moved(1, 1, 1)).toBe("c");
  expect(moved(-1)).toBe("a");
  expect(moved(Number.POSITIVE_INFINITY)).toBe("c");
  expect(moved(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY)).toBe("a");
});

test("feather top selects nothing where there are no rows", () => {
  expect(after({ type: "moved", by: 1, ids: [] }).selected).toEqual({});
});

test("feather top keeps the selection on its row when rows come before it, and selects the first when it is gone", () => {
  const view = after({ type: "moved", by: 1, ids });
  expect(selectedIndex(view, ["new", ...ids])).toBe(2);
  expect(selectedIndex(view, ["a", "c"])).toBe(0);
});

test("feather top remembers the selection of each pane", () => {
  const view = after(
    { type: "moved", by: 1, ids },
    { type: "switched", pane: "models" },
    { type: "moved", by: 2, ids },
    { type: "switched", pane: "requests" },
  );
  expect(view.selected).toEqual({ requests: "b", models: "c" });
});

test("a question is about the row it was asked for, until it is answered", () => {
  const confirming = after({ type: "confirming", id: "b" });
  expect(confirming).toMatchObject({ mode: "confirm", subject: "b" });
  expect(viewReducer(confirming, { type: "closed" })).toMatchObject({ mode: "list", subject: null });
  const notice = { text: "b is paused", isError: false };
  expect(viewReducer(confirming, { type: "noticed", notice })).toMatchObject({ mode: "list", subject: null, notice });
});

test("a message leaves details open", () => {
  const notice = { text: "b is paused", isError: false };
  const view = after({ type: "opened", id: "b" }, { type: "noticed", notice });
  expect(view).toMatchObject({ mode: "details", subject: "b", notice });
});

test("a filter is typed, erased by whole characters, limited and cleared", () => {
  const typed = after({ type: "filtering" }, { type: "typed", text: "a😀" });
  expect(typed).toMatchObject({ mode: "filter", filter: "a😀" });
  expect(viewReducer(typed, { type: "erased" }).filter).toBe("a");
  expect(viewReducer(typed, { type: "cleared" })).toMatchObject({ mode: "list", filter: "" });
  expect(viewReducer(typed, { type: "typed", text: "x".repeat(500) }).filter).toHaveLength(100);
});

test("the panes of feather top follow one another in both directions, from the last to the first as well", () => {
  const panes = ["requests", "models", "errors"] as const;
  expect(nextPane("errors", panes, 1)).toBe("requests");
  expect(nextPane("requests", panes, -1)).toBe("errors");
});

test("a filter matches rows that have all of its words", () => {
  expect(matchesFilter("Qwen/Qwen3-32B running", "QWEN run")).toBe(true);
  expect(matchesFilter("Qwen/Qwen3-32B running", "qwen cold")).toBe(false);
  expect(matchesFilter("anything", " ")).toBe(true);
});
