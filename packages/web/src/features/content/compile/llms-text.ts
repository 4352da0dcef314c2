import { toMarkdownPath } from "../markdown-path.ts";
import { sortDocs } from "../sections.ts";

/** A page of the docs in the list. */
export type LlmsEntry = { path: string; meta: { title: string; description: string; section: string; order: number } };
/**
 * The parts of `/llms.txt`. The server puts them together, because it leaves out lines whose `page` the reader may not open;
 * `page` is null for what is no page of the site.
 */
export type LlmsText = {
  intro: string;
  sections: { title: string; links: { page: string | null; line: string }[] }[];
};

/**
 * Returns `/llms.txt` in the form of llmstxt.org: what the server is, and links to the Markdown of every page of the docs, by
 * section in reading order.
 */
export function listLlmsLinks(docs: LlmsEntry[], { product, origin }: { product: string; origin: string }): LlmsText {
  const toLine = (title: string, path: string, text: string) => `- [${title}](${origin}${path}): ${text}`;
  const sections = Object.entries(Object.groupBy(sortDocs(docs), ({ meta }) => meta.section)).map(
    ([title, entries = []]) => ({
      title,
      links: entries.map(({ path, meta }) => ({
        page: path,
        line: toLine(meta.title, toMarkdownPath(path), meta.description),
      })),
    }),
  );
  const contract = toLine(
    "OpenAPI document",
    "/api/openapi.json",
    "Every call with its fields, errors, scopes and examples.",
  );
  const reference = {
    title: "API reference",
    links: [
      { page: null, line: contract },
      { page: "/docs/api", line: toLine("API reference", "/docs/api", "The same as web pages.") },
    ],
  };
  const intro = [
    `# ${product}`,
    `> ${product} browses, hosts and calls open language models. Programs written for OpenAI's API call it at ${origin}/v1 with an API key of this server.`,
    "Every page of the docs is listed here as Markdown. Its examples contain the address of this server.",
  ];
  return { intro: intro.join("\n\n"), sections: [...sections, reference] };
}
