import { type ListedContent, pathOf } from "../insight/content/index.ts";
import { ORIGIN_PLACEHOLDER, type SiteManifest } from "./manifest.ts";

/** Renders `/llms.txt` with the links that `isOpen` lets through. Sections without any are left out; posts are the last one. */
export function renderLlmsText(
  { intro, sections }: SiteManifest["llms"],
  posts: readonly ListedContent[],
  isOpen: (path: string) => boolean,
): string {
  const blog = { title: "Blog", links: posts.map(toLink) };
  const blocks = [...sections, blog].flatMap(({ title, links }) => {
    const lines = links.filter(({ page }) => page === null || isOpen(page)).map(({ line }) => line);
    return lines.length === 0 ? [] : [`## ${title}`, lines.join("\n")];
  });
  return `${[intro, ...blocks].join("\n\n")}\n`;
}

/** The link of a post. Line breaks and brackets would end it. */
function toLink(post: ListedContent): { page: string; line: string } {
  const title = post.title.replaceAll(/[[\]]/g, "\\$&");
  return { page: pathOf(post), line: `- [${title}](${ORIGIN_PLACEHOLDER}${pathOf(post)}): ${post.description}` };
}
