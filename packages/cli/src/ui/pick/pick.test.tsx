import { waitFor } from "@feather/testing/wait-for";
import { cleanup, render } from "ink-testing-library";
import { createElement } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { Pick, type PickChoice } from "./pick.tsx";
import { filterChoices, INITIAL_STATE, pickReducer, visibleRange } from "./pick-state.ts";

afterEach(() => cleanup());

const choices = ["Qwen/Qwen3-32B", "Qwen/Qwen3-8B", "openai/gpt-oss-20b"].map((label) => ({ label, note: "warm" }));

function start() {
  const onChoice = vi.fn<(choice: PickChoice) => void>();
  const app = render(
    createElement(Pick<PickChoice>, { label: "Model", choices, unicode: true, color: false, onChoice }),
  );
  const sees = (text: string) => waitFor(() => expect(app.lastFrame()).toContain(text));
  return { ...app, onChoice, sees };
}

test("chooses by typing part of a label and by arrow keys", async () => {
  const { stdin, sees, onChoice, lastFrame } = start();
  await sees("Model:\n› Qwen/Qwen3-32B  warm\n  Qwen/Qwen3-8B  warm");
  stdin.write("qwen");
  await sees("Model: qwen");
  expect(lastFrame()).not.toContain("gpt-oss");
  stdin.write("\u001b[B");
  await sees("› Qwen/Qwen3-8B");
  stdin.write("\r");
  await waitFor(() => expect(onChoice).toHaveBeenCalledWith(choices[1]));
});

test("chooses by what was typed ahead, with corrections and Enter", async () => {
  const { stdin, sees, onChoice } = start();
  await sees("Model:");
  stdin.write("8x\u007fb\r");
  await waitFor(() => expect(onChoice).toHaveBeenCalledWith(choices[1]));
});

test("Ctrl-C chooses nothing", async () => {
  const { stdin, sees, onChoice, lastFrame } = start();
  await sees("Model:");
  stdin.write("\u0003");
  await waitFor(() => expect(lastFrame()).not.toContain("›"));
  expect(onChoice).not.toHaveBeenCalled();
});

test("filters by every word, wraps the selection around, and scrolls long lists", () => {
  expect(filterChoices(choices, "qwen 8b").map(({ label }) => label)).toEqual(["Qwen/Qwen3-8B"]);
  expect(pickReducer(INITIAL_STATE, { type: "moved", by: -1 }, 3).selected).toBe(2);
  expect(pickReducer({ query: "a", selected: 2 }, { type: "typed", text: "b" }, 3)).toEqual({
    query: "ab",
    selected: 0,
  });
  expect(visibleRange(15, 30, 10)).toEqual([10, 20]);
  expect(visibleRange(29, 30, 10)).toEqual([20, 30]);
  expect(visibleRange(1, 3, 10)).toEqual([0, 3]);
});
