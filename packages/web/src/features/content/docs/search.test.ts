import { describe, expect, test } from "vitest";
import type { SearchPage } from "../types.ts";
import { searchDocs } from "./search.ts";

const page = (slug: string, title: string, headings: string[], text: string): SearchPage => ({
  slug,
  title,
  section: "Start",
  headings: headings.map((heading) => ({ id: heading.toLowerCase().replaceAll(" ", "-"), text: heading, level: 2 })),
  text,
});
const PAGES = [
  page(
    "limits",
    "Units and limits",
    ["When all units are busy"],
    "A request holds the units of its class until it ends.",
  ),
  page("errors", "Errors", ["Codes"], "concurrency_limit_exceeded: all units are busy. Send x-queue-timeout."),
  page("keys", "API keys", ["Rotate"], "Give a key a share of the units."),
];
const found = (query: string) => searchDocs(PAGES, query).map(({ to }) => to);

describe("the docs search", () => {
  test.each([
    ["nothing", "", []],
    ["signs only", "!!! ?", []],
    ["a word that is nowhere", "zebra", []],
    ["a title comes first", "limits", ["/docs/limits"]],
    ["a heading is led to directly", "rotate", ["/docs/keys#rotate"]],
    ["a code, in the text", "concurrency_limit_exceeded", ["/docs/errors"]],
    ["a header", "x-queue-timeout", ["/docs/errors"]],
    ["every word has to be there", "units zebra", []],
    ["beginnings are enough", "rot", ["/docs/keys#rotate"]],
    ["letter case does not matter", "ROTATE", ["/docs/keys#rotate"]],
  ])("the docs search finds what is expected: %s", (_, query, hits) => {
    expect(found(query)).toEqual(hits);
  });

  test("the docs search ranks titles before headings before text", () => {
    expect(found("units")).toEqual([
      "/docs/limits",
      "/docs/limits#when-all-units-are-busy",
      "/docs/errors",
      "/docs/keys",
    ]);
  });

  test("the docs search shows an excerpt of the matching text", () => {
    expect(searchDocs(PAGES, "x-queue-timeout")[0]?.excerpt).toContain("x-queue-timeout");
  });

  test("the docs search finds a heading by its hidden search words", () => {
    const calls: SearchPage = {
      slug: "api/keys",
      title: "API keys API",
      section: "API reference",
      headings: [
        {
          id: "apiKeys.rotate",
          text: "Change the secret",
          level: 2,
          searchWords: "POST /api-keys/{id}/rotate apiKeys.rotate",
        },
      ],
      text: "",
    };
    for (const query of ["apiKeys.rotate", "post rotate", "/api-keys/"])
      expect(searchDocs([calls], query)[0], query).toMatchObject({
        to: "/docs/api/keys#apiKeys.rotate",
        titleScore: "Change the secret",
      });
  });

  test("the docs search cuts the excerpt between words", () => {
    const long = page("long", "Long", [], `${"alpha beta gamma ".repeat(20)}needle ${"delta epsilon ".repeat(20)}`);
    expect(searchDocs([long], "needle")[0]?.excerpt).toMatch(/^…(alpha|beta|gamma) .* needle .* (delta|epsilon)…$/);
  });

  test("the docs search returns at most twelve hits and treats pattern characters literally", () => {
    const many = Array.from({ length: 40 }, (_, index) => page(`p${index}`, "Units", [], "units"));
    expect(searchDocs(many, "units")).toHaveLength(12);
    expect(searchDocs(PAGES, "(.*)+[")).toEqual([]);
  });
});
