import { splitFrontMatter } from "@feather/markdown/front-matter";
import { expect, test } from "vitest";
import { createModule, parseContentPath } from "./content-module.ts";

const POST = "---\ntitle: A\ndescription: B\ndate: 2026-11-04\nauthor: C\n---\n\n## Head\n\nText";

test("splits front matter from Markdown", () => {
  const { meta, markdown } = splitFrontMatter(POST, "blog");
  expect(meta).toEqual({ title: "A", description: "B", date: "2026-11-04", author: "C" });
  expect(markdown.trim()).toBe("## Head\n\nText");
});

test.each([
  ["none", "## Head", "blog", /does not begin with front matter/],
  ["no title", POST.replace("title: A\n", ""), "blog", /title/],
  ["an empty title", POST.replace("title: A", 'title: "  "'), "blog", /title/],
  ["a day that is none", POST.replace("2026-11-04", "2026-13-40"), "blog", /date/],
  ["a field that is not known", POST.replace("author: C", "author: C\nauthro: D"), "blog", /authro/],
  ["that of another kind", POST, "docs", /section/],
  ["no mapping", "---\n- a\n---\n", "blog", /./],
] as const)("front matter is rejected: %s", (_, source, kind, words) => {
  expect(() => splitFrontMatter(source, kind)).toThrow(words);
});

test.each([
  ["/x/content/docs/a.md", { kind: "docs", slug: "a" }],
  ["/x/content/docs/a/b.md", { kind: "docs", slug: "a/b" }],
  ["/content/x/content/docs/a.md", { kind: "docs", slug: "a" }],
  ["/x/content/legal/terms.md", { kind: "legal", slug: "terms" }],
])("parses the path %s", (path, place) => {
  expect(parseContentPath(path)).toEqual(place);
});

test.each(["/x/content/other/a.md", "/x/docs/a.md", "/x/content/constructor/a.md"])("rejects the path %s", (path) => {
  expect(() => parseContentPath(path)).toThrow(/no folder of content/);
});

test("a module contains as much of a page as was requested", () => {
  const path = "/x/content/blog/p.md";
  expect(createModule(path, POST, "meta")).toEqual({ slug: "p", meta: expect.objectContaining({ title: "A" }) });
  expect(createModule(path, POST, "search")).toMatchObject({ slug: "p", title: "A", text: "Head Text" });
  expect(createModule(path, POST, "page")).toMatchObject({ headings: [{ id: "head" }], body: expect.any(Array) });
});
