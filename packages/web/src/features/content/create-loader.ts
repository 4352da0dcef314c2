import type { ContentPage } from "./types.ts";

/** Returns a function that loads a page by its slug, which is the path of its file below the folder of its kind. */
export const createLoader = <Meta>(pages: Record<string, () => Promise<ContentPage<Meta>>>, kind: string) => {
  const bySlug = new Map(
    Object.entries(pages).map(([path, load]) => [
      path.replace(`../../../content/${kind}/`, "").replace(/\.md$/, ""),
      load,
    ]),
  );
  return (slug: string): Promise<ContentPage<Meta>> | null => bySlug.get(slug)?.() ?? null;
};
