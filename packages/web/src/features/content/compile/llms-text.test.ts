import { expect, test } from "vitest";
import { listLlmsLinks } from "./llms-text.ts";

const entry = (slug: string, title: string, section: string, order: number) => ({
  path: `/docs/${slug}`,
  meta: { title, description: `About ${title}.`, section, order },
});
const link = (slug: string, title: string) => ({
  page: `/docs/${slug}`,
  line: `- [${title}](https://quill.example/docs/${slug}.md): About ${title}.`,
});

test("llms.txt has a title, a summary, and the pages of each section in reading order", () => {
  const docs = [
    entry("models", "Models", "Call models", 0),
    entry("second", "Second", "Start", 2),
    entry("first", "First", "Start", 1),
  ];
  const { intro, sections } = listLlmsLinks(docs, { product: "Quill", origin: "https://quill.example" });
  expect(intro.split("\n").slice(0, 3)).toEqual([
    "# Quill",
    "",
    expect.stringMatching(/^> Quill .*quill\.example\/v1/),
  ]);
  expect(sections.slice(0, 2)).toEqual([
    { title: "Start", links: [link("first", "First"), link("second", "Second")] },
    { title: "Call models", links: [link("models", "Models")] },
  ]);
  expect(sections[2]).toMatchObject({ title: "API reference", links: [{ page: null }, { page: "/docs/api" }] });
});
