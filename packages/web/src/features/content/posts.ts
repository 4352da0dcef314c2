import { createLoader } from "./create-loader.ts";
import type { ContentEntry, ContentPage, PostMeta } from "./types.ts";

const entries = import.meta.glob<ContentEntry<PostMeta>>("../../../content/blog/*.md", {
  query: "?meta",
  import: "default",
  eager: true,
});
const pages = import.meta.glob<ContentPage<PostMeta>>("../../../content/blog/*.md", {
  query: "?page",
  import: "default",
});

/** All blog posts, newest first. */
export const POSTS: readonly ContentEntry<PostMeta>[] = Object.values(entries).sort((a, b) =>
  b.meta.date.localeCompare(a.meta.date),
);

/** Loads a blog post; null if there is none with this slug. */
export const loadPost = createLoader(pages, "blog");
