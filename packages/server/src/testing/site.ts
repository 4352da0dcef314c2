import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

/** Content of the site's script. */
export const SCRIPT = "console.log(1);\n".repeat(200);
/** Content of the package archive. */
export const ARCHIVE = gzipSync("the terminal program");
/** Public URL of the test site. */
export const PUBLIC_URL = "https://feather.example";
const SHELL = `<!doctype html><html><head>
    <!-- head --><title>%PRODUCT_NAME%</title><!-- /head -->
  </head><body><div id="root"></div></body></html>`;
const route = (path: string, title: string, access = "public", description: string | null = null) => ({
  path,
  title,
  access,
  layout: "default",
  description,
});
const MANIFEST = {
  routes: [
    route("/", "Home", "public", "What it is."),
    route("/models", "Models"),
    route("/models/:owner/:name", "Model"),
    route("/models/:owner/:name/reviews", "Reviews"),
    route("/model-families/:family", "Model family"),
    route("/model-releases/:date", "Model releases"),
    route("/blog", "Blog"),
    route("/blog/*", "Blog"),
    route("/docs/*", "Docs"),
    route("/privacy", "Privacy Policy"),
    route("/shared-chats/:token", "Shared chat"),
    route("/:slug", "Page"),
    route("/login", "Login"),
    route("/pricing", "Pricing", "private"),
    route("/account", "My Account > Subscription", "private"),
    route("/admin", "Admin", "admin"),
    route("/admin/models/:id", "Admin > Model", "admin"),
  ],
  accessByPrefix: [
    { prefix: "/api", access: "public" },
    { prefix: "/admin", access: "admin" },
  ],
  pages: [
    page("/docs/quickstart", "docs", "Quickstart & more"),
    page("/privacy", "legal", "Privacy Policy", "2026-01-01"),
  ],
  llms: {
    intro: "# {{product}}",
    sections: [
      {
        title: "Start",
        links: [
          { page: "/docs/quickstart", line: "- [Quickstart](http://origin.invalid/docs/quickstart.md)" },
          { page: "/docs/second", line: "- [Second](http://origin.invalid/docs/second.md)" },
        ],
      },
      { title: "API", links: [{ page: null, line: "- [OpenAPI](http://origin.invalid/api/openapi.json)" }] },
    ],
  },
  texts: {
    "/docs/quickstart.md": "# Quickstart\n\n`curl http://origin.invalid/v1`\n",
  },
  documents: { "/models": `<h1>All models of {{product}} at http://origin.invalid/v1</h1>` },
  outlines: { "/pricing": "<h1>Plans of {{product}}</h1>", "/admin": "<h1>For admins</h1>" },
  frames: { default: "<header>Bar</header><main><!--page--></main>" },
};

function page(path: string, kind: string, title: string, date: string | null = null) {
  const markdownPath = kind === "docs" ? `${path}.md` : null;
  const content = { description: `About ${title}.`, html: `<p>Text of ${path}</p>`, markdownPath };
  return { path, kind, title, date, ...content };
}

const CONTENT = {
  posts: [post("units", "Units", "2026-09-16"), post("later", "Later", "2026-10-01")],
  names: ["blog", "models", "docs", "privacy", "admin"],
};

function post(slug: string, title: string, date: string) {
  const text = `Text of /blog/${slug}`;
  return { slug, title, description: `About ${title}.`, author: null, tags: [], date, text };
}

/** Writes a small built site to a temporary folder; without posts on request. */
export function writeTestSite({ hasPosts = true }: { hasPosts?: boolean } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "feather-site-"));
  writeFileSync(join(folder, "index.html"), SHELL);
  writeFileSync(join(folder, "site.json"), JSON.stringify(MANIFEST));
  writeFileSync(join(folder, "content.json"), JSON.stringify({ ...CONTENT, ...(!hasPosts && { posts: [] }) }));
  writeFileSync(join(folder, "favicon.svg"), "<svg/>");
  writeFileSync(join(folder, "cli.tgz"), ARCHIVE);
  mkdirSync(join(folder, "assets"));
  const script = join(folder, "assets", "index-abc.js");
  writeFileSync(script, SCRIPT);
  writeFileSync(`${script}.br`, brotliCompressSync(SCRIPT));
  writeFileSync(`${script}.gz`, gzipSync(SCRIPT));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A test site and how to remove it. */
export type TestSite = ReturnType<typeof writeTestSite>;
