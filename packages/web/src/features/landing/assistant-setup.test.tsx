import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { ContextWindow } from "./context-window.tsx";

afterEach(cleanup);

test("shows the context of a model in tokens, with a button that copies it", () => {
  const { container } = render(<ContextWindow tokens={40_960} />);
  expect(container.textContent).toContain("40,960 tokens (40Ki)");
  expect(container.querySelectorAll("button")).toHaveLength(1);
});

test("says that the context of a model is unknown, and offers nothing to copy", () => {
  const { container } = render(<ContextWindow tokens={null} />);
  expect(container.textContent).toBe("unknown");
  expect(container.querySelector("button")).toBeNull();
});
