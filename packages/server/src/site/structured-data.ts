/** An entry in the breadcrumbs of a page. */
export type Breadcrumb = { name: string; path: string };
/** A schema.org object. Its `url` is a path until it is rendered. */
export type SchemaObject = { "@type": string; name?: string; url: string; [property: string]: unknown };

/** Creates a schema.org object. */
export const createSchemaObject = (type: string, name: string, path: string): SchemaObject => ({
  "@type": type,
  name,
  url: path,
});

/** Returns the JSON-LD of a page, safe inside a script element. Null if there is nothing to describe. */
export function renderStructuredData(
  {
    schemaObject,
    breadcrumbs,
    image,
  }: { schemaObject: SchemaObject | null; breadcrumbs: readonly Breadcrumb[]; image: string },
  publicUrl: string,
): string | null {
  const graph = [
    ...(schemaObject === null ? [] : [{ ...schemaObject, url: publicUrl + encodeURI(schemaObject.url), image }]),
    ...(breadcrumbs.length < 2 ? [] : [toBreadcrumbList(breadcrumbs, publicUrl)]),
  ];
  if (graph.length === 0) return null;
  // Escaping "<" keeps texts from closing the script element.
  return JSON.stringify({ "@context": "https://schema.org", "@graph": graph }).replaceAll("<", "\\u003c");
}

function toBreadcrumbList(breadcrumbs: readonly Breadcrumb[], publicUrl: string): object {
  return {
    "@type": "BreadcrumbList",
    itemListElement: breadcrumbs.map(({ name, path }, index) => ({
      "@type": "ListItem",
      position: index + 1,
      name,
      item: publicUrl + encodeURI(path),
    })),
  };
}
