import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { ContentFile } from "./content-entry.ts";

const CONTENT = z.object({
  posts: z.array(
    z.object({
      slug: z.string(),
      title: z.string(),
      description: z.string(),
      author: z.string().nullable(),
      tags: z.array(z.string()),
      date: z.iso.date(),
      text: z.string(),
    }),
  ),
  /** First segments of the site's addresses, in lower case. */
  names: z.array(z.string()),
});

/** First segments of addresses that the server answers itself. */
const SERVER_NAMES = ["api", "assets", "cms", "health", "metrics", "oauth", "share", "sitemaps", "v1"];

/** What comes with the built site: posts, and the addresses that pages of the operator cannot have. */
export type BuiltInContent = { readonly posts: readonly ContentFile[]; readonly takenNames: ReadonlySet<string> };

/** Reads what comes with the built site. Without a site there are no posts. */
export function readBuiltInContent(siteFolder: string): BuiltInContent {
  const file = join(siteFolder, "content.json");
  if (!existsSync(file)) return { posts: [], takenNames: new Set(SERVER_NAMES) };
  const { posts, names } = CONTENT.parse(JSON.parse(readFileSync(file, "utf8")));
  return {
    posts: posts.map(({ date, ...post }) => ({
      kind: "post",
      ...post,
      isDraft: false,
      publishedAt: new Date(date),
    })),
    takenNames: new Set([...SERVER_NAMES, ...names, ...readdirSync(siteFolder)]),
  };
}
