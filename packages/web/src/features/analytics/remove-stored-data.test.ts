import { expect, test } from "vitest";
import { removeStoredData } from "./remove-stored-data.ts";

const denied = () => {
  throw new DOMException("denied", "SecurityError");
};

test("removes the library's keys and cookies and nothing else", () => {
  localStorage.clear();
  for (const key of ["ph_x_posthog", "__ph_opt_in_out_x", "theme", "referralCode", "graph_x"])
    localStorage.setItem(key, "1");
  const forgotten: string[] = [];
  removeStoredData(
    [() => localStorage],
    () => "session=1; ph_x_posthog=2; a=ph_",
    (name) => forgotten.push(name),
  );
  expect(Object.keys(localStorage).sort()).toEqual(["graph_x", "referralCode", "theme"]);
  expect(forgotten).toEqual(["ph_x_posthog"]);
});

test("ignores storages and cookies that are denied", () => {
  expect(() => removeStoredData([denied], denied, denied)).not.toThrow();
});
