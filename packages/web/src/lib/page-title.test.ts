import { beforeEach, expect, test } from "vitest";
import { formatDocumentTitle, setHead } from "./page-title.ts";

beforeEach(() => {
  document.head.innerHTML = `<meta name="product-name" content="Plume"><meta name="description" content="before">
    <meta property="og:title" content="before"><meta property="og:description" content="before">`;
});
const content = (tag: string) => document.querySelector(`meta[${tag}]`)?.getAttribute("content");

test.each([
  ["Models", "Models - Plume"],
  ["My Account > Subscription", "My Account > Subscription - Plume"],
  ["<script>", "<script> - Plume"],
])("the page %s has the title %s", (page, title) => {
  expect(formatDocumentTitle(page)).toBe(title);
  setHead(page);
  expect(document.title).toBe(title);
  expect(content('property="og:title"')).toBe(title);
});

test.each([
  [undefined, "before"],
  ['A "new" one', 'A "new" one'],
])("setting the description %j results in %j", (given, description) => {
  setHead("Models", given);
  expect(content('name="description"')).toBe(description);
  expect(content('property="og:description"')).toBe(description);
});
