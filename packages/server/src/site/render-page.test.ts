import { expect, test } from "vitest";
import { NOT_FOUND_PAGE } from "./find-page.ts";
import type { PageMetadata } from "./page-metadata.ts";
import { renderPage } from "./render-page.ts";

const SHELL = '<head><!-- head --><!-- /head --></head><body><div id="root"></div></body>';
const NAMES = { productName: "Quill", publicUrl: "https://quill.example" };
const IMAGE = { path: "/share.png", alt: "A feather" };

// The guard redirects visitors from pages behind the login, but it cannot while the database is unavailable.
test.each<[PageMetadata["audience"], boolean, boolean]>([
  ["everybody", true, true],
  ["everybody", false, true],
  ["visitors", true, true],
  ["visitors", false, false],
  ["users", true, false],
  ["users", false, true],
])("content for %s, requested by a visitor: %s, is sent: %s", (audience, isVisitor, isSent) => {
  const page: PageMetadata = { ...NOT_FOUND_PAGE, status: 200, body: "<h1>Plans</h1>", audience };
  const html = renderPage(SHELL, page, NAMES, { image: IMAGE, isVisitor, hasPosts: false });
  expect(html.includes("<h1>Plans</h1>")).toBe(isSent);
});
