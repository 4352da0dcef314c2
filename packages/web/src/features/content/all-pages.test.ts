import { tags } from "virtual:contract/calls";
import { compileMarkdown } from "@feather/markdown/compile";
import { splitFrontMatter } from "@feather/markdown/front-matter";
import { APPLICATION_SCOPES, SCOPES } from "@feather/sdk";
import { matchPath } from "react-router-dom";
import { describe, expect, test } from "vitest";
import { ROUTES } from "#/config/routes.ts";
import { parseContentPath } from "./compile/content-module.ts";
import { DOCS } from "./pages.ts";
import { SECTIONS } from "./sections.ts";

const files = import.meta.glob<string>("../../../content/**/*.md", { query: "?raw", import: "default", eager: true });
const settings = import.meta.glob<string>("../../../../../docs/settings.md", {
  query: "?raw",
  import: "default",
  eager: true,
});

const permissions = import.meta.glob<string>("../../../../../openapi/permissions.yaml", {
  query: "?raw",
  import: "default",
  eager: true,
});

const pages = Object.entries(files).map(([path, source]) => {
  const { kind, slug } = parseContentPath(path);
  const { meta, markdown } = splitFrontMatter(source, kind);
  return { name: `${kind}/${slug}`, kind, slug, meta, source, ...compileMarkdown(markdown) };
});
const find = (kind: string, slug: string) => pages.find((page) => page.kind === kind && page.slug === slug);

/** Returns the fault of a link of the site; null if its target exists. */
function findLinkError(link: string, from: (typeof pages)[number]): string | null {
  if (!/^[/#]/.test(link)) return null;
  const { pathname, hash } = new URL(
    link,
    `https://x.example/${from.kind === "legal" ? "" : `${from.kind}/`}${from.slug}`,
  );
  const [, kind = "", slug = ""] = /^\/(docs|blog)\/(.+)$/.exec(pathname) ?? [];
  const anchor = decodeURIComponent(hash.slice(1));
  const [, tagSlug] = /^api\/(.+)$/.exec(slug) ?? [];
  if (kind === "docs" && slug === "api") return null;
  if (kind === "docs" && tagSlug !== undefined) {
    const tag = tags.find((candidate) => candidate.slug === tagSlug);
    if (!tag) return "there is no such group of calls";
    return anchor === "" || tag.operations.some(({ id }) => id === anchor) ? null : `there is no call ${anchor}`;
  }
  const target = kind === "" ? (link.startsWith("#") ? from : undefined) : find(kind, slug);
  if (kind !== "" && !target) return "there is no such page";
  if (kind === "" && !ROUTES.some(({ path }) => path !== "/:slug" && matchPath(path, pathname)))
    return "there is no such route";
  if (anchor !== "" && target && !target.headings.some(({ id }) => id === anchor))
    return `there is no heading ${anchor}`;
  return null;
}

describe.each(pages)("$name", (page) => {
  test("a page of the content has only links to existing pages", () => {
    expect(page.links.flatMap((link) => findLinkError(link, page)?.concat(`: ${link}`) ?? [])).toEqual([]);
  });

  test("a page of the content begins its headings at the second level and skips none", () => {
    const prose = page.source.replace(/^ *```[\s\S]*?^ *```$/gm, "");
    const levels = [...prose.matchAll(/^(#{1,6}) /gm)].map(([, marks = ""]) => marks.length);
    expect(levels.filter((level, index) => level < 2 || level - (levels[index - 1] ?? 1) > 1)).toEqual([]);
  });

  test("a page of the content contains no exclamation marks and names the language of every code block", () => {
    expect(page.text).not.toMatch(/[a-z]!(\s|$)/i);
    const fences = [...page.source.matchAll(/^ *```(.*)$/gm)].map(([, rest = ""]) => rest);
    expect(fences.filter((rest, index) => index % 2 === 0 && rest === "")).toEqual([]);
  });
});

test("every page of the docs has a known section and a unique position", () => {
  for (const { slug, meta } of DOCS) expect(SECTIONS, slug).toContain(meta.section);
  const places = DOCS.map(({ meta }) => `${meta.section} ${meta.order}`);
  expect(new Set(places).size).toBe(places.length);
  expect(DOCS[0]?.slug).toBe("quickstart");
});

test("all titles are unique", () => {
  const titles = DOCS.map(({ meta }) => meta.title);
  expect(new Set(titles).size).toBe(titles.length);
});

test("all legal pages exist", () => {
  expect(
    pages
      .filter(({ kind }) => kind === "legal")
      .map(({ slug }) => slug)
      .sort(),
  ).toEqual(["cookie-policy", "privacy", "terms"]);
});

test("the settings page lists every setting of the server with its description", () => {
  const rows = (Object.values(settings)[0] ?? "").split("\n").filter((line) => line.startsWith("| `"));
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.filter((row) => !find("docs", "settings")?.source.includes(row))).toEqual([]);
});

test.each([
  ["oauth", APPLICATION_SCOPES],
  ["api-keys", SCOPES],
])("the page %s explains every scope", (slug, scopes) => {
  const source = find("docs", slug)?.source ?? "";
  expect(scopes.filter((scope) => !source.includes(`\n| \`${scope}\` | `))).toEqual([]);
});

test("the organizations page marks the roles that have each permission", () => {
  const roles = ["viewer", "developer", "editor", "admin"];
  const table = Object.values(permissions)[0] ?? "";
  const lowestRoles = [...table.matchAll(/^ {2}(\w+): \{ role: (\w+),/gm)];
  expect(lowestRoles.length).toBeGreaterThan(5);
  for (const [, permission = "", lowestRole = ""] of lowestRoles) {
    const marks = roles.map((_, index) => (index >= roles.indexOf(lowestRole) ? "yes" : "–"));
    expect(find("docs", "organizations")?.source).toMatch(
      new RegExp(`^\\| .*\`${permission}\`.* \\| ${marks.join(" \\| ")} \\|$`, "m"),
    );
  }
});
