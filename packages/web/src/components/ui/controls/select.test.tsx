import { cleanup, render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useState } from "react";
import { renderToString } from "react-dom/server";
import { afterEach, expect, test, vi } from "vitest";
import { chooseOption } from "#/testing/select.ts";
import { Select } from "./select.tsx";
import type { SelectProps } from "./select-props.ts";

afterEach(cleanup);

const OPTIONS = [
  { value: "", label: "Any" },
  { value: "warm", label: "Warm" },
  { value: "cold", label: "Cold" },
];

function Example(props: Partial<SelectProps>) {
  const [value, setValue] = useState("");
  return (
    <form>
      <label htmlFor="state">State</label>
      <Select id="state" name="state" options={OPTIONS} value={value} onChange={setValue} {...props} />
    </form>
  );
}
const select = () => screen.getByRole("combobox", { name: "State" });
const formValue = () => new FormData(select().closest("form") ?? undefined).get("state");

test("a select shows the choice, and gives it to the form", async () => {
  render(<Example />);
  expect(select().textContent).toBe("Any");
  expect(formValue()).toBe("");
  await chooseOption(select(), "Cold");
  expect(select().textContent).toBe("Cold");
  expect(formValue()).toBe("cold");
});

test("a select is chosen from by keyboard alone", async () => {
  render(<Example />);
  await userEvent.tab();
  expect(document.activeElement).toBe(select());
  await userEvent.keyboard("{ArrowDown}");
  await screen.findByRole("listbox");
  await userEvent.keyboard("{ArrowDown}{Enter}");
  await waitFor(() => expect(select().textContent).toBe("Warm"));
  await waitFor(() => expect(document.activeElement).toBe(select()));
});

test("a select keeps the choice when the list is closed with Escape", async () => {
  const change = vi.fn();
  render(<Example onChange={change} />);
  await userEvent.click(select());
  await screen.findByRole("listbox");
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("listbox")).toBeNull());
  expect(change).not.toHaveBeenCalled();
});

test("a select does not open while it is disabled", async () => {
  render(<Example disabled />);
  expect(select()).toHaveProperty("disabled", true);
  await userEvent.click(select());
  expect(screen.queryByRole("listbox")).toBeNull();
});

test("a select says that its value is invalid, and why", () => {
  render(<Example aria-invalid aria-describedby="why" />);
  expect([select().getAttribute("aria-invalid"), select().getAttribute("aria-describedby")]).toEqual(["true", "why"]);
});

test("prerendered HTML shows the choice without inline styles, which the page's policy refuses", () => {
  const html = renderToString(<Example />);
  expect(html).toContain("Any");
  expect(html).not.toContain("style=");
});
