import { expect, test } from "vitest";
import { FRONT_MATTER, readFrontMatter, splitFrontMatter } from "./front-matter.ts";

const toFile = (fields: string) => `---\n${fields}\n---\n\nWords.`;

test("a post may have an author, tags, a draft mark, and a day or a time", () => {
  const { meta } = readFrontMatter(
    toFile("title: A\ndescription: B\ndate: 2026-12-05T09:00:00+01:00\nauthor: C\ntags: [d, e]\ndraft: true"),
    FRONT_MATTER.blog,
  );
  expect(meta).toEqual({
    title: "A",
    description: "B",
    date: "2026-12-05T09:00:00+01:00",
    author: "C",
    tags: ["d", "e"],
    draft: true,
  });
});

test("a page needs no date, and a post does", () => {
  const source = toFile("title: A\ndescription: B");
  expect(readFrontMatter(source, FRONT_MATTER.pages).meta).toEqual({ title: "A", description: "B" });
  expect(() => splitFrontMatter(source, "blog")).toThrow(/date/);
});

test.each([
  ["more than ten tags", `tags: [${Array.from({ length: 11 }, (_, index) => `t${index}`).join(", ")}]`, /tags/],
  ["a time without a zone", "date: 2026-12-05T09:00:00", /date/],
])("a page with %s is refused", (_, fields, message) => {
  expect(() => readFrontMatter(toFile(`title: A\ndescription: B\n${fields}`), FRONT_MATTER.pages)).toThrow(message);
});
