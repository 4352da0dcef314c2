import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { CodeBlock } from "./code-block.tsx";
import { PreviewsContext } from "./previews-context.ts";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const show = (language: string, hasPreviews = true, isComplete = true) =>
  render(
    <PreviewsContext value={hasPreviews}>
      <CodeBlock code="<p>Hello</p>" language={language} isComplete={isComplete} />
    </PreviewsContext>,
  );

/** Opens the preview, and returns its frame with what the frame is sent. */
async function open(dark = false) {
  vi.stubGlobal("matchMedia", () => ({ matches: dark }));
  await userEvent.click(screen.getByRole("button", { name: "Preview" }));
  const frame = (await screen.findByTitle("Preview")) as HTMLIFrameElement;
  const sent = vi.fn();
  // Frames load nothing here, so this stands for the window that a frame has.
  const source = { postMessage: sent };
  Object.defineProperty(frame, "contentWindow", { value: source });
  const say = (data: object, from: object = source) =>
    fireEvent(window, new MessageEvent("message", { data, source: from as Window }));
  return { frame, sent, say };
}

test("code that can be drawn has a preview once it is complete, where previews are allowed", () => {
  show("html", true, false);
  show("html", false);
  show("ts");
  expect(screen.queryByRole("button", { name: "Preview" })).toBeNull();
  show("html");
  expect(screen.getByRole("button", { name: "Preview" })).toBeTruthy();
  expect(screen.queryByTitle("Preview")).toBeNull();
});

test("the frame of a preview has no origin, and may open, submit and leave nothing", async () => {
  show("html");
  const { frame } = await open();
  expect(frame.getAttribute("sandbox")).toBe("allow-scripts");
  expect(frame.getAttribute("src")).toBe("/preview-frame.html");
});

test.each([true, false])("a frame that is ready gets the code, and whether the theme is dark: %s", async (dark) => {
  show("html");
  const { sent, say } = await open(dark);
  say({ preview: "ready" });
  const drawing = { kind: "html", text: "<p>Hello</p>", dark, libraries: [expect.stringContaining("purify")] };
  expect(sent.mock.calls).toEqual([[drawing, "*"]]);
});

test("messages of other windows are not listened to", async () => {
  show("html");
  const { frame, sent, say } = await open();
  say({ preview: "ready" }, window);
  say({ preview: "drawn", height: 300 }, window);
  expect(sent).not.toHaveBeenCalled();
  expect(frame.height).toBe("120");
});

test.each([
  [300, "300"],
  [3, "120"],
  [90_000, "480"],
  ["no number", "480"],
])("a drawing of the height %j gets %s pixels", async (height, expected) => {
  show("svg");
  const { frame, say } = await open();
  say({ preview: "drawn", height });
  await waitFor(() => expect(frame.height).toBe(expected));
});

test("what cannot be drawn says why, and can be closed", async () => {
  show("mermaid");
  const { frame, sent, say } = await open();
  say({ preview: "ready" });
  expect(sent.mock.calls[0]?.[0]).toMatchObject({ libraries: [expect.anything(), expect.stringContaining("mermaid")] });
  say({ preview: "failed", message: "Parse error on line 1" });
  expect((await screen.findByRole("alert")).textContent).toBe("It cannot be drawn. Parse error on line 1");
  expect(frame.hidden).toBe(true);
  await userEvent.click(screen.getByRole("button", { name: "Close the preview" }));
  expect(screen.queryByTitle("Preview")).toBeNull();
});
