import { readFile } from "node:fs/promises";
import { type ChatImportReport, type ImportedChat, readChatExport, readChatFile } from "@feather/sdk/chat-imports";
import { unzipSync } from "fflate";
import { UsageError } from "../errors.ts";

const MAX_BYTES = 400_000_000;
const FORMATS = "conversations.json of ChatGPT or its ZIP file, or the JSON of Open WebUI or LibreChat";
const PROBLEMS = {
  "too-large": "the file has more than 400 MB",
  unreadable: "the ZIP file cannot be read",
};

/** Reads an export of chats. Throws `UsageError` for files that are none, and for those with more than 400 MB, packed or unpacked. */
export async function loadChatExport(
  path: string,
): Promise<{ readonly chats: readonly ImportedChat[]; readonly report: ChatImportReport }> {
  const file = readChatFile(await readFile(path), { unzip: unzipSync, maxBytes: MAX_BYTES });
  if ("problem" in file) throw new UsageError(PROBLEMS[file.problem], FORMATS);
  const { chats, report } = await readChatExport(file.texts);
  if (report === null) throw new UsageError("the file is no export of chats that is known", FORMATS);
  return { chats, report };
}
