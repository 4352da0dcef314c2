import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { escapeHtml } from "./markup.ts";

const MANIFEST = z.object({
  routes: z.array(
    z.object({
      path: z.string(),
      title: z.string(),
      access: z.enum(["public", "private", "admin"]),
      layout: z.enum(["blank", "default", "docs", "account", "admin"]),
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
  /** Pages as they look before their scripts run, by path. */
  documents: z.record(z.string(), z.string()),
  /** What stands around a page of a layout, with `FRAME_MARK` where the page goes. */
  frames: z.partialRecord(z.enum(["blank", "default", "docs", "account", "admin"]), z.string()),
});

export const FRAME_MARK = "<!--page-->";

/** What the build of the site says of itself: its routes, and its texts as HTML. */
export type SiteManifest = z.infer<typeof MANIFEST>;
export type SiteRoute = SiteManifest["routes"][number];
export type TextPage = SiteManifest["pages"][number];

export type BuiltSite = SiteManifest & { folder: string; shell: string };

/** What stands in the pages of a build for what only the server knows. */
const UNKNOWN_NAME = "{{product}}";
const UNKNOWN_ORIGIN = "http://origin.invalid";

/** Reads the built site, or answers null where none was built. */
export function readBuiltSite(folder: string, names: { productName: string; publicUrl: string }): BuiltSite | null {
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  if (!existsSync(join(folder, "index.html"))) return null;
  const { documents, frames, ...manifest } = MANIFEST.parse(JSON.parse(read("site.json")));
  const named = <Pages extends Record<string, string>>(pages: Pages): Pages =>
    Object.fromEntries(Object.entries(pages).map(([name, html]) => [name, fillIn(html, names)])) as Pages;
  return { folder, shell: read("index.html"), ...manifest, documents: named(documents), frames: named(frames) };
}

function fillIn(html: string, { productName, publicUrl }: { productName: string; publicUrl: string }): string {
  return html
    .replaceAll(UNKNOWN_NAME, () => escapeHtml(productName))
    .replaceAll(UNKNOWN_ORIGIN, () => escapeHtml(publicUrl));
}
