import { Box, Text } from "ink";
import stringWidth from "string-width";
import { renderMarkdownLine } from "../../output/markdown.ts";
import { createStyle } from "../../output/style.ts";
import { wrapWords } from "../../output/wrap.ts";
import type { Entry } from "./state.ts";

type DisplayOptions = { readonly color: boolean; readonly unicode: boolean; readonly width: number };

/** The sign before a prompt. It keeps its space beside a prompt that wraps. */
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
    const { rendered } = renderMarkdownLine(text, fence, createStyle(display.color, display.unicode));
    return <Text>{rendered === "" ? " " : wrapWords(rendered, display.width, stringWidth)}</Text>;
  }
  const indent = kind === "prompt" || kind === "note" ? 2 : 0;
  const rendered = text === "" ? " " : wrapWords(text, display.width - indent, stringWidth);
  switch (kind) {
    case "head":
      return <Text dimColor={display.color}>{rendered}</Text>;
    case "prompt":
      return (
        <Box marginTop={1}>
          <PromptSign {...display} />
          <Text bold={display.color}>{rendered}</Text>
        </Box>
      );
    case "note":
      return (
        <Box paddingLeft={2}>
          <Text dimColor={display.color}>{rendered}</Text>
        </Box>
      );
    case "error":
      return display.color ? <Text color="red">{rendered}</Text> : <Text>{rendered}</Text>;
  }
}
