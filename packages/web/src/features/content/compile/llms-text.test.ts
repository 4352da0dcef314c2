import { expect, test } from "vitest";
import { renderLlmsText } from "./llms-text.ts";

const entry = (slug: string, title: string, section: string, order: number) => ({
  path: `/docs/${slug}`,
  meta: { title, description: `About ${title}.`, section, order },
});

test("llms.txt has a title, a summary, and the pages of each section in reading order", () => {
  const docs = [
    entry("models", "Models", "Call models", 0),
    entry("second", "Second", "Start", 2),
    entry("first", "First", "Start", 1),
  ];
  const text = renderLlmsText(docs, { product: "Quill", origin: "https://quill.example" });
  expect(text.split("\n").slice(0, 3)).toEqual(["# Quill", "", expect.stringMatching(/^> Quill .*quill\.example\/v1/)]);
  expect(text).toContain(`
## Start

- [First](https://quill.example/docs/first.md): About First.
- [Second](https://quill.example/docs/second.md): About Second.

## Call models

- [Models](https://quill.example/docs/models.md): About Models.

## API reference

- [OpenAPI document](https://quill.example/api/openapi.json): `);
});
