import { cleanup, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { type ComponentProps, useState } from "react";
import { afterEach, expect, test } from "vitest";
import { i18n } from "#/i18n/runtime.ts";
import { Slider } from "./slider.tsx";

afterEach(() => {
  cleanup();
  i18n.activate("en");
});

function Example(props: Partial<ComponentProps<typeof Slider>>) {
  const [value, setValue] = useState(0.7);
  return (
    <form>
      <span id="label">Temperature</span>
      <Slider
        aria-labelledby="label"
        name="temperature"
        min={0}
        max={2}
        step={0.1}
        value={value}
        onChange={setValue}
        {...props}
      />
    </form>
  );
}
const slider = () => screen.getByRole("slider", { name: "Temperature" });

test("changes by a step with the arrow keys, up to its ends", async () => {
  render(<Example />);
  await userEvent.tab();
  expect(document.activeElement).toBe(slider());
  await userEvent.keyboard("{ArrowRight}");
  expect(slider()).toHaveProperty("value", "0.8");
  await userEvent.keyboard("{End}{ArrowRight}");
  expect(slider()).toHaveProperty("value", "2");
  await userEvent.keyboard("{Home}");
  expect(slider()).toHaveProperty("value", "0");
});

test("a slider gives its value to the form", () => {
  render(<Example />);
  expect(new FormData(slider().closest("form") ?? undefined).get("temperature")).toBe("0.7");
});

test("a slider cannot be changed while it is disabled", async () => {
  render(<Example disabled />);
  await userEvent.tab();
  expect(slider()).toHaveProperty("disabled", true);
});

test("a slider says its value in words, and may be drawn as something else", () => {
  render(
    <Example valueText="7 of 20">
      <span>a drawing</span>
    </Example>,
  );
  expect(slider().getAttribute("aria-valuetext")).toBe("7 of 20");
  expect(screen.getByText("a drawing")).toBeTruthy();
});

test("a slider grows to the left where text runs from right to left", async () => {
  i18n.loadAndActivate({ locale: "ar", messages: {} });
  render(<Example />);
  await userEvent.tab();
  await userEvent.keyboard("{ArrowLeft}");
  expect(slider()).toHaveProperty("value", "0.8");
});
