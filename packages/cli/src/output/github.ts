import { appendFile } from "node:fs/promises";
import { relative, resolve } from "node:path";
import type { GitHubJob } from "../config/environment.ts";
import type { FileFault } from "../errors.ts";
import { sanitizeLine } from "./sanitize.ts";

/**
 * Returns the command with which GitHub shows a fault beside the line of its file in a pull request:
 * `::error file=deployments/a.yaml,line=3,col=1::there is no field replicas`.
 */
export function formatAnnotation({ file, place, message }: FileFault, { workspace }: GitHubJob): string {
  const path = workspace === undefined ? file : relative(workspace, resolve(file)).replaceAll("\\", "/");
  const position = place === undefined ? "" : `,line=${place.line},col=${place.column}`;
  return `::error file=${escapeProperty(path)}${position}::${escapeData(message)}`;
}

const escapeData = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const escapeProperty = (text: string): string => escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

/** Adds a heading and a table to the summary that GitHub shows below a job. Throws when its file cannot be written. */
export async function appendSummary(
  summaryFile: string,
  title: string,
  header: readonly string[],
  rows: readonly (readonly string[])[],
): Promise<void> {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const table = [line(header), line(header.map(() => "---")), ...rows.map((cells) => line(cells.map(escapeCell)))];
  await appendFile(summaryFile, `### ${title}\n\n${table.join("\n")}\n\n`);
}

/** Returns a text as it stands, whatever Markdown or HTML it holds. */
const escapeCell = (text: string): string =>
  sanitizeLine(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replace(/[\\`*_{}[\]#|~$:@]/g, (character) => `&#${character.charCodeAt(0)};`);
