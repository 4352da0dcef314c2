import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { DateRange } from "./date-range.tsx";
import type { DayRange } from "./days.ts";

afterEach(cleanup);

const TODAY = "2026-11-21";

function Example({ initial, onChange }: { initial: DayRange; onChange(range: DayRange): void }) {
  const [value, setValue] = useState(initial);
  return (
    <>
      <span id="label">Period</span>
      <DateRange
        aria-labelledby="label"
        value={value}
        today={TODAY}
        max={TODAY}
        onChange={(range) => {
          setValue(range);
          onChange(range);
        }}
      />
    </>
  );
}

const trigger = () => screen.getByRole("button", { name: /^Period/ });
async function open(initial: DayRange = { from: "", to: "" }) {
  const onChange = vi.fn<(range: DayRange) => void>();
  render(<Example initial={initial} onChange={onChange} />);
  await userEvent.click(trigger());
  return { onChange, dialog: within(await screen.findByRole("dialog", { name: "Period" })) };
}

test.each([
  [{ from: "", to: "" }, "Any time"],
  [{ from: "2026-11-01", to: "" }, "from 1 Nov 2026"],
  [{ from: "", to: "2026-11-21" }, "until 21 Nov 2026"],
])("a date range says what is chosen: %j", (value, text) => {
  render(<Example initial={value} onChange={() => {}} />);
  expect(trigger().textContent).toBe(text);
});

test("a date range takes the days in their own order, not in that of the choice", async () => {
  const { onChange, dialog } = await open();
  await userEvent.click(dialog.getByRole("button", { name: /^Friday,? 20 November 2026$/ }));
  expect(dialog.getByText("Now choose the last day.")).toBeTruthy();
  expect(onChange).not.toHaveBeenCalled();
  await userEvent.click(dialog.getByRole("button", { name: /^Monday,? 2 November 2026$/ }));
  expect(onChange.mock.calls).toEqual([[{ from: "2026-11-02", to: "2026-11-20" }]]);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("a date range takes a period that ends today from its presets, and any time", async () => {
  const { onChange, dialog } = await open();
  await userEvent.click(dialog.getByRole("button", { name: "Last 7 days" }));
  expect(onChange).toHaveBeenLastCalledWith({ from: "2026-11-15", to: TODAY });
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await userEvent.click(trigger());
  await userEvent.click(await screen.findByRole("button", { name: "Any time" }));
  expect(onChange).toHaveBeenLastCalledWith({ from: "", to: "" });
});

test("a date range takes typed days, and none that does not exist", async () => {
  const { onChange, dialog } = await open({ from: "", to: TODAY });
  await userEvent.type(dialog.getByLabelText("From"), "2026-02-30{Enter}");
  expect(dialog.getByLabelText("From").getAttribute("aria-invalid")).toBe("true");
  expect(onChange).not.toHaveBeenCalled();
  await userEvent.clear(dialog.getByLabelText("From"));
  await userEvent.type(dialog.getByLabelText("From"), "2026-02-28{Enter}");
  expect(onChange).toHaveBeenLastCalledWith({ from: "2026-02-28", to: TODAY });
});

test("a date range is chosen from by keyboard alone, over the ends of months, and not beyond the last day", async () => {
  const { onChange, dialog } = await open();
  const focused = () => document.activeElement?.getAttribute("aria-label");
  dialog.getByRole("button", { name: /^Saturday,? 21 November 2026$/ }).focus();
  await userEvent.keyboard("{ArrowRight}");
  expect(focused()).toMatch(/^Saturday,? 21 November 2026$/);
  await userEvent.keyboard("{PageUp}");
  expect(focused()).toMatch(/^Wednesday,? 21 October 2026$/);
  await userEvent.keyboard("{Home}{ArrowUp}{Enter}");
  await userEvent.keyboard("{End}{ArrowLeft}{Enter}");
  expect(onChange.mock.calls).toEqual([[{ from: "2026-10-12", to: "2026-10-17" }]]);
});

test("days after the last one cannot be chosen", async () => {
  const { dialog } = await open();
  expect(dialog.getByRole("button", { name: /^Sunday,? 22 November 2026$/ })).toHaveProperty("disabled", true);
  expect(dialog.getByRole("button", { name: "Month after" })).toHaveProperty("disabled", true);
});

test("an abandoned choice leaves the period as it was", async () => {
  const { onChange, dialog } = await open({ from: "2026-11-01", to: "2026-11-05" });
  await userEvent.click(dialog.getByRole("button", { name: /^Tuesday,? 3 November 2026$/ }));
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(onChange).not.toHaveBeenCalled();
  expect(trigger().textContent).toMatch(/^1\s?–\s?5 Nov 2026$/);
});
