import { formatAnnotation } from "../output/github.ts";
import type { Io } from "../output/io.ts";
import { createStreamStyle } from "../output/io.ts";
import { formatJson } from "../output/json.ts";
import { sanitize, sanitizeLine } from "../output/sanitize.ts";
import { measureAsciiWidth } from "../output/width.ts";
import { widthOf, wrapWords } from "../output/wrap.ts";
import type { ExitReport } from "./exit-report.ts";

/** Prints on stderr how a command ended: as text, or as one line of JSON for programs. */
export function printExitReport(
  exitReport: ExitReport,
  io: Io,
  { color, json }: { color: boolean; json: boolean },
): void {
  if (exitReport.message === null) return;
  const { code, message, requestId } = exitReport;
  if (json) {
    const hints = exitReport.notes.map(([label, text]) => `${label}: ${text}`);
    const hint = hints.length > 0 && { hint: hints.join("; ") };
    io.stderr.write(`${formatJson({ error: { code, message, request_id: requestId, ...hint } }, false)}\n`);
    return;
  }
  const { githubJob } = io.env;
  if (githubJob !== undefined)
    for (const fault of exitReport.faults) io.stderr.write(`${formatAnnotation(fault, githubJob)}\n`);
  const style = createStreamStyle(io.stderr, io, { color });
  const notes = requestId === null ? exitReport.notes : [...exitReport.notes, ["request", requestId] as const];
  const width = Math.max(0, ...notes.map(([label]) => label.length)) + 1;
  // Lines of a server's message must not look like lines of this program.
  const lines = wrapWords(`error: ${sanitize(message)}`, widthOf(io.stderr) - 2, measureAsciiWidth);
  io.stderr.write(`${lines.replaceAll("\n", "\n  ").replace("error:", style.red("error:"))}\n`);
  for (const [label, text] of notes) {
    const wrapped = wrapWords(sanitizeLine(text), widthOf(io.stderr) - width - 3, measureAsciiWidth);
    const indented = wrapped.replaceAll("\n", `\n${" ".repeat(width + 3)}`);
    io.stderr.write(`  ${style.dim(sanitizeLine(`${label}:`).padEnd(width))} ${indented}\n`);
  }
}
