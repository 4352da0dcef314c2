import { styleText } from "node:util";
import type { Environment } from "../config/environment.ts";

/** Colours and signs of one stream. Without colour, every function returns its text unchanged. */
export type Style = {
  readonly color: boolean;
  readonly unicode: boolean;
  bold(text: string): string;
  dim(text: string): string;
  italic(text: string): string;
  red(text: string): string;
  green(text: string): string;
  amber(text: string): string;
  /** For what stands out without being good or bad. Magenta can be read on black and on white; blue and cyan cannot. */
  accent(text: string): string;
};

/** Returns whether a stream gets colour: decided by the flag, then the environment, then whether it is a terminal. */
export function wantsColor(flag: boolean, env: Pick<Environment, "color" | "dumb">, isTTY: boolean): boolean {
  if (!flag) return false;
  return env.color ?? (isTTY && !env.dumb);
}

/** Creates a style with or without colour and Unicode. */
export function createStyle(color: boolean, unicode: boolean): Style {
  const paint = (format: Parameters<typeof styleText>[0]) => (text: string) =>
    color && text !== "" ? styleText(format, text, { validateStream: false }) : text;
  return {
    color,
    unicode,
    bold: paint("bold"),
    dim: paint("dim"),
    italic: paint("italic"),
    red: paint("red"),
    green: paint("green"),
    amber: paint("yellow"),
    accent: paint("magenta"),
  };
}

/** Draws units as barbs, `▰▰▱▱`; `##--` without Unicode. */
export function drawBarbs(used: number, total: number, unicode: boolean): string {
  const [full, empty] = unicode ? ["▰", "▱"] : ["#", "-"];
  const filled = Math.max(0, Math.min(used, total));
  return full.repeat(filled) + empty.repeat(total - filled);
}
