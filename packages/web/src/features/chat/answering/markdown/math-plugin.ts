import remarkMath from "remark-math";
import type { MathPlugin } from "streamdown";

const keepTree = () => (tree: unknown) => tree;

/** Parses formulas into code of the language `math`, which the code component renders. */
export const math: MathPlugin = {
  name: "katex",
  type: "math",
  remarkPlugin: [remarkMath, { singleDollarTextMath: false }],
  rehypePlugin: keepTree as MathPlugin["rehypePlugin"],
};
