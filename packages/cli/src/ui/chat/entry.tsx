import { Box, Text } from "ink";
import stringWidth from "string-width";
import { renderMarkdownBlock } from "../../output/markdown/markdown-block.ts";
import { createStyle } from "../../output/style.ts";
import { wrapWords } from "../../output/wrap.ts";
import type { Entry } from "./state.ts";

type DisplayOptions = { readonly color: boolean; readonly unicode: boolean; readonly width: number };

/** The sign before a prompt. It keeps its space left of a prompt that wraps. */
export function PromptSign({ color, unicode }: Pick<DisplayOptions, "color" | "unicode">) {
  return (
    <Box flexShrink={0}>
      <Text dimColor={color}>{unicode ? "› " : "> "}</Text>
    </Box>
  );
}

/** A finished entry of the conversation. */
export function EntryView({ entry, display }: { entry: Entry; display: DisplayOptions }) {
  const { kind, text, fence } = entry;
  if (kind === "answer") {
    const style = createStyle(display.color, display.unicode);
    const rendered = renderMarkdownBlock(text, fence, { style, width: display.width, measure: stringWidth });
    // The terminal itself wraps code that is wider than the screen, so that copying it adds no line breaks.
    return (
      <Box width={Math.max(display.width, ...rendered.split("\n").map((line) => stringWidth(line)))} flexShrink={0}>
        <Text>{rendered === "" ? " " : rendered}</Text>
      </Box>
    );
  }
  const indent = kind === "prompt" || kind === "note" ? 2 : 0;
  const rendered = text === "" ? " " : wrapWords(text, display.width - indent, stringWidth);
  switch (kind) {
    case "head":
      return <Text dimColor={display.color}>{rendered}</Text>;
    case "prompt":
      return (
        <Box marginTop={1} width={display.width}>
          <PromptSign {...display} />
          <Text bold={display.color}>{rendered}</Text>
        </Box>
      );
    case "note":
      return (
        <Box paddingLeft={2} width={display.width}>
          <Text dimColor={display.color}>{rendered}</Text>
        </Box>
      );
    case "error":
      return display.color ? <Text color="red">{rendered}</Text> : <Text>{rendered}</Text>;
  }
}
