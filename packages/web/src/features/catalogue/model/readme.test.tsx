import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { HOSTILE_MARKDOWN } from "#/testing/hostile-markdown.ts";
import { Readme } from "./readme.tsx";

afterEach(cleanup);

const ID = "Qwen/Qwen3-32B";
const show = (readme: string | null) => render(<Readme model={{ id: ID, readme }} />).container;

test("a readme is shown as text with headings and links", () => {
  const page = within(show("# Qwen3-32B\n\nIts [paper](https://arxiv.org/abs/1)."));
  expect(page.getByRole("heading", { name: "Qwen3-32B" })).toBeTruthy();
  expect(page.getByRole("link", { name: "paper" }).getAttribute("href")).toBe("https://arxiv.org/abs/1");
  expect(page.queryByText(/There is no readme here/)).toBeNull();
});

test("nothing in a readme runs or loads anything", () => {
  const shown = show(HOSTILE_MARKDOWN.join("\n\n"));
  expect(
    shown.querySelectorAll("script, iframe, img, svg image, object, embed, form, [onerror], [onload]"),
  ).toHaveLength(0);
  expect(Object.hasOwn(globalThis, "owned")).toBe(false);
});

test.each([null, ""])("a model without a readme (%j) has one line, with its page on the hub", (readme) => {
  const shown = show(readme);
  expect(shown.textContent).toBe("There is no readme here. Its page on Hugging Face");
  expect(screen.getByRole("link").getAttribute("href")).toBe("https://huggingface.co/Qwen/Qwen3-32B");
  expect(screen.queryByRole("heading")).toBeNull();
});
