import { describe, expect, test } from "vitest";
import { compileMarkdown } from "./compile.ts";
import type { ContentNode } from "./content-node.ts";

const bodyOf = (source: string) => compileMarkdown(source).body;
const flat = (source: string) => JSON.stringify(bodyOf(source));

describe("hostile Markdown is harmless", () => {
  test.each([
    ["a script", "<script>alert(1)</script>"],
    ["a script in a paragraph", "Hello <script>alert(1)</script> world"],
    ["a handler", '<img src=x onerror="alert(1)">'],
    ["a frame", '<iframe src="https://evil.example"></iframe>'],
    ["a style", "<style>body{display:none}</style>"],
    ["a form", '<form action="https://evil.example"><input name="password"></form>'],
    ["a comment that opens", "<!-- <img src=x onerror=alert(1)> -->"],
    ["an svg", "<svg onload=alert(1)>"],
  ])("%s produces no element", (_, source) => {
    const text = flat(source);
    for (const word of ["script", "onerror", "onload", "iframe", "style", "form", "input", "svg", "img"])
      expect(text).not.toContain(`["${word}"`);
    expect(text).not.toContain("onerror");
  });

  test.each([
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "java&#10;script:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "//evil.example",
    "file:///etc/passwd",
  ])("a link to %s keeps only its text", (address) => {
    expect(flat(`[words](<${address}>)`)).toBe('[["p",null,"words"]]');
  });

  test.each(["https://evil.example/x.png", "//evil.example/x.png", "data:image/svg+xml,x", "javascript:x"])(
    "an image from %s is removed",
    (address) => {
      expect(flat(`![p](${address})`)).toBe('[["p",null]]');
    },
  );

  test("code is text, whatever it contains", () => {
    expect(bodyOf("```html\n<script>alert(1)</script>\n```")).toEqual([
      ["code-block", null, ["sample", { lang: "html", name: "" }, "<script>alert(1)</script>"]],
    ]);
  });

  test("attributes cannot be injected through ids and classes", () => {
    expect(flat("| a |\n| - |\n| <b onclick=x>c</b> |")).not.toContain("onclick");
  });
});

describe("allowed Markdown", () => {
  test.each(["https://a.example", "mailto:a@b.example", "/docs/x#y", "#here"])(
    "compiled Markdown keeps a link to %s",
    (address) => {
      expect(bodyOf(`[a](${address})`)).toEqual([["p", null, ["a", { href: address }, "a"]]]);
      expect(compileMarkdown(`[a](${address})`).links).toEqual([address]);
    },
  );

  test("compiled Markdown gives headings ids, and lists those of the second and third level as contents", () => {
    const { headings, body } = compileMarkdown("## One two\n\n### `GET` it\n\n#### deep\n\n## One two");
    expect(headings).toEqual([
      { id: "one-two", text: "One two", level: 2 },
      { id: "get-it", text: "GET it", level: 3 },
      { id: "one-two-1", text: "One two", level: 2 },
    ]);
    expect(body[0]).toEqual(["h2", { id: "one-two" }, "One two"]);
  });

  test("compiled Markdown groups consecutive code blocks that name a tab", () => {
    const source = '```bash tab="curl"\na\n```\n\n```python tab=Python\nb\n```\n\n```bash\nc\n```';
    const samples = bodyOf(source).map((node) => (node as Exclude<ContentNode, string>).slice(2));
    expect(samples).toEqual([
      [
        ["sample", { lang: "bash", name: "curl" }, "a"],
        ["sample", { lang: "python", name: "Python" }, "b"],
      ],
      [["sample", { lang: "bash", name: "" }, "c"]],
    ]);
  });

  test("compiled Markdown keeps code complete when it is highlighted", () => {
    const [, , sample] = bodyOf('```bash\necho "a" # b\n```')[0] as [string, null, Exclude<ContentNode, string>];
    const parts = sample.slice(2) as ContentNode[];
    expect(parts).toContainEqual(["token", { kind: "string" }, '"a"']);
    expect(parts.map((part) => (typeof part === "string" ? part : part[2])).join("")).toBe('echo "a" # b');
  });

  test("a code block of a list is compiled as one alone", () => {
    const block = '```bash literal title="run.sh"\necho "a"\n```';
    const [alone] = bodyOf(block);
    const [list] = bodyOf(`1. Run this:\n\n${block.replaceAll(/^/gm, "   ")}`);
    expect(JSON.stringify(list)).toContain(JSON.stringify(alone));
  });

  test("compiled Markdown marks code that must not be rewritten as literal", () => {
    expect(flat("```bash literal\nx\n```")).toContain('"literal":""');
  });

  test("compiled Markdown keeps tables, lists and quotes", () => {
    const text = flat("| a | b |\n| - | -: |\n| 1 | 2 |\n\n3. x\n\n> q");
    expect(text).toContain('["td",{"align":"right"},"2"]');
    expect(text).toContain('["ol",{"start":"3"}');
    expect(text).toContain('["blockquote"');
  });

  test("allowed Markdown is searched by its text without code", () => {
    const { text } = compileMarkdown(
      "## Units\n\nA `request` holds them.\n\n| a | b |\n| - | - |\n| c | d |\n\n```\nsecret\n```",
    );
    expect(text).toBe("Units A request holds them. a b c d");
  });
});
