import type { Context } from "../../context.ts";
import { createStreamStyle } from "../../output/io.ts";
import { sanitize } from "../../output/sanitize.ts";
import { type AnswerPiece, formatStats } from "./answer.ts";

/** Prints an answer as it comes, and its statistics for people; returns its text. Until its first token, says what is waited for. */
export async function printAnswer({ io, output, flags }: Context, answer: AsyncIterable<AnswerPiece>): Promise<string> {
  const style = createStreamStyle(io.stderr, io, flags);
  const wait = output.waits.begin("Waiting for the first token");
  let content = "";
  let lastCharacter = "\n";
  const endLine = () => {
    if (lastCharacter !== "\n") io.stdout.write("\n");
  };
  try {
    for await (const piece of answer) {
      if (piece.kind === "reasoning") wait.change("Thinking");
      else wait.end();
      if (piece.kind === "stats") {
        endLine();
        lastCharacter = "\n";
        if (io.stderr.isTTY === true && output.tty)
          io.stderr.write(`${style.dim(`  ${formatStats(piece.stats, io.env.unicode)}`)}\n`);
      } else if (piece.kind === "text") {
        content += piece.text;
        const text = sanitize(piece.text);
        io.stdout.write(text);
        lastCharacter = text.at(-1) ?? lastCharacter;
      }
    }
  } finally {
    wait.end();
    endLine();
  }
  return content;
}
