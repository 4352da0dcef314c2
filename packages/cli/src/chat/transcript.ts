import type { Message } from "./answer.ts";

/** A conversation, in the form in which it is saved. */
export type Transcript = {
  /** Id of the model that is talked to. */
  readonly model: string;
  readonly system: string | undefined;
  /** The conversation, without the system message. */
  readonly messages: readonly Message[];
};

const TITLE = /^# Conversation with (\S+)$/;
const USER_HEADING = "You";
const SYSTEM_HEADING = "Instructions";
/** A heading of the transcript: who speaks. */
const HEADING = new RegExp(`^## (${USER_HEADING}|${SYSTEM_HEADING}|[^\\s/]+/\\S+)$`);
/** A line of a text that would be read as a heading, which gets one more backslash. */
const HEADING_IN_TEXT = new RegExp(`^(\\\\*)(## (?:${USER_HEADING}|${SYSTEM_HEADING}|[^\\s/]+/\\S+))$`, "gm");

/** Returns a conversation as Markdown. */
export function formatTranscript({ model, system, messages }: Transcript): string {
  const parts = messages.map(({ role, content, pictures = [] }) => {
    const shownPictures = pictures.map(({ name }) => `\nPicture: ${name}\n`).join("");
    return `## ${role === "user" ? USER_HEADING : model}\n\n${escapeHeadings(content)}\n${shownPictures}`;
  });
  const instructions = system === undefined ? [] : [`## ${SYSTEM_HEADING}\n\n${escapeHeadings(system)}\n`];
  return [`# Conversation with ${model}\n`, ...instructions, ...parts].join("\n");
}

/** Parses what `formatTranscript` returns; undefined for other texts. Pictures remain as their names. */
export function parseTranscript(text: string): Transcript | undefined {
  const [title = "", ...lines] = text.replaceAll("\r\n", "\n").split("\n");
  const model = TITLE.exec(title)?.[1];
  if (model === undefined) return undefined;
  const sections = splitSections(lines);
  if (sections === undefined) return undefined;
  const system = sections.find(({ heading }) => heading === SYSTEM_HEADING)?.content;
  const messages = sections
    .filter(({ heading }) => heading !== SYSTEM_HEADING)
    .map(({ heading, content }): Message => ({ role: heading === USER_HEADING ? "user" : "assistant", content }));
  return { model, system, messages };
}

/** Returns the texts below each heading; undefined when there is text before the first one. */
function splitSections(lines: readonly string[]): { heading: string; content: string }[] | undefined {
  const sections: { heading: string; lines: string[] }[] = [];
  for (const line of lines) {
    const heading = HEADING.exec(line)?.[1];
    if (heading !== undefined) sections.push({ heading, lines: [] });
    else if (sections.length > 0) sections.at(-1)?.lines.push(line);
    else if (line.trim() !== "") return undefined;
  }
  return sections.map(({ heading, lines }) => ({ heading, content: unescapeHeadings(lines.join("\n")).trim() }));
}

const escapeHeadings = (text: string): string => text.replace(HEADING_IN_TEXT, "\\$1$2");

const unescapeHeadings = (text: string): string =>
  text.replace(HEADING_IN_TEXT, (_, backslashes: string, heading: string) => backslashes.slice(1) + heading);
