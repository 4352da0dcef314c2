import { compileMarkdown } from "@feather/markdown/compile";
import type { ContentNode } from "@feather/markdown/content-node";
import { cleanup, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { MemoryRouter } from "react-router-dom";
import { afterEach, expect, test } from "vitest";
import { Content } from "./content.tsx";

afterEach(cleanup);

const draw = (nodes: readonly ContentNode[]) =>
  render(
    <MemoryRouter>
      <Content nodes={nodes} />
    </MemoryRouter>,
  ).container;
const drawText = (source: string) => draw(compileMarkdown(source).body);

test("a page of content renders only known elements, even if the tree was manipulated", () => {
  const container = draw([
    ["script", null, "alert(1)"],
    ["iframe", { src: "https://evil.example" }],
    ["p", { onclick: "alert(1)", style: "display:none" }, "text"],
  ]);
  expect(container.querySelector("script, iframe")).toBeNull();
  expect(container.querySelector("p")?.getAttributeNames()).toEqual([]);
});

test("a page of content shows the address of the reader's server, except in literal code", () => {
  const source =
    "`http://localhost:4000/v1`\n\n```bash\ncurl http://localhost:4000\n```\n\n```bash literal\ncurl http://localhost:4000\n```";
  const container = drawText(source);
  expect(container.querySelector("p code")?.textContent).toBe(`${location.origin}/v1`);
  expect([...container.querySelectorAll("pre")].map((pre) => pre.textContent)).toEqual([
    `curl ${location.origin}`,
    "curl http://localhost:4000",
  ]);
});

test("a page of content opens external links in a new tab without referrer, and internal ones in place", () => {
  const container = drawText("[in](/docs/limits) [out](https://a.example) [below](#x)");
  const [inside, externalLink, below] = container.querySelectorAll("a");
  expect(inside?.getAttribute("href")).toBe("/docs/limits");
  expect(inside?.getAttribute("target")).toBeNull();
  expect(externalLink?.getAttribute("rel")).toBe("noopener noreferrer");
  expect(below?.getAttribute("href")).toBe("#x");
});

test("a page of content shows samples of the same thing as tabs, usable with mouse and keyboard", async () => {
  const container = drawText('```bash tab="curl"\none\n```\n\n```python tab="Python"\ntwo\n```');
  expect(container.querySelector("pre")?.textContent).toBe("one");
  await userEvent.click(screen.getByRole("tab", { name: "Python" }));
  expect(screen.getByRole("tabpanel", { name: "Python" }).textContent).toBe("two");
  await userEvent.keyboard("{ArrowRight}");
  expect(screen.getByRole("tab", { name: "curl" }).getAttribute("aria-selected")).toBe("true");
  expect(document.activeElement).toBe(screen.getByRole("tab", { name: "curl" }));
});
