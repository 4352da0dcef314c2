import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { escapeHtml } from "./markup.ts";

const ACCESS = z.enum(["public", "private", "admin"]);

const MANIFEST = z.object({
  routes: z.array(
    z.object({
      path: z.string(),
      title: z.string(),
      access: ACCESS,
      layout: z.enum(["blank", "default", "docs", "account", "admin"]),
      description: z.string().nullable(),
    }),
  ),
  /** The access to every path that begins with a prefix in lower case, whatever its route says. */
  accessByPrefix: z.array(z.object({ prefix: z.string(), access: ACCESS })),
  pages: z.array(
    z.object({
      path: z.string(),
      kind: z.enum(["docs", "legal"]),
      title: z.string(),
      description: z.string(),
      date: z.string().nullable(),
      html: z.string(),
      /** Where the page is served as Markdown; null if it is not. */
      markdownPath: z.string().nullable(),
    }),
  ),
  /** What `/llms.txt` consists of, with placeholders. `page` is the path of the page that a line links; null if it is none. */
  llms: z.object({
    intro: z.string(),
    sections: z.array(
      z.object({
        title: z.string(),
        links: z.array(z.object({ page: z.string().nullable(), line: z.string() })),
      }),
    ),
  }),
  /** The docs as Markdown by path, which is that of the page with `.md`, with placeholders. */
  texts: z.record(z.string(), z.string()),
  /** Prerendered pages by path. */
  documents: z.record(z.string(), z.string()),
  /** Heading and lede of pages behind the login, in their layout, by path. */
  outlines: z.record(z.string(), z.string()),
  /** The HTML around a page by layout, with `FRAME_PLACEHOLDER` in place of the page. */
  frames: z.partialRecord(z.enum(["blank", "default", "docs", "account", "admin"]), z.string()),
});

/** The placeholder for the page in the HTML of a layout. */
export const FRAME_PLACEHOLDER = "<!--page-->";

/** The build's manifest (`site.json`): routes, and text pages as HTML. */
export type SiteManifest = z.infer<typeof MANIFEST>;
/** A route of the site. */
export type SiteRoute = SiteManifest["routes"][number];
/** Who may open a page. */
export type Access = SiteRoute["access"];
/** A page of documentation or legal text. */
export type TextPage = SiteManifest["pages"][number];

/** A built site that was read from its folder. `shell` is its index.html. */
export type BuiltSite = SiteManifest & { folder: string; shell: string };

type Names = { productName: string; publicUrl: string };

/** Placeholders in built pages for values that only the server knows. */
const PRODUCT_NAME_PLACEHOLDER = "{{product}}";
/** The placeholder for the public URL. */
export const ORIGIN_PLACEHOLDER = "http://origin.invalid";

/** Reads the built site; returns null if there is none. */
export function readBuiltSite(folder: string, names: Names): BuiltSite | null {
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  if (!existsSync(join(folder, "index.html"))) return null;
  const { documents, outlines, frames, ...manifest } = MANIFEST.parse(JSON.parse(read("site.json")));
  const fillInAll = <Pages extends Record<string, string>>(pages: Pages): Pages =>
    Object.fromEntries(Object.entries(pages).map(([name, html]) => [name, fillIn(html, names)])) as Pages;
  return {
    folder,
    shell: read("index.html"),
    ...manifest,
    documents: fillInAll(documents),
    outlines: fillInAll(outlines),
    frames: fillInAll(frames),
  };
}

/** Fills in the placeholders of a text that is not HTML. */
export function fillInText(text: string, { productName, publicUrl }: Names): string {
  return text.replaceAll(PRODUCT_NAME_PLACEHOLDER, () => productName).replaceAll(ORIGIN_PLACEHOLDER, () => publicUrl);
}

function fillIn(html: string, { productName, publicUrl }: Names): string {
  return fillInText(html, { productName: escapeHtml(productName), publicUrl: escapeHtml(publicUrl) });
}
