const FRONT_MATTER = `---
title: TypeScript SDK
description: A typed method for every call, with streams, pages, real dates and errors you can catch.
section: Build on it
order: 2
---
`;
const TITLE = "# @feather/sdk\n";

/** Renders the page of the site's docs from the package's README, with links to the site's own pages. */
export function renderSitePage(readme: string): string {
  if (!readme.startsWith(TITLE)) throw new Error(`The README of the SDK does not begin with ${TITLE.trim()}.`);
  const body = readme
    .slice(TITLE.length)
    .replaceAll("[api.md](api.md)", "[the reference](/docs/api)")
    .replaceAll("](http://localhost:4000/", "](/")
    .replaceAll(/^```ts$/gm, "```typescript")
    .replaceAll(/^```sh$/gm, "```bash");
  return FRONT_MATTER + body;
}
