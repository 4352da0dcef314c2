import { cleanup, render } from "@testing-library/react";
import { afterEach, describe, expect, test, vi } from "vitest";
import { RichMarkdown } from "#/features/chat/answering/markdown/rich-markdown.tsx";
import { HOSTILE_MARKDOWN } from "#/testing/hostile-markdown.ts";
import { MarkdownRenderer } from "./markdown-renderer.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** Elements that fetch, run, frame or send something without a click. */
const ALIVE =
  "script,iframe,object,embed,img,video,audio,source[src],source[srcset],link,style,form,button[formaction],input:not([disabled]),base,meta,template,svg use,svg image,foreignObject,marquee";
/** Where a link may lead: to a page on the web, to a mailbox, and in what people write to a page or a heading of ours. */
const LEADS = /^(https?:\/\/|mailto:|\/(?![/\\])|#)/i;

function findErrors(container: Element): string[] {
  const alive = [...container.querySelectorAll(ALIVE)].map(({ outerHTML }) => outerHTML);
  const attributes = [...container.querySelectorAll("*")].flatMap((node) =>
    [...node.attributes]
      .filter(
        ({ name, value }) =>
          /^on|^srcset$|^src$|^ping$|^poster$|^formaction$|^xlink/i.test(name) ||
          (name === "style" && /url\(|expression/i.test(value)),
      )
      .map(({ name, value }) => `${name}=${value}`),
  );
  const links = [...container.querySelectorAll("a[href]")]
    .filter((link) => !LEADS.test(link.getAttribute("href") ?? "") || !link.getAttribute("rel")?.includes("noreferrer"))
    .map(({ outerHTML }) => outerHTML);
  return [...alive, ...attributes, ...links];
}

test("has as many hostile texts as required", () => {
  expect(new Set(HOSTILE_MARKDOWN).size).toBeGreaterThanOrEqual(200);
});

describe.each([
  ["a readme or a legal page", MarkdownRenderer],
  ["an answer", RichMarkdown],
])("hostile Markdown in %s is harmless", (_where, Renderer) => {
  test.each([[false], [true]])(
    "hostile Markdown is harmless while streaming: %j",
    (streaming) => {
      const fetched = vi.fn();
      vi.stubGlobal("fetch", fetched);
      vi.spyOn(console, "error").mockImplementation(() => {});
      const failures = HOSTILE_MARKDOWN.flatMap((text) => {
        const { container, unmount } = render(<Renderer text={`Before\n\n${text}\n\nafter`} streaming={streaming} />);
        const found = findErrors(container);
        const missing = container.textContent?.includes("Before") ? [] : ["the rest is gone"];
        unmount();
        return [...found, ...missing].map((error) => ({ text: text.slice(0, 120), error }));
      });
      expect(failures).toEqual([]);
      expect(fetched).not.toHaveBeenCalled();
      expect((globalThis as { owned?: unknown }).owned).toBeUndefined();
    },
    120_000,
  );
});

test("a table without column names has no empty header cells", () => {
  const { container } = render(<MarkdownRenderer text={"| | |\n|---|---|\n| id | a/b |"} streaming={false} />);
  expect(container.querySelectorAll("th")).toHaveLength(0);
  expect(container.textContent).toContain("a/b");
});
