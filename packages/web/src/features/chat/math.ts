import "katex/dist/katex.min.css";
import { createMathPlugin } from "@streamdown/math";

const plugin = createMathPlugin({ errorColor: "currentColor" });
type Rehype = typeof plugin.rehypePlugin;
const [rehype] = plugin.rehypePlugin as unknown as [Rehype];

/** Mathematics that fetches nothing, runs nothing, and neither grows over the page nor without end. */
export const math = {
  ...plugin,
  rehypePlugin: [
    rehype,
    { trust: false, strict: "ignore", maxExpand: 200, maxSize: 20, throwOnError: false, errorColor: "currentColor" },
  ] as unknown as Rehype,
};
