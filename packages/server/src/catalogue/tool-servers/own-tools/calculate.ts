import { z } from "zod";
import { defineTool, toTextResult } from "./own-tool.ts";
import { ToolFailure } from "./tool-failure.ts";

const MAX_CHARACTERS = 500;
/** Functions of fixed cost. Others could fill the memory or the time, such as ranges, matrices and factorials. */
const FUNCTIONS: ReadonlySet<string> = new Set([
  ...["abs", "sqrt", "cbrt", "exp", "log", "log2", "log10", "sign", "floor", "ceil", "round", "fix", "mod", "pow"],
  ...["sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "hypot", "min", "max"],
]);
const CONSTANTS: ReadonlySet<string> = new Set(["pi", "e", "tau", "phi"]);
/** What an expression may consist of, as mathjs names it. */
const NODES: ReadonlySet<string> = new Set([
  ...["ConstantNode", "OperatorNode", "ParenthesisNode", "FunctionNode", "SymbolNode"],
]);
const OPERATORS: ReadonlySet<string> = new Set(["+", "-", "*", "/", "^", "%", "mod"]);

/** Calculates with numbers. */
export const calculate = defineTool({
  name: "calculate",
  title: "Calculator",
  description: `Calculates an expression with numbers, such as "(3 + 4) * sqrt(2)". Knows + - * / ^ % and ${[...FUNCTIONS].join(", ")}; ${[...CONSTANTS].join(", ")}. Angles are in radians, log is the natural one.`,
  scope: null,
  isReadOnly: true,
  isOpenWorld: false,
  arguments: z.strictObject({
    expression: z.string().min(1).max(MAX_CHARACTERS).describe("The expression, such as 2^10 / 3."),
  }),
  run: async ({ expression }) => toTextResult(String(await evaluate(expression))),
});

async function evaluate(expression: string): Promise<number> {
  const { parse } = await import("mathjs/number");
  try {
    const tree = parse(expression);
    tree.traverse(checkNode);
    const value: unknown = tree.evaluate();
    if (typeof value === "number" && Number.isFinite(value)) return value;
  } catch (error) {
    throw error instanceof ToolFailure ? error : new ToolFailure(`The expression cannot be read: ${messageOf(error)}`);
  }
  throw new ToolFailure("The expression has no finite number as its value.");
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Throws `ToolFailure` for everything but arithmetic. */
function checkNode(node: { type: string }): void {
  const { type, name, op } = node as { type: string; name?: unknown; op?: unknown };
  if (!NODES.has(type)) throw new ToolFailure("The expression is more than numbers, operators and functions.");
  if (type === "SymbolNode" && !FUNCTIONS.has(String(name)) && !CONSTANTS.has(String(name)))
    throw new ToolFailure(`The expression has ${String(name)}, which is not known.`);
  if (type === "OperatorNode" && !OPERATORS.has(String(op)))
    throw new ToolFailure(`The expression has the operator ${String(op)}, which is not known.`);
}
