import { type Fence, INLINE, renderInline, renderMarkdownLine } from "./markdown.ts";
import { isTableRow, type MarkdownDisplay, renderMarkdownBlock } from "./markdown-block.ts";

/** Prints Markdown while it is streamed. */
export type MarkdownPrinter = {
  push(text: string): void;
  /** Prints the rest, and ends the last line. */
  end(): void;
};

/** The beginning of a line that can only be prose: its words can be printed before the line is complete. */
const PROSE = /^(?:[^\s#>|`~*+_=\d-]|\*\*[^\s*]|`[^`]|\d+[^\d.)])/;

/** Creates a printer for a terminal: prose appears word by word, other lines when they are complete, tables after their last line. */
export function createMarkdownPrinter(write: (text: string) => void, display: MarkdownDisplay): MarkdownPrinter {
  const { style, width, measure } = display;
  let fence: Fence = null;
  let tableRows: readonly string[] = [];
  /** The line that is not complete, how many of its characters are printed, and the column after them. */
  let line = "";
  let printed = 0;
  let column = 0;

  function writeWords(text: string): void {
    for (const word of text.split(/(?<=\S)(?= )/)) {
      const wordWidth = measure(word);
      const breaks = column > 0 && column + wordWidth > width;
      write(breaks ? `\n${word.trimStart()}` : word);
      column = breaks ? measure(word.trimStart()) : column + wordWidth;
    }
  }

  function flushTable(): void {
    if (tableRows.length === 0) return;
    write(`${renderMarkdownBlock(tableRows.join("\n"), null, display)}\n`);
    tableRows = [];
  }

  /** Prints the words of prose that later text cannot change. */
  function printWords(): void {
    if (fence !== null || !PROSE.test(line)) return;
    flushTable();
    const end = findSettledEnd(line);
    if (end <= printed) return;
    writeWords(style.color ? renderInline(line.slice(printed, end), style) : line.slice(printed, end));
    printed = end;
  }

  function endLine(): void {
    if (printed > 0) {
      writeWords(style.color ? renderInline(line.slice(printed), style) : line.slice(printed));
      write("\n");
    } else if (fence === null && isTableRow(line)) tableRows = [...tableRows, line];
    else {
      flushTable();
      write(`${renderMarkdownBlock(line, fence, display)}\n`);
      fence = renderMarkdownLine(line, fence, style).fence;
    }
    [line, printed, column] = ["", 0, 0];
  }

  return {
    push(text) {
      const [first = "", ...others] = text.split("\n");
      line += first;
      for (const next of others) {
        endLine();
        line = next;
      }
      printWords();
    },
    end() {
      if (line !== "") endLine();
      flushTable();
    },
  };
}

/** Returns the end of the last word whose form is certain: marks that are open may close later in the line. */
function findSettledEnd(line: string): number {
  const open = line.replace(INLINE, (whole) => "x".repeat(whole.length)).search(/[*`[]/);
  const end = line.lastIndexOf(" ", open === -1 ? undefined : open);
  return Math.max(0, end);
}
