/** The docs as programs and language models read them: the list in llms.txt, and every page of it as Markdown. */
import { expect, test } from "vitest";
import { platformUrl } from "../support/platform-url.ts";

const baseUrl = platformUrl();

test("llms.txt lists pages of the docs that are there as Markdown, with the address by which the reader has come", async () => {
  const origin = baseUrl.replace("localhost", "127.0.0.1");
  const list = await (await fetch(`${origin}/llms.txt`)).text();
  expect(list).toMatch(/^# Feather\n\n> /);
  const links = [...list.matchAll(/\]\((\S+\.md)\)/g)].map(([, url = ""]) => url);
  expect(links.length).toBeGreaterThan(30);
  for (const url of links) {
    expect(url.startsWith(`${origin}/docs/`), url).toBe(true);
    const response = await fetch(url);
    expect([response.status, response.headers.get("content-type")], url).toEqual([200, "text/markdown; charset=utf-8"]);
    const text = await response.text();
    expect(text, url).toMatch(/^# \S.*\n\n> \S/);
    for (const placeholder of ["origin.invalid", "{{product}}", "<!--"]) expect(text, url).not.toContain(placeholder);
  }
  expect(await (await fetch(`${origin}/docs/quickstart.md`)).text()).toContain(`${origin}/v1`);
});

test("a page of the docs links its Markdown", async () => {
  const page = await (await fetch(`${baseUrl}/docs/limits`)).text();
  expect(page).toContain('<link rel="alternate" type="text/markdown" href="/docs/limits.md" />');
});
