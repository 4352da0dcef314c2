import { splitCitations } from "@feather/sdk/collections";

/** A node of the tree of HTML elements that Markdown is turned into. */
export type HtmlNode = {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: HtmlNode[];
};

/** Elements whose text is no prose: numbers in brackets are indices or part of a link there. */
const LEFT_ALONE: ReadonlySet<string> = new Set(["code", "pre", "a"]);

/**
 * Puts `cite` elements around the numbers in brackets that stand for one of `count` passages. Markdown makes no such elements, so that
 * an answer cannot make others.
 */
export function citationPlugin({ count }: { count: number }) {
  return (tree: HtmlNode): void => markCitations(tree, count);
}

function markCitations(node: HtmlNode, count: number): void {
  if (!node.children || LEFT_ALONE.has(node.tagName ?? "")) return;
  node.children = node.children.flatMap((child) => {
    if (child.type !== "text") {
      markCitations(child, count);
      return [child];
    }
    return splitCitations(child.value ?? "", count).map(({ text, number }): HtmlNode => {
      const textNode = { type: "text", value: text };
      return number === null ? textNode : { type: "element", tagName: "cite", properties: {}, children: [textNode] };
    });
  });
}
