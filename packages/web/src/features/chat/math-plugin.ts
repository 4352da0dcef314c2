import remarkMath from "remark-math";
import type { MathPlugin } from "streamdown";

const leave = () => (tree: unknown) => tree;

/** Finds formulas; they come to the page as code in the language `math`, and are drawn there. */
export const math: MathPlugin = {
  name: "katex",
  type: "math",
  remarkPlugin: [remarkMath, { singleDollarTextMath: false }],
  rehypePlugin: leave as MathPlugin["rehypePlugin"],
};
