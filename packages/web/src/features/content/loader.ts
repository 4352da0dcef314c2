import type { ContentPage } from "./types.ts";

/** Loads pages by their names: what stands behind the folder in the paths of their files. */
export const loader = <Meta>(pages: Record<string, () => Promise<ContentPage<Meta>>>, kind: string) => {
  const bySlug = new Map(
    Object.entries(pages).map(([path, load]) => [
      path.replace(`../../../content/${kind}/`, "").replace(/\.md$/, ""),
      load,
    ]),
  );
  return (slug: string): Promise<ContentPage<Meta>> | null => bySlug.get(slug)?.() ?? null;
};
