import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useToast } from "#/lib/toast.ts";
import { ToastProvider } from "./toast.tsx";

type Show = ReturnType<typeof useToast>;

function Grab({ take }: { take(show: Show): void }) {
  take(useToast());
  return null;
}

function setUp(): Show {
  let show: Show | undefined;
  const take = (given: Show) => {
    show = given;
  };
  render(
    <ToastProvider>
      <Grab take={take} />
    </ToastProvider>,
  );
  if (!show) throw new Error("There is no toast.");
  const given = show;
  return (toast) => {
    let handle: ReturnType<Show> | undefined;
    act(() => {
      handle = given(toast);
    });
    if (!handle) throw new Error("It was not shown.");
    return handle;
  };
}
const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test("a toast closes after 3000 ms, however often the page renders in between", () => {
  const show = setUp();
  const { update } = show({ title: "Saved" });
  wait(2999);
  act(() => update({ description: "twice" }));
  expect(screen.getByText("Saved")).toBeTruthy();
  wait(1);
  expect(screen.queryByText("Saved")).toBeNull();
});

test("only the newest toast is shown", () => {
  const show = setUp();
  show({ title: "One" });
  show({ title: "Two" });
  expect(screen.queryByText("One")).toBeNull();
  expect(screen.getByText("Two")).toBeTruthy();
});

test("a toast uses a custom duration, and can be dismissed", () => {
  const show = setUp();
  const { dismiss } = show({ title: "Deleted", duration: 8000 });
  wait(7999);
  expect(screen.getByText("Deleted")).toBeTruthy();
  act(() => dismiss());
  expect(screen.queryByText("Deleted")).toBeNull();
  show({ title: "Again" });
  fireEvent.click(screen.getByRole("button", { name: "Dismiss" }));
  expect(screen.queryByText("Again")).toBeNull();
});

test("a toast stays open while it is hovered", () => {
  const show = setUp();
  show({ title: "Saved" });
  const toast = screen.getByText("Saved").closest(".toast");
  if (!toast) throw new Error("There is no toast.");
  fireEvent.pointerEnter(toast);
  wait(60_000);
  expect(screen.getByText("Saved")).toBeTruthy();
  fireEvent.pointerLeave(toast);
  wait(3000);
  expect(screen.queryByText("Saved")).toBeNull();
});

test("runs its action once and closes", () => {
  const show = setUp();
  const run = vi.fn();
  show({ title: "Deleted", action: { label: "Undo", run } });
  fireEvent.click(screen.getByRole("button", { name: "Undo" }));
  expect(run).toHaveBeenCalledTimes(1);
  expect(screen.queryByText("Deleted")).toBeNull();
});

test.each([
  ["default", "status"],
  ["success", "status"],
  ["destructive", "alert"],
] as const)("a %s toast is announced as %s", (variant, role) => {
  const show = setUp();
  show({ title: "Words", variant });
  expect(screen.getByRole(role).textContent).toContain("Words");
});
