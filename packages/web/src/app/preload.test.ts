import { waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { createPreloader, preloadOnIntent, toPreloadPath } from "./preload.ts";

const origin = "https://feather.example";
afterEach(() => {
  document.body.innerHTML = "";
});

function link(attributes: Record<string, string>): HTMLAnchorElement {
  const a = document.createElement("a");
  for (const [name, value] of Object.entries(attributes)) a.setAttribute(name, value);
  return a;
}

test.each<[Record<string, string>, string | null]>([
  [{ href: "/models" }, "/models"],
  [{ href: "/models?search=x#y" }, "/models"],
  [{ href: "models" }, "/models"],
  [{}, null],
  [{ href: "" }, null],
  [{ href: "/models", target: "_blank" }, null],
  [{ href: "/usage.csv", download: "" }, null],
  [{ href: "https://evil.example/models" }, null],
  [{ href: "//evil.example/models" }, null],
  [{ href: "javascript:alert(1)" }, null],
  [{ href: "data:text/html,x" }, null],
  [{ href: "mailto:a@b.example" }, null],
])("%j is preloaded as %j", (attributes, path) => {
  expect(toPreloadPath(link(attributes), origin)).toBe(path);
});

test("an element that is not a link has no path to preload", () => {
  expect(toPreloadPath(null, origin)).toBeNull();
});

test("pages are preloaded four at a time, each once, and the others are queued", async () => {
  const ends = new Map<string, () => void>();
  const loadPage = vi.fn((path: string) => new Promise<void>((resolve) => void ends.set(path, resolve)));
  const preload = createPreloader(loadPage);
  for (const path of ["/1", "/2", "/3", "/4", "/5", "/6", "/1"]) preload(path);
  expect([...ends.keys()]).toEqual(["/1", "/2", "/3", "/4"]);
  ends.get("/2")?.();
  await waitFor(() => expect([...ends.keys()]).toEqual(["/1", "/2", "/3", "/4", "/5"]));
  ends.get("/1")?.();
  await waitFor(() => expect(ends.has("/6")).toBe(true));
  expect(loadPage).toHaveBeenCalledTimes(6);
});

test("paths without a page do not block the queue", () => {
  const loadPage = vi.fn(() => null);
  const preload = createPreloader(loadPage);
  for (const path of ["/1", "/2", "/3", "/4", "/5"]) preload(path);
  expect(loadPage).toHaveBeenCalledTimes(5);
});

test.each(["pointerover", "focusin", "touchstart"])(
  "%s inside a link preloads its page, until the listeners are removed",
  (intent) => {
    document.body.innerHTML = '<a href="/models"><b>Models</b></a><p>text</p>';
    const preload = vi.fn();
    const end = preloadOnIntent(preload);
    const send = (selector: string) =>
      document.querySelector(selector)?.dispatchEvent(new Event(intent, { bubbles: true }));
    send("b");
    send("p");
    expect(preload.mock.calls).toEqual([["/models"]]);
    end();
    send("b");
    expect(preload).toHaveBeenCalledTimes(1);
  },
);
