import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { BulkButton } from "./bulk-button.tsx";

afterEach(cleanup);

function show(count: number): HTMLButtonElement {
  const ids = Array.from({ length: count }, (_, index) => `id${index}`);
  const bulkAction = { run: vi.fn(), busy: false, results: null, clearResults: vi.fn() };
  render(<BulkButton label="Delete" ids={ids} bulkAction={bulkAction} />);
  return screen.getByRole<HTMLButtonElement>("button", { name: `Delete ${count}` });
}

test("a bulk action runs for up to 100 rows", () => {
  expect(show(100).disabled).toBe(false);
  expect(screen.queryByText(/at most/)).toBeNull();
});

test("a bulk action for more rows is refused with the most that it takes", () => {
  expect(show(101).disabled).toBe(true);
  expect(screen.getByText("Delete: at most 100 at once")).toBeTruthy();
});
