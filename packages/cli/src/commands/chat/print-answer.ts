import { type AnswerPiece, formatStats } from "../../chat/answer.ts";
import type { Context } from "../../context.ts";
import { createStreamStyle } from "../../output/io.ts";
import { createMarkdownPrinter, type MarkdownPrinter } from "../../output/markdown/markdown-printer.ts";
import { sanitize } from "../../output/sanitize.ts";
import { loadMeasureWidth } from "../../output/width.ts";

/**
 * Prints an answer while it is received, as Markdown at a terminal, and its statistics for people; returns its text.
 * Until the first token, a line says that the model is waited for.
 */
export async function printAnswer(context: Context, answer: AsyncIterable<AnswerPiece>): Promise<string> {
  const { io, output, flags } = context;
  const style = createStreamStyle(io.stderr, io, flags);
  const wait = output.waits.begin("Waiting for the first token");
  const printer = await createPrinter(context);
  let content = "";
  try {
    for await (const piece of answer) {
      if (piece.kind === "reasoning") wait.change("Thinking");
      else wait.end();
      if (piece.kind === "stats") {
        printer.end();
        if (io.stderr.isTTY === true && output.tty)
          io.stderr.write(`${style.dim(`  ${formatStats(piece.stats, io.env.unicode)}`)}\n`);
      } else if (piece.kind === "text") {
        content += piece.text;
        printer.push(sanitize(piece.text));
      }
    }
  } finally {
    wait.end();
    printer.end();
  }
  return content;
}

async function createPrinter({ io, output }: Context): Promise<MarkdownPrinter> {
  const write = (text: string) => void io.stdout.write(text);
  if (!output.tty || output.mode !== "human") return createPlainPrinter(write);
  return createMarkdownPrinter(write, { style: output.style, width: output.width, measure: await loadMeasureWidth() });
}

/** Creates a printer that prints the text unchanged, and ends its last line. */
function createPlainPrinter(write: (text: string) => void): MarkdownPrinter {
  let lastCharacter = "\n";
  return {
    push(text) {
      write(text);
      lastCharacter = text.at(-1) ?? lastCharacter;
    },
    end() {
      if (lastCharacter !== "\n") write("\n");
      lastCharacter = "\n";
    },
  };
}
