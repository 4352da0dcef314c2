const posts = import.meta.glob("../../content/blog/*.md", { query: "?meta", import: "default" });

/** Whether the blog has posts. Without any, nothing leads to it. */
export const HAS_POSTS = Object.keys(posts).length > 0;
