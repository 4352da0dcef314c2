import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const MANIFEST = z.object({
  routes: z.array(
    z.object({
      path: z.string(),
      title: z.string(),
      access: z.enum(["public", "private", "admin"]),
      description: z.string().nullable(),
    }),
  ),
  pages: z.array(
    z.object({
      path: z.string(),
      kind: z.enum(["docs", "blog", "legal"]),
      title: z.string(),
      description: z.string(),
      date: z.string().nullable(),
      author: z.string().nullable(),
      html: z.string(),
    }),
  ),
});

/** What the build of the site says of itself: its routes, and its texts as HTML. */
export type SiteManifest = z.infer<typeof MANIFEST>;
export type SiteRoute = SiteManifest["routes"][number];
export type TextPage = SiteManifest["pages"][number];

export type BuiltSite = SiteManifest & { folder: string; shell: string };

/** Reads the built site, or answers null where none was built. */
export function readBuiltSite(folder: string): BuiltSite | null {
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  if (!existsSync(join(folder, "index.html"))) return null;
  return { folder, shell: read("index.html"), ...MANIFEST.parse(JSON.parse(read("site.json"))) };
}
