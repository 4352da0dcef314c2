import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SearchField } from "./search-field.tsx";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function show(value = "") {
  const onSearch = vi.fn<(text: string, settled: boolean) => void>();
  const field = (now: string) => <SearchField label="Search" value={now} onSearch={onSearch} />;
  const { rerender } = render(field(value));
  const input = screen.getByRole<HTMLInputElement>("searchbox");
  return {
    input,
    onSearch,
    type: (text: string) => fireEvent.change(input, { target: { value: text } }),
    arrive: (now: string) => rerender(field(now)),
  };
}

test("searches once, shortly after the last key", () => {
  const { type, onSearch } = show();
  for (const text of ["q", "qw", " qwen "]) type(text);
  expect(onSearch).not.toHaveBeenCalled();
  act(() => void vi.advanceTimersByTime(300));
  expect(onSearch.mock.calls).toEqual([["qwen", false]]);
});

test("searches at once on Enter, and not again", () => {
  const { type, onSearch, input } = show();
  type("qwen");
  fireEvent.submit(input);
  act(() => void vi.advanceTimersByTime(300));
  expect(onSearch.mock.calls).toEqual([["qwen", true]]);
});

test("a late result of an earlier search does not overwrite newer input", () => {
  const { type, arrive, input } = show();
  type("qwen");
  act(() => void vi.advanceTimersByTime(300));
  type("qwen coder");
  arrive("qwen");
  expect(input.value).toBe("qwen coder");
});

test("a search field shows the search from the URL after going back", () => {
  const { arrive, input } = show("qwen");
  arrive("");
  expect(input.value).toBe("");
});
