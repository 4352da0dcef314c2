/** An entry in the breadcrumbs of a page. */
export type Crumb = { name: string; path: string };
/** A schema.org object. Its `url` is a path until it is rendered. */
export type Thing = { "@type": string; name?: string; url: string; [property: string]: unknown };

/** Creates a schema.org object. */
export const thingAt = (type: string, name: string, path: string): Thing => ({ "@type": type, name, url: path });

/** The JSON-LD of a page, safe inside a script element. Null if there is nothing to describe. */
export function structuredData(
  { thing, crumbs, image }: { thing: Thing | null; crumbs: readonly Crumb[]; image: string },
  publicUrl: string,
): string | null {
  const graph = [
    ...(thing === null ? [] : [{ ...thing, url: publicUrl + encodeURI(thing.url), image }]),
    ...(crumbs.length < 2 ? [] : [breadcrumbs(crumbs, publicUrl)]),
  ];
  if (graph.length === 0) return null;
  // Escaping "<" keeps texts from closing the script element.
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
