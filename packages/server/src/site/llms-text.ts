import type { SiteManifest } from "./manifest.ts";

/** Renders `/llms.txt` with the links that `isOpen` lets through. Sections without any are left out. */
export function renderLlmsText({ intro, sections }: SiteManifest["llms"], isOpen: (path: string) => boolean): string {
  const blocks = sections.flatMap(({ title, links }) => {
    const lines = links.filter(({ page }) => page === null || isOpen(page)).map(({ line }) => line);
    return lines.length === 0 ? [] : [`## ${title}`, lines.join("\n")];
  });
  return `${[intro, ...blocks].join("\n\n")}\n`;
}
