import { expect, test } from "vitest";
import { citationPlugin, type HtmlNode } from "./citation-plugin.ts";

const text = (value: string): HtmlNode => ({ type: "text", value });
const element = (tagName: string, ...children: HtmlNode[]): HtmlNode => ({ type: "element", tagName, children });
const cite = (value: string): HtmlNode => ({ ...element("cite", text(value)), properties: {} });

function mark(count: number, ...children: HtmlNode[]): HtmlNode[] | undefined {
  const tree = { type: "root", children };
  citationPlugin({ count })(tree);
  return tree.children;
}

test("numbers of passages become citations, at any depth, and the text around them stays", () => {
  expect(mark(2, element("p", text("30 days [1]"), element("em", text("[2] May"))))).toEqual([
    element("p", text("30 days "), cite("[1]"), element("em", cite("[2]"), text(" May"))),
  ]);
});

test("numbers for which no passage was sent stay text", () => {
  const paragraph = () => element("p", text("See [3] and [0]."));
  expect(mark(2, paragraph())).toEqual([paragraph()]);
});

test.each(["code", "pre", "a"])(
  "numbers within %s stay text, since they are indices or part of a link there",
  (name) => {
    const paragraph = () => element("p", element(name, text("list[1]")));
    expect(mark(2, paragraph())).toEqual([paragraph()]);
  },
);
