import { expect, test } from "vitest";
import type { Toast } from "#/lib/toast.ts";
import { toastReducer } from "./toast-state.ts";

const toast = (id: string): Toast => ({ id, title: id, open: true, duration: 3000, variant: "default" });

test("the newest toast replaces the previous one", () => {
  const first = toastReducer([], { type: "add", toast: toast("a") });
  expect(toastReducer(first, { type: "add", toast: toast("b") })).toEqual([toast("b")]);
});

test("an update changes only the given fields", () => {
  expect(toastReducer([toast("a")], { type: "update", toast: { id: "a", title: "new" } })).toEqual([
    { ...toast("a"), title: "new" },
  ]);
  expect(toastReducer([toast("a")], { type: "update", toast: { id: "x", title: "new" } })).toEqual([toast("a")]);
});

test("dismiss closes and remove deletes one toast, or all without an id", () => {
  expect(toastReducer([toast("a")], { type: "dismiss", id: "a" })[0]?.open).toBe(false);
  expect(toastReducer([toast("a")], { type: "dismiss" })[0]?.open).toBe(false);
  expect(toastReducer([toast("a")], { type: "dismiss", id: "x" })[0]?.open).toBe(true);
  expect(toastReducer([toast("a")], { type: "remove", id: "a" })).toEqual([]);
  expect(toastReducer([toast("a")], { type: "remove" })).toEqual([]);
});
