import { Box, Text } from "ink";
import stringWidth from "string-width";
import { markdownLine } from "../../output/markdown.ts";
import { createStyle } from "../../output/style.ts";
import { wrapWords } from "../../output/wrap.ts";
import type { Entry } from "./state.ts";

type Look = { readonly color: boolean; readonly unicode: boolean; readonly width: number };

/** Returns the sign before a prompt. */
export const sign = (unicode: boolean) => (unicode ? "› " : "> ");

/** A finished entry of the conversation. */
export function EntryView({ entry, look }: { entry: Entry; look: Look }) {
  const { kind, text, fence } = entry;
  if (kind === "answer") {
    const { shown } = markdownLine(text, fence, createStyle(look.color, look.unicode));
    return <Text>{shown === "" ? " " : wrapWords(shown, look.width, stringWidth)}</Text>;
  }
  const indent = kind === "prompt" || kind === "note" ? 2 : 0;
  const shown = text === "" ? " " : wrapWords(text, look.width - indent, stringWidth);
  switch (kind) {
    case "head":
      return <Text dimColor={look.color}>{shown}</Text>;
    case "prompt":
      return (
        <Box marginTop={1}>
          <Text dimColor={look.color}>{sign(look.unicode)}</Text>
          <Text bold={look.color}>{shown}</Text>
        </Box>
      );
    case "note":
      return (
        <Box paddingLeft={2}>
          <Text dimColor={look.color}>{shown}</Text>
        </Box>
      );
    case "error":
      return look.color ? <Text color="red">{shown}</Text> : <Text>{shown}</Text>;
  }
}
