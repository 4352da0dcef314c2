import { waitFor } from "@feather/testing/wait-for";
import { cleanup, render } from "ink-testing-library";
import { createElement } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { Pick, type PickChoice } from "./pick.tsx";
import { filterChoices, INITIAL_STATE, pickReducer, visibleRange } from "./pick-state.ts";

afterEach(() => cleanup());

const CHOICES = ["Qwen/Qwen3-32B", "Qwen/Qwen3-8B", "openai/gpt-oss-20b"].map((label) => ({ label, note: "warm" }));

function start(choices: readonly PickChoice[] = CHOICES) {
  const onChoice = vi.fn<(choice: PickChoice) => void>();
  const app = render(
    createElement(Pick<PickChoice>, { label: "Model", choices, unicode: true, color: false, onChoice }),
  );
  const sees = (text: string) => waitFor(() => expect(app.lastFrame()).toContain(text));
  return { ...app, onChoice, sees };
}

test("a picker chooses by typing part of a label and by arrow keys", async () => {
  const { stdin, sees, onChoice, lastFrame } = start();
  await sees("Model:\n› Qwen/Qwen3-32B      warm\n  Qwen/Qwen3-8B       warm");
  stdin.write("qwen");
  await sees("Model: qwen");
  expect(lastFrame()).not.toContain("gpt-oss");
  stdin.write("\u001b[B");
  await sees("› Qwen/Qwen3-8B");
  stdin.write("\r");
  await waitFor(() => expect(onChoice).toHaveBeenCalledWith(CHOICES[1]));
});

test("a picker chooses by what was typed before it was drawn, with corrections and Enter", async () => {
  const { stdin, sees, onChoice } = start();
  await sees("Model:");
  stdin.write("8x\u007fb\r");
  await waitFor(() => expect(onChoice).toHaveBeenCalledWith(CHOICES[1]));
});

test("a picker shows groups with their names, filters by group and note, and says how many more there are", async () => {
  const grouped = Array.from({ length: 30 }, (_, index) => ({
    label: `acme/model-${index}`,
    note: index === 20 ? "8B, vision" : "4B, chat",
    group: index < 2 ? "Here" : "Others",
  }));
  const { stdin, sees, lastFrame } = start(grouped);
  await sees("Here\n› acme/model-0  4B, chat\n  acme/model-1  4B, chat\nOthers\n  acme/model-2");
  await sees("20 more: type a part of what you look for");
  stdin.write("vision");
  await sees("Others\n› acme/model-20  8B, vision");
  expect(lastFrame()).not.toContain("Here");
  expect(lastFrame()).not.toContain("more:");
  stdin.write("\u007f".repeat(6));
  await sees("acme/model-0");
  stdin.write("here");
  await sees("Model: here\nHere\n› acme/model-0");
  expect(lastFrame()).not.toContain("Others");
});

test("Ctrl-C chooses nothing", async () => {
  const { stdin, sees, onChoice, lastFrame } = start();
  await sees("Model:");
  stdin.write("\u0003");
  await waitFor(() => expect(lastFrame()).not.toContain("›"));
  expect(onChoice).not.toHaveBeenCalled();
});

test("filters by every word, wraps the selection around, and scrolls long lists", () => {
  expect(filterChoices(CHOICES, "qwen 8b").map(({ label }) => label)).toEqual(["Qwen/Qwen3-8B"]);
  expect(pickReducer(INITIAL_STATE, { type: "moved", by: -1 }, 3).selected).toBe(2);
  expect(pickReducer({ query: "a", selected: 2 }, { type: "typed", text: "b" }, 3)).toEqual({
    query: "ab",
    selected: 0,
  });
  expect(visibleRange(15, 30, 10)).toEqual([10, 20]);
  expect(visibleRange(29, 30, 10)).toEqual([20, 30]);
  expect(visibleRange(1, 3, 10)).toEqual([0, 3]);
});
