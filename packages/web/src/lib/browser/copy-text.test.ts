import { afterEach, expect, test, vi } from "vitest";
import { copyText } from "./copy-text.ts";

afterEach(() => {
  document.body.replaceChildren();
});

function button(): HTMLElement {
  const place = document.body.appendChild(document.createElement("button"));
  place.focus();
  return place;
}

const clipboard = (writeText: (text: string) => Promise<void>) => ({ writeText }) as unknown as Clipboard;
const refuse = () => Promise.reject(new Error("not allowed"));

test("a text is copied by the clipboard API if there is one", async () => {
  const writeText = vi.fn(async () => {});
  expect(await copyText("a key", button(), clipboard(writeText))).toBe(true);
  expect(writeText).toHaveBeenCalledWith("a key");
});

test.each([
  ["there is no clipboard", null],
  ["the clipboard refuses", clipboard(refuse)],
])("a text is copied through a hidden field if %s, and the field is removed", async (_what, given) => {
  let copied = "";
  document.execCommand = () => {
    copied = document.querySelector("textarea")?.value ?? "";
    return true;
  };
  const near = button();
  expect(await copyText("rc_secret\nline", near, given as Clipboard)).toBe(true);
  expect(copied).toBe("rc_secret\nline");
  expect(document.querySelector("textarea")).toBeNull();
  expect(document.activeElement).toBe(near);
});

test.each([
  ["says no", () => false],
  [
    "fails",
    () => {
      throw new Error("no");
    },
  ],
])("copying returns false if copying by command %s, too", async (_what, execCommand) => {
  document.execCommand = execCommand;
  expect(await copyText("a", button(), clipboard(refuse))).toBe(false);
});
