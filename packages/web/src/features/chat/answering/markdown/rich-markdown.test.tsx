import { cleanup, render, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, test, vi } from "vitest";
import { RichMarkdown } from "./rich-markdown.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

// A page with a doctype, as ours is: formulas are drawn on no other.
Object.defineProperty(document, "compatMode", { value: "CSS1Compat" });

/** Elements that fetch, run, frame or send something without a click. */
const ALIVE =
  "script,iframe,object,embed,img,video,audio,source,link,style,form,input:not([disabled]),base,meta,svg use,foreignObject";

const HOSTILE = [
  "<script>globalThis.owned = 1</script>",
  "<img src=x onerror=globalThis.owned=1>",
  "<svg onload=globalThis.owned=1><script>1</script></svg>",
  "<iframe src=https://evil.example></iframe>",
  "<math><mi xlink:href=javascript:globalThis.owned=1>x</mi></math>",
  "<style>@import url(https://evil.example)</style>",
  "<a href=javascript:globalThis.owned=1>x</a>",
  "<form action=https://evil.example><input name=a><button>go</button></form>",
  "[x](javascript:globalThis.owned=1)",
  "[x](JaVaScRiPt:globalThis.owned=1)",
  "[x](data:text/html;base64,PHNjcmlwdD4=)",
  "[x](vbscript:x)",
  "[x](//evil.example)",
  "![x](https://evil.example/a.png)",
  "![x](data:image/svg+xml;base64,AA==)",
  '![x](https://evil.example/a.png "t" onerror=alert(1))',
  "[![x](https://evil.example/a.png)](https://evil.example)",
  "![ref][1]\n\n[1]: https://evil.example/b.png",
  "```html onload=alert(1)\n<img src=x onerror=globalThis.owned=1>\n```",
  "```mermaid\ngraph TD; A[<img src=https://evil.example/a.png>]-->B\n```",
  "$$\\href{javascript:globalThis.owned=1}{x}$$",
  "$$\\includegraphics{https://evil.example/a.png}$$",
  "$$\\htmlStyle{background:url(https://evil.example)}{x}$$",
  "$$\\def\\a{\\a\\a}\\a$$",
  "$$\\rule{99999em}{99999em}$$",
  "|a|\n|-|\n|<img src=x onerror=globalThis.owned=1>|",
  "<!--><script>globalThis.owned = 1</script>-->",
  "\u202Egnp.exe [x](https://evil.example)",
  "- [ ] <b onmouseover=globalThis.owned=1>x</b>",
];

describe("hostile Markdown is not executed and fetches nothing", () => {
  test.each(HOSTILE)("hostile Markdown renders safely: %s", async (text) => {
    const fetched = vi.fn();
    vi.stubGlobal("fetch", fetched);
    for (const streaming of [true, false]) {
      const { container, unmount } = render(<RichMarkdown text={`Before\n\n${text}\n\nafter`} streaming={streaming} />);
      if (text.includes("$$"))
        await waitFor(() => expect(container.querySelector(".formula .katex, .katex-error")).toBeTruthy());
      expect([...container.querySelectorAll(ALIVE)].map((node) => node.outerHTML)).toEqual([]);
      const attributes = [...container.querySelectorAll("*")].flatMap((node) => [...node.attributes]);
      expect(
        attributes.filter(
          ({ name, value }) => /^on|^srcset$|^formaction$/i.test(name) || /javascript:|url\(/i.test(value),
        ),
      ).toEqual([]);
      for (const link of container.querySelectorAll("a[href]")) {
        expect(link.getAttribute("href")).toMatch(/^(https?|mailto):/);
        expect(link.getAttribute("rel")).toContain("noreferrer");
        expect(link.getAttribute("target")).toBe("_blank");
      }
      expect(container.textContent).toContain("Before");
      unmount();
    }
    expect(fetched).not.toHaveBeenCalled();
    expect((globalThis as { owned?: unknown }).owned).toBeUndefined();
  });

  test("hostile Markdown streams letter by letter without errors", () => {
    const text = HOSTILE.slice(0, 14).join("\n\n");
    const { container, rerender } = render(<RichMarkdown text="" streaming />);
    for (let at = 0; at < text.length; at += 23) {
      rerender(<RichMarkdown text={text.slice(0, at)} streaming />);
      expect(container.querySelector(ALIVE)).toBeNull();
    }
  });
});

describe("an answer", () => {
  test("an answer shows HTML as text", () => {
    const { container } = render(<RichMarkdown text="Use <b>this</b> tag." streaming={false} />);
    expect(container.textContent).toContain("Use <b>this</b> tag.");
  });

  test("an answer shows an image as a link that names its host", () => {
    const { container } = render(<RichMarkdown text="![a cat](https://pictures.example/cat.png)" streaming={false} />);
    const link = container.querySelector("a");
    expect(link?.textContent).toBe("Picture: a cat (opens pictures.example)");
    expect(link?.getAttribute("href")).toBe("https://pictures.example/cat.png");
  });

  test("an answer shows code with its language, a copy button, and highlighting when it is complete", async () => {
    const { container } = render(<RichMarkdown text={"```python\nprint('a')\n```"} streaming={false} />);
    expect(container.querySelector(".code .bar")?.textContent).toBe("pythonCopy");
    await waitFor(() => expect(container.querySelector(".string")?.textContent).toBe("'a'"));
    expect(container.querySelector("pre code")?.textContent).toBe("print('a')");
  });

  test("an answer renders inline and block formulas", async () => {
    const { container } = render(<RichMarkdown text={"So \\(a^2\\) and\n\n\\[ \\frac{a}{b} \\]"} streaming={false} />);
    await waitFor(() => expect(container.querySelectorAll(".formula .katex")).toHaveLength(2));
    expect(container.querySelectorAll(".formula.ownLine .katex-display")).toHaveLength(1);
  });

  test("an answer renders bold text, tables, lists and links", () => {
    const text = "**bold** [link](https://example.com)\n\n- one\n\n|a|\n|-|\n|b|";
    const { container } = render(<RichMarkdown text={text} streaming={false} />);
    expect(container.querySelector("strong")?.textContent).toBe("bold");
    expect(container.querySelector("a")?.getAttribute("href")).toBe("https://example.com");
    expect(container.querySelectorAll("li, td")).toHaveLength(2);
  });
});
