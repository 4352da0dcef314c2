/** A place on the way to a page. */
export type Crumb = { name: string; path: string };
/** Something in the words of schema.org. Its `url` is a path of the site until it is written. */
export type Thing = { "@type": string; name?: string; url: string; [property: string]: unknown };

export const thingAt = (type: string, name: string, path: string): Thing => ({ "@type": type, name, url: path });

/** A page in the vocabulary of schema.org, as the text of a script that never runs. Null where there is nothing to say. */
export function structuredData(
  { thing, crumbs, image }: { thing: Thing | null; crumbs: readonly Crumb[]; image: string },
  publicUrl: string,
): string | null {
  const graph = [
    ...(thing === null ? [] : [{ ...thing, url: publicUrl + encodeURI(thing.url), image }]),
    ...(crumbs.length < 2 ? [] : [breadcrumbs(crumbs, publicUrl)]),
  ];
  if (graph.length === 0) return null;
  // Nothing in a text can end the script: that would take a "<".
  return JSON.stringify({ "@context": "https://schema.org", "@graph": graph }).replaceAll("<", "\\u003c");
}

function breadcrumbs(crumbs: readonly Crumb[], publicUrl: string): object {
  return {
    "@type": "BreadcrumbList",
    itemListElement: crumbs.map(({ name, path }, index) => ({
      "@type": "ListItem",
      position: index + 1,
      name,
      item: publicUrl + encodeURI(path),
    })),
  };
}
