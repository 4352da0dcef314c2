import { toMarkdownPath } from "../markdown-path.ts";
import { sortDocs } from "../sections.ts";

/** A page of the docs in the list. */
export type LlmsEntry = { path: string; meta: { title: string; description: string; section: string; order: number } };

/**
 * Returns `/llms.txt` in the form of llmstxt.org: what the server is, and links to the Markdown of every page of the docs, by
 * section in reading order.
 */
export function renderLlmsText(docs: LlmsEntry[], { product, origin }: { product: string; origin: string }): string {
  const toLine = (title: string, path: string, text: string) => `- [${title}](${origin}${path}): ${text}`;
  const sections = Object.entries(Object.groupBy(sortDocs(docs), ({ meta }) => meta.section)).map(
    ([section, entries = []]) => [
      `## ${section}`,
      entries.map(({ path, meta }) => toLine(meta.title, toMarkdownPath(path), meta.description)).join("\n"),
    ],
  );
  const reference = [
    "## API reference",
    [
      toLine("OpenAPI document", "/api/openapi.json", "Every call with its fields, errors, scopes and examples."),
      toLine("API reference", "/docs/api", "The same as web pages."),
    ].join("\n"),
  ];
  return `${[
    `# ${product}`,
    `> ${product} browses, hosts and calls open language models. Programs written for OpenAI's API call it at ${origin}/v1 with an API key of this server.`,
    "Every page of the docs is listed here as Markdown. Its examples contain the address of this server.",
    ...sections.flat(),
    ...reference,
  ].join("\n\n")}\n`;
}
